"""The published systems, one folder each: player, models and learning."""
