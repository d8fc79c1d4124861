"""The ACPC protocol over TCP: a dealer that ACPC programs join, and a client that ACPC dealers seat."""
