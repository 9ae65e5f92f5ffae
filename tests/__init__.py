"""Tests of OnePath. Scenes are built by tests.scenes, slow and plain twins stand in tests.oracles."""
