"""Experiments: one file for each published table or figure, with what was published beside what comes out here."""
