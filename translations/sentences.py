#!/usr/bin/env python3
"""sentences.py OUT ROOT: writes the texts of all sentence("…") below ROOT as C++ that lupdate reads.

lupdate knows no function that takes a text without its context; theirs is always CoreWords.
"""
import pathlib
import re
import sys

CALL = re.compile(r'\bsentence\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)')
FOLDERS = ("core", "agent", "app")


def sources(root):
    """The literals as they stand in the sources, each once, in the order of the files."""
    found = {}
    for folder in FOLDERS:
        for path in sorted(pathlib.Path(root, folder).rglob("*")):
            if path.suffix in (".cpp", ".h"):
                for call in CALL.finditer(path.read_text(encoding="utf-8")):
                    found.setdefault("".join(re.findall(r'"((?:[^"\\]|\\.)*)"', call.group(1))))
    return list(found)


def main(out, root):
    lines = [f'    QT_TRANSLATE_NOOP("CoreWords", "{text}"),' for text in sources(root)]
    pathlib.Path(out).write_text("const char *const sentences[] = {\n" + "\n".join(lines) + "\n};\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
