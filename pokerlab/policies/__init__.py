"""Policies: tables that say how often to do what."""
