"""The structure of the connectionist player: its parameters, its action function and its observer."""
