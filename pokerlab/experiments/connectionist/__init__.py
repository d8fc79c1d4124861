"""Sweeney 2012."""
