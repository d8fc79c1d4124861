"""The search player: it searches the rest of the hand as a tree, and models opponents by their observed actions."""
