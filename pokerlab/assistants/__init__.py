"""The lab's tools for AI assistants, over the Model Context Protocol."""
