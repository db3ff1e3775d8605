"""What must hold of a disturbed run: each round counted once, from the same samples, with the same weights in the end."""
from .tensors import largest_difference

WEIGHTS = 1e-10  # relative L2 distance per tensor
LOSSES = 1e-9  # relative; a loss sees the weights of the round before


def order_faults(events, rounds=None):
    """Sentences about rounds lost, applied twice or out of order; `rounds`: how many there are when all is done."""
    wrong = []
    term, last, highest = 0, 0, 0
    first_of_term = {event["term"]: event["round"] for event in events if event["event"] == "plan"}
    for event in (event for event in events if event["event"] == "round"):
        number = event["round"]
        if event["version"] != number:
            wrong.append(f"round {number} has version {event['version']}")
        if event["term"] < term:
            wrong.append(f"round {number} is of term {event['term']} after term {term}")
        elif event["term"] == term and number != last + 1:
            wrong.append(f"round {number} follows round {last} in term {term}")
        elif event["term"] > term and number > highest + 1:
            wrong.append(f"term {event['term']} begins with round {number} after round {highest}")
        elif event["term"] > term and first_of_term.get(event["term"], number) != number:
            wrong.append(f"term {event['term']} begins with round {number}, announced for "
                         f"{first_of_term[event['term']]}")
        term, last, highest = event["term"], number, max(highest, number)
    if rounds is not None and (highest != rounds or last != rounds):
        wrong.append(f"the last round is {last} of {rounds}")
    return wrong


def sequence_faults(events):
    numbers = [event["seq"] for event in events]
    return [] if numbers == list(range(1, len(numbers) + 1)) else [f"the events' numbers have gaps: {numbers[-1]} is the "
                                                                   f"last of {len(numbers)}"]


def counting(events):
    """Of rounds that were repeated the last time alone."""
    return list({event["round"]: event for event in events if event["event"] == "round"}.values())


def loss_faults(events, expected):
    """Also of rounds that were repeated: they see the same samples and the same weights."""
    wrong = []
    for event in (event for event in events if event["event"] == "round"):
        should = expected[event["round"]]
        if event["loss"] is None or not abs(event["loss"] - should) <= LOSSES * abs(should):
            wrong.append(f"round {event['round']} of term {event['term']} has the loss {event['loss']!r} and not "
                         f"{should!r}")
    return wrong[:3]


def weight_faults(tensors, expected):
    distance, name = largest_difference(tensors, expected)
    return [f"{name} differs by {distance:.3g}"] if not distance <= WEIGHTS else []


def end_faults(follower, rounds):
    wrong = [f"error: {event['what']} {event['cause']}" for event in follower.of("error")]
    if follower.process.returncode != 0:
        wrong.append(f"hearth train ended with status {follower.process.returncode}")
    if [event["rounds"] for event in follower.of("finished")] != [rounds]:
        wrong.append("it did not finish")
    return wrong
