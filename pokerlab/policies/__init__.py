"""Policies: strategies and their files, formula policies, starting-hand charts."""
