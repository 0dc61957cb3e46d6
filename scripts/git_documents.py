"""The documents of the repository, for the programs that check or show all of them."""

import subprocess


def documents(root, untracked=False):
    """Paths from `root` of every document that git knows, or with `untracked` will know; third-party ones are left
    out."""
    words = ["--others", "--exclude-standard"] if untracked else []
    listed = subprocess.run(["git", "ls-files", "--cached", *words, "*.md"], cwd=root, capture_output=True, text=True,
                            check=True).stdout.split()
    return [name for name in listed if not name.startswith("third_party/") and (root / name).is_file()]
