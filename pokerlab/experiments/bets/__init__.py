"""Hawkin 2014."""
