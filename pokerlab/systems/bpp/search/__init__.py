"""The search player: searches the rest of the hand as a tree, modelling opponents by their observed actions."""
