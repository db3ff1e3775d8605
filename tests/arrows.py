"""Folders include what lies below them and nothing else: `arrows.py SOURCE_FOLDER`.

A folder with a row of its own is no part of the folder that it lies in."""
import pathlib
import re
import sys

MAY_INCLUDE = {
    "core/base": "",
    "core/wire": "core/base",
    "core/data": "core/base",
    "core/model": "core/base",
    "core/model/import": "core/base core/model",
    "core/profile": "core/base core/model",
    "core/predict": "core/base core/model core/profile",
    "core/plan": "core/base core/model core/profile",
    "core/protocol": "core/base core/model core/profile core/plan",
    "core/home": "core/base core/wire",
    "core/pairing": "core/base core/wire core/home",
    "core/discovery": "core/base core/home",
    "core/run/files": "core/base core/home",
    "core/agent": "core/base core/wire core/home core/pairing core/discovery core/run/files",
    "core/install": "core/base core/wire core/home core/agent",
    "core/run": "core/base core/wire core/data core/model core/profile core/predict core/plan core/protocol core/home core/run/files",
    "core/cuda": "core/base",
    "core/train": "core/base core/cuda core/wire core/model core/profile core/plan core/protocol",
    "core/history": "core/base core/data core/model core/model/import core/protocol core/run/files core/run",
    "core/sweep": "core/base core/run/files core/run core/history",
    "core/inference": "core/base core/wire core/data core/model core/protocol core/agent core/run/files core/run core/history",
    "agent": "core/base core/model core/protocol core/wire core/home core/pairing core/discovery core/agent core/run/files core/run core/train",
    "ui/words": "core",
    "ui/base": "core ui/words",
    "ui/run": "core ui/words ui/base",
    "ui/home": "core ui/words ui/base ui/run",
    "ui/job": "core ui/words ui/base ui/run",
    "ui/plan": "core ui/words ui/base ui/run",
    "ui/train": "core ui/words ui/base ui/run ui/home",
    "ui/history": "core ui/words ui/base ui/run ui/train",
    "ui/phone": "core ui/words ui/base ui/run ui/home ui/train",
    "ui/shell": "core ui",
    "app": "core ui",
}
INCLUDE = re.compile(r'^#include "((?:agent|app|core|ui)/[^"]+)"', re.M)
# What is printed was partly written by others: core/base/terminal.h cleans it.
PRINTS = re.compile(r"\b(?:printf|fprintf|fputs?|puts|putchar|fwrite)\(|\bstd::c(?:out|err)\b")
PRINTER = "core/base/terminal.cpp"
# Sockets and tensors are nothing that a view knows.
NEVER_IN_UI = ("core/wire/", "core/train/")


def folder_of(path):
    """The row that a file belongs to, or the folder that lacks one."""
    rows = [row for row in MAY_INCLUDE if path.startswith(row + "/")]
    return max(rows, key=len) if rows else path.rpartition("/")[0]


def may_include(own, path):
    """A row names whole folders, and "core" or "ui" all that is in them."""
    allowed = [own, *MAY_INCLUDE.get(own, "").split()]
    return folder_of(path) in allowed or path.split("/")[0] in allowed


def wrong_arrows(root):
    files = [path for top in ("agent", "app", "core", "ui") for path in sorted((root / top).rglob("*.[ch]*"))
             if path.suffix in (".h", ".cpp", ".cu", ".cuh")]
    if not files:
        sys.exit(f"{root} has no sources.")
    for path in files:
        name = path.relative_to(root).as_posix()
        own = folder_of(name)
        text = path.read_text()
        if name != PRINTER and (found := PRINTS.search(text)):
            yield f"{name} prints past core/base/terminal.h: {found[0]}"
        for included in INCLUDE.findall(text):
            if not may_include(own, included) or own.startswith("ui/") and included.startswith(NEVER_IN_UI):
                yield f"{name} includes {included}"


if __name__ == "__main__":
    found = list(wrong_arrows(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "All arrows point down.")
    sys.exit(bool(found))
