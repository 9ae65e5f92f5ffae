"""`python -m onepath`: the `onepath` command."""

import sys

from onepath.cli import main

sys.exit(main())
