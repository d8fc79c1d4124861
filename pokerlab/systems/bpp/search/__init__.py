"""The search player: the rest of the hand as a tree, opponents weighed by what they were seen to do."""
