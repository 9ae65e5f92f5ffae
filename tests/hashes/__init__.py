"""Named scenarios and the hashes of their results, kept as files: the same in every build and on every platform."""
