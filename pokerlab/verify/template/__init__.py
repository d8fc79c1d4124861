"""The template that `pokerlab new agent` copies under another name: an agent, and its tests."""
