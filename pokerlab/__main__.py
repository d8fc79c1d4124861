"""Make `python -m pokerlab` run the command `pokerlab`."""

import sys

from pokerlab.cli import main

sys.exit(main())
