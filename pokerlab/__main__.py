"""`python -m pokerlab` is the same as `pokerlab`."""

import sys

from pokerlab.cli import main

sys.exit(main())
