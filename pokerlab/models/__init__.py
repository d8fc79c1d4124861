"""Opponent models: weight tables, action counts, neural predictors. A model is a policy that learns between hands."""
