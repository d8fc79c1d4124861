"""Our rules and numbers checked against other engines; the contract of an agent."""
