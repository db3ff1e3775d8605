"""What a person is told of an error or an event is a sentence of the catalogue: `sentences.py SOURCE_FOLDER`.

Text that is put together from literals would stay English in every window."""
import pathlib
import re
import sys

LITERAL = r'(?:"(?:[^"\\]|\\.)*"\s*)+'
# What takes texts for people, and how many of its first arguments are none: codes, places in a document, ids.
TAKES = [
    (re.compile(r'[({]\s*(?=QStringLiteral\("[a-z]+\.[a-z0-9.-]+"\),)'), 1),  # fail(), Error{} and what makes them
    (re.compile(r"\.reject(?:At)?\("), 1),
    (re.compile(r"\bevent::Warning\{"), 0),
    (re.compile(r"\bevent::Lost\{"), 2),
    (re.compile(r"(?:\.|->)(?:what|cause|advice|why|lastError|alarm) = "), 0),
]
PLAIN = re.compile(rf"\b(?:QStringLiteral|QLatin1String|QString::fromLatin1)\(\s*({LITERAL})\)")
WORDS = re.compile(r"[A-Za-z]{2,}[^\"]* |[A-Z][a-z]+\.")


def arguments(text, start):
    """Those of the call or the braces that begin before `start`; of an assignment the one to its end."""
    depth, begin, found = 0, start, []
    at = start
    while at < len(text):
        char = text[at]
        if char == '"':
            at = re.compile(r'"(?:[^"\\]|\\.)*"').match(text, at).end()
            continue
        if char == "'" and (quoted := re.compile(r"'(?:[^'\\]|\\.)'").match(text, at)):
            at = quoted.end()
            continue
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        if depth < 0 or char == ";" and depth == 0:
            break
        if char == "," and depth == 0:
            found.append(text[begin:at])
            begin = at + 1
        at += 1
    return found + [text[begin:at]]


def put_together(root):
    files = [path for top in ("agent", "app", "core") for path in sorted((root / top).rglob("*.[ch]*"))]
    if not files:
        sys.exit(f"{root} has no sources.")
    calls = 0
    for path in files:
        text = path.read_text()
        for takes, skipped in TAKES:
            for call in takes.finditer(text):
                calls += 1
                for argument in arguments(text, call.end())[skipped:]:
                    for plain in PLAIN.finditer(argument):
                        if WORDS.search(plain[1]):
                            line = text.count("\n", 0, call.start()) + 1
                            yield f"{path.relative_to(root)}:{line}: {plain[1]} is no sentence(…)."
    if calls < 600:
        yield f"Only {calls} errors were found: this test no longer knows how they are made."


if __name__ == "__main__":
    found = list(put_together(pathlib.Path(sys.argv[1])))
    print("\n".join(found) or "All that is told is a sentence.")
    sys.exit(bool(found))
