"""pokerlab in a browser: the server, its pages, and their scripts."""
