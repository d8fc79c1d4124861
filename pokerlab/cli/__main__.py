"""Make `python -m pokerlab.cli` run the command `pokerlab`."""

import sys

from pokerlab.cli import main

sys.exit(main())
