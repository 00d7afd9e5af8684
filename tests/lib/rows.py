#!/usr/bin/env python3
"""rows.py FILE [NAME...]: prints the names of the rows in a file, or the texts of these rows.
rows.py -x DIR FILE...: writes each row into a file of DIR.
rows.py -a FILE OTHER...: adds other files as rows, by their names without .row, .case or .txt.

A row follows a line "=== NAME", up to the next such line. Rows are sorted by name.
"""
import re
import sys
from pathlib import Path

HEAD = re.compile(r"^=== ([\w.-]+)\n", re.M)


class RowsError(Exception):
    pass


def read(path):
    """The texts of the rows by name."""
    before, *parts = HEAD.split(Path(path).read_text(encoding="utf-8"))
    names, rows = parts[::2], dict(zip(parts[::2], parts[1::2]))
    if before:
        raise RowsError(f"{path}: it must begin with a line '=== NAME'")
    for name, following in zip(names, names[1:]):
        if name >= following:
            raise RowsError(f"{path}: {following} must stand before {name}, and once")
    return rows


def read_all(directory, pattern="*.rows"):
    """Yields file, name and text of each row below a directory. Refuses files *.row."""
    for path in sorted(Path(directory).glob(pattern)):
        for name, text in read(path).items():
            yield path, name, text
    for path in Path(directory).rglob("*.row"):
        raise RowsError(
            f"{path}: rows stand in files: {Path(__file__).name} -a FILE.rows {path}, then remove "
            f"it"
        )


def write(path, rows):
    text = "".join(f"=== {name}\n{rows[name]}" for name in sorted(rows))
    Path(path).write_text(text, encoding="utf-8")
    if read(path) != rows:
        raise RowsError(
            f"{path}: a row does not end with a newline, or has a line '=== NAME' in it")


def extract(directory, *paths):
    for path in paths:
        for name, text in read(path).items():
            (Path(directory) / name).write_text(text, encoding="utf-8")


def add(path, *others):
    rows = read(path) if Path(path).exists() else {}
    for other in map(Path, others):
        name = re.sub(r"\.(row|case|txt)$", "", other.name)
        if name in rows:
            raise RowsError(f"{path} has a row {name}")
        rows[name] = other.read_text(encoding="utf-8")
    write(path, rows)


def show(path, *names):
    rows = read(path)
    if set(names) - rows.keys():
        raise RowsError(f"{path}: there is no row {' '.join(set(names) - rows.keys())}")
    print("".join(rows[name] for name in names) if names else "\n".join(rows),
          end="" if names else "\n")


if __name__ == "__main__":
    words = sys.argv[1:]
    if not words or words[0] in ("-h", "--help") or words[0] in ("-x", "-a") and len(words) < 3:
        sys.exit(__doc__)
    try:
        {"-x": extract, "-a": add}.get(words[0], show)(*words[words[0] in ("-x", "-a"):])
    except (RowsError, OSError) as error:
        sys.exit(f"rows.py: {error}")
