"""Records of deals and the engine: a record is played again, a played deal is written down."""
