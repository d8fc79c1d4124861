"""The lab in a browser: the server, its pages, and the scripts behind them."""
