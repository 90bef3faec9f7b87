"""Records of single deals, written and read: in text for people, and in JSON."""
