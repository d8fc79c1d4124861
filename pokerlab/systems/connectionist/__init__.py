"""The connectionist player: a class-mixture action function on named features, and beliefs about everyone."""
