"""The search player: the rest of the hand as a tree, with opponents modelled by their observed actions."""
