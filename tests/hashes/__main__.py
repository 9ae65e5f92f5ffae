"""Writes the hash files anew: `python -m tests.hashes`. Only a change of the documents' rules can be a reason to."""

from tests.hashes.build3d import FILE, hashes, text

FILE.write_text(text(hashes()), encoding="utf-8")
print(f"{FILE.name}: {len(hashes())} scenarios")
