"""OnePath: navigation for Python games."""
