"""Strategies and their files, formula policies, starting-hand charts."""
