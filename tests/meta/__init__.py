"""Tests of the project itself: its list of compiled modules, its imports, its documents, its builds."""
