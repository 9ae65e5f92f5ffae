"""How fast OnePath is, on its own levels and beside other libraries: `python -m benchmarks --help`."""
