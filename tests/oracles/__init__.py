"""Slow second implementations, written from the documents alone, that the fast code is compared with."""
