"""Each button and each entry of a menu is pressed by a test of the window: `buttons.py SOURCE_FOLDER`.

A name that a test only looks at does not count: it stands where something is clicked or triggered, or in a variable, a
list or a row of data whose value is."""
import pathlib
import re
import sys

# What makes them, and the name that a test finds them by. Names that end in "-" go on with that of a device.
MADE = re.compile(r'\b(?:make(?:Rail)?Button|makePrimary|addNamed|addButton|addCommand)\(\s*(?:[\w*>.()-]+, )?'
                  r'(?:QStringLiteral\()?"([\w-]+)"')
NAME = re.compile(r'"([\w-]+)"')
# The helpers of the fixtures that press what they are given the name of.
HELPER = r"(?<![\w.>:])(?:click|choose|trigger|press|goTo)"
BY_MOUSE_OR_KEY = r"QTest::(?:mouseClick|mousePress|keyClick|keyPress|touchEvent)"
PRESSES = re.compile(rf"(?:{HELPER}|{BY_MOUSE_OR_KEY})\(")
CHAINED = re.compile(r"->(?:click|animateClick|trigger|toggle)\(")
VARIABLE = re.compile(r"\bauto \*(\w+) =([^;]*);")
LOOP = re.compile(r"\bfor \(const [\w:]+ [&*]?(\w+) : \{([^}]*)\}\)")
FETCHED = re.compile(r"\bQFETCH\([^,]+, (\w+)\)")
FUNCTION = re.compile(r"^    (?:static )?(?:virtual )?void (\w+)\([^;{]*\)[^;{]*\{$(.*?)^    \}$", re.M | re.S)


def inside(text, start):
    """What stands in the parentheses or braces that begin before `start`."""
    depth = 1
    for at in range(start, len(text)):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start:at]
    return text[start:]


def is_pressed(word, text):
    """Whether what the variable holds, or is the name of, is clicked or triggered."""
    pointer = rf"\b{word}->(?:click|animateClick|trigger|toggle)\("
    by_name = rf"\((?:QString::fromLatin1\()?{word}(?:\.\w+\(\))?\)+->(?:click|animateClick|trigger|toggle)\("
    if re.search(pointer, text) or re.search(by_name, text):
        return True
    return any(re.search(rf"\b{word}\b", inside(text, press.end())) for press in PRESSES.finditer(text))


def pressed_in(text):
    for press in PRESSES.finditer(text):
        yield from NAME.findall(inside(text, press.end()))
    for chained in CHAINED.finditer(text):
        begin = max(text.rfind(";", 0, chained.start()), text.rfind("{", 0, chained.start())) + 1
        yield from NAME.findall(text[begin:chained.start()])[-1:]
    functions = {name: body for name, body in FUNCTION.findall(text)}
    for name, body in functions.items():
        for variable, value in VARIABLE.findall(body):
            if is_pressed(variable, body):
                yield from NAME.findall(value)[-1:]
        for loop in LOOP.finditer(body):
            rest = body[loop.end():]
            block = inside(rest, rest.index("{") + 1) if rest.lstrip().startswith("{") else rest.split(";")[0] + ";"
            if is_pressed(loop[1], block):
                yield from NAME.findall(loop[2])
        if any(is_pressed(word, body) for word in FETCHED.findall(body)):
            yield from NAME.findall(functions.get(name + "_data", ""))


def main(root):
    source = pathlib.Path(root)
    made = {(name, path.relative_to(source)) for path in sorted((source / "ui").glob("*/*.cpp"))
            for name in MADE.findall(path.read_text())}
    if len(made) < 50:
        print(f"Only {len(made)} buttons were found: this test no longer knows how they are made.")
        return 1
    pressed = {name for folder in ("ui", "app") for path in (source / "tests" / folder).glob("*.*")
               if path.suffix in (".cpp", ".h") for name in pressed_in(path.read_text())}
    missing = sorted((str(path), name) for name, path in made
                     if not (any(each.startswith(name) for each in pressed) if name.endswith("-") else name in pressed))
    for path, name in missing:
        print(f"{path}: no test presses {name}.")
    return 1 if missing else 0


sys.exit(main(sys.argv[1]))
