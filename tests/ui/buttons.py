"""Each button and each entry of a menu is pressed by a test of the window: `buttons.py SOURCE_FOLDER`."""
import pathlib
import re
import sys

# What makes them, and the name that a test finds them by. Names that end in "-" go on with that of a device.
MADE = re.compile(r'\b(?:make(?:Rail)?Button|makePrimary|addNamed|addButton|addCommand)\(\s*(?:[\w*>.()-]+, )?'
                  r'(?:QStringLiteral\()?"([\w-]+)"')


def main(root):
    source = pathlib.Path(root)
    tests = "".join(path.read_text() for folder in ("ui", "app") for path in (source / "tests" / folder).glob("*.*"))
    made = {(name, path.relative_to(source)) for path in sorted((source / "ui").glob("*/*.cpp"))
            for name in MADE.findall(path.read_text())}
    if len(made) < 50:
        print(f"Only {len(made)} buttons were found: this test no longer knows how they are made.")
        return 1
    missing = sorted((str(path), name) for name, path in made
                     if (f'"{name}' if name.endswith("-") else f'"{name}"') not in tests)
    for path, name in missing:
        print(f"{path}: no test presses {name}.")
    return 1 if missing else 0


sys.exit(main(sys.argv[1]))
