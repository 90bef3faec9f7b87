"""Rules as data and exact scores: conventions, variants, deal scores, the sheet, settlement."""
