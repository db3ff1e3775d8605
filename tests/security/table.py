"""The attacks of the tests, their tries, and how many got in: `table.py LOG`, where the tests have written it."""
import pathlib
import sys

log = pathlib.Path(sys.argv[1])
rows = [line.split("\t") for line in log.read_text().splitlines()] if log.exists() else []
if rows:
    sums = {}
    for attack, tries, got_in in rows:
        before = sums.get(attack, (0, 0))
        sums[attack] = (before[0] + int(tries), before[1] + int(got_in))
    width = max(len(attack) for attack in sums)
    print(f"\n{'attack'.ljust(width)}  {'tries':>6}  {'got in':>6}")
    for attack, (tries, got_in) in sums.items():
        print(f"{attack.ljust(width)}  {tries:6}  {got_in:6}")
    tries, got_in = map(sum, zip(*sums.values()))
    print(f"{'all'.ljust(width)}  {tries:6}  {got_in:6}")
