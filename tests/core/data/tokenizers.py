#!/usr/bin/env python3
"""Tokenizers against implementations of their own, token for token: `tokenizers.py PROGRAM`, the program tokenize.

The texts are documents of Debian and lines of many scripts, with emoji, combining marks and control characters. Vocabularies
are learnt from them here; WordPiece, byte-level BPE and the likeliest pieces are written down once more in plain Python, from
their papers and with the categories of unicodedata. Exit status: 0 equal, 1 not.
"""
import base64
import collections
import glob
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import unicodedata

LINES = [
    "", " ", "Hello, world!", "don't they'll I'm we've IT'S", "naïve café Ångström ÅNGSTRÖM İstanbul ΣΊΣΥΦΟΣ", "一二三 漢字かな交じり文 한국어",
    "emoji 🙂👩‍👩‍👧‍👦🏳️‍🌈 flags 🇩🇪🇫🇷", "combining e\u0301 a\u0308\u0323 Z\u0351\u036b\u0343", "control \x00\x01\x1f\x7f\x85 \u200b\u200d\ufeff\u00ad end",
    "tabs\tand\r\nlines\n\n\nmany   spaces   ", "\u202eright to left\u202c עברית العربية", "100 3.14 ½ ² Ⅷ 1,000 ٣٤٥", "a" * 150 + " " + "b" * 100,
    "punct «quoted» —dash… ¿qué? $5 €6 `x` ^ ~ |", "\u2028line\u2029paragraph\u00a0nbsp\u3000wide", "ﬁ ﬂ Ｆｕｌｌ ㍿ ｶﾞ", "हिन्दी தமிழ் ไทย", "\ue000private \U0001f9ff \U00020000",
    "[CLS] special [SEP] <|endoftext|> tokens</s>", "x" * 3000, "𝒳𝓎𝓏 𝟘𝟙", "don’t “curly”", "ß ẞ ŉ ǰ ΐ"]


def corpus():
    texts = list(LINES)
    for path in sorted(glob.glob("/usr/share/doc/*/copyright"))[:60]:
        with open(path, encoding="utf-8", errors="ignore") as file:
            texts += file.read().split("\n\n")[:40]
    generator = random.Random(1)
    letters = [chr(code) for code in range(1, 0x30000) if unicodedata.category(chr(code)) not in ("Cs", "Cn")]
    texts += ["".join(generator.choice(letters) for _ in range(40)) for _ in range(300)]
    return [text.replace("\ufffd", "") for text in texts]


def theirs(program, path, texts):
    lines = "".join(json.dumps([text]) + "\n" for text in texts)
    done = subprocess.run([program, path], input=lines, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(name, texts, ours, found):
    wrong = [i for i, ids in enumerate(ours) if ids != found[i]]
    print(f"{name}: {len(texts)} texts, {sum(map(len, ours))} tokens, {len(wrong)} texts differ")
    for i in wrong[:5]:
        at = next((k for k, (a, b) in enumerate(zip(ours[i], found[i])) if a != b), min(len(ours[i]), len(found[i])))
        print(f"  {texts[i][:80]!a}: at {at} {ours[i][at:at + 5]}, found {found[i][at:at + 5]}")
    return not wrong


# WordPiece, as BERT's authors describe it.

def is_white(letter):
    return letter in "\t\n\r\x0b\x0c\x85 " or unicodedata.category(letter) in ("Zs", "Zl", "Zp")


def basic_words(text, lowers):
    spread = ""
    for letter in text:
        code = ord(letter)
        if code in (0, 0xfffd) or letter not in "\t\n\r" and unicodedata.category(letter) in ("Cc", "Cf", "Co", "Cs"):
            continue
        chinese = any(a <= code <= b for a, b in ((0x4e00, 0x9fff), (0x3400, 0x4dbf), (0x20000, 0x2a6df), (0x2a700, 0x2b73f), (0x2b740, 0x2b81f),
                                                  (0x2b920, 0x2ceaf), (0xf900, 0xfaff), (0x2f800, 0x2fa1f)))
        spread += " " if is_white(letter) else f" {letter} " if chinese else letter
    if lowers:
        spread = "".join(letter for letter in unicodedata.normalize("NFD", spread) if unicodedata.category(letter) != "Mn")
        spread = "".join(letter.lower() for letter in spread)
    words = [""]
    for letter in spread:
        if is_white(letter):
            words.append("")
        elif letter.isascii() and not letter.isalnum() and 33 <= ord(letter) <= 126 or unicodedata.category(letter).startswith("P"):
            words += [letter, ""]
        else:
            words[-1] += letter
    return [word for word in words if word]


def word_pieces(text, vocabulary, lowers):
    ids = []
    for word in basic_words(text, lowers):
        found, start = [], 0
        while start < len(word) <= 100:
            end = next((end for end in range(len(word), start, -1) if ("##" if start else "") + word[start:end] in vocabulary), None)
            if end is None:
                break
            found.append(vocabulary[("##" if start else "") + word[start:end]])
            start = end
        ids += found if start == len(word) else [vocabulary["[UNK]"]]
    return ids


def split_special(text, special):
    """Pieces of text, and special tokens among them."""
    pieces = [text]
    for token in special:
        pieces = [part for piece in pieces for part in ([piece] if piece in special else
                  [x for i, section in enumerate(piece.split(token)) for x in ([token] if i else []) + [section]])]
    return [piece for piece in pieces if piece]


def check_word_pieces(program, folder, texts):
    equal = True
    for lowers in (True, False):
        counts = collections.Counter(word for text in texts for word in basic_words(text, lowers))
        letters = sorted({letter for word in counts for letter in word})
        words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"] + letters[::2] + ["##" + letter for letter in letters[::3]]
        words += [word for word, _ in counts.most_common(800) if len(word) > 1]
        words += sorted({"##" + word[-3:] for word, _ in counts.most_common(500) if len(word) > 4})
        vocabulary = {word: i for i, word in enumerate(words)}
        place = os.path.join(folder, f"words-{lowers}")
        os.mkdir(place)
        with open(os.path.join(place, "vocab.txt"), "w", encoding="utf-8", newline="\n") as file:
            file.write("\n".join(words) + "\n")
        with open(os.path.join(place, "tokenizer_config.json"), "w", encoding="utf-8") as file:
            json.dump({"do_lower_case": lowers}, file)
        special = words[:5]
        ours = [[i for piece in split_special(text, special) for i in
                 ([vocabulary[piece]] if piece in special else word_pieces(piece, vocabulary, lowers))] for text in texts]
        equal &= compare(f"WordPiece{', small letters' if lowers else ''}", texts, ours, theirs(program, place, texts))
    return equal


# Byte-level BPE, as GPT-2 has it.

def kind(letter):
    category = unicodedata.category(letter)
    return "space" if is_white(letter) else "letter" if category[0] == "L" else "number" if category[0] == "N" else "other"


def gpt2_words(text):
    words, at = [], 0
    while at < len(text):
        short = next((short for short in ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d") if text.startswith(short, at)), None)
        if short:
            words.append(short)
            at += len(short)
            continue
        first = at + 1 if text[at] == " " and at + 1 < len(text) and kind(text[at + 1]) != "space" else at
        end = first
        while end < len(text) and kind(text[end]) == kind(text[first]):
            end += 1
        if kind(text[first]) == "space" and end < len(text) and end - first > 1:
            end -= 1  # the last one belongs to what follows
        words.append(text[at:end])
        at = end
    return words


def byte_letters():
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in seen]
    return {**{byte: chr(byte) for byte in seen}, **{byte: chr(256 + i) for i, byte in enumerate(hidden)}}


def apply(word, ranks):
    while len(word) > 1:
        pair = min(zip(word, word[1:]), key=lambda each: ranks.get(each, math.inf))
        if pair not in ranks:
            break
        merged, i = [], 0
        while i < len(word):
            if tuple(word[i:i + 2]) == pair:
                merged.append(word[i] + word[i + 1])
                i += 2
            else:
                merged.append(word[i])
                i += 1
        word = merged
    return word


def check_byte_pairs(program, folder, texts):
    letters = byte_letters()
    spelled = lambda word: [letters[byte] for byte in word.encode()]
    counts = collections.Counter(word for text in texts for word in gpt2_words(text) if len(word) < 100)
    words = [(spelled(word), count) for word, count in counts.most_common(1500)]
    ranks = {}
    for rank in range(300):
        pairs = collections.Counter()
        for word, count in words:
            for pair in zip(word, word[1:]):
                pairs[pair] += count
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        ranks[best] = rank
        words = [(apply(word, {best: 0}), count) for word, count in words]
    vocabulary = {letter: i for i, letter in enumerate(letters.values())}
    for a, b in ranks:
        vocabulary.setdefault(a + b, len(vocabulary))
    end = "<|endoftext|>"
    vocabulary[end] = len(vocabulary)
    found = {}
    def ids(word):
        if word not in found:
            found[word] = [vocabulary[piece] for piece in apply(spelled(word), ranks)]
        return found[word]
    ours = [[i for piece in split_special(text, [end]) for i in
             ([vocabulary[end]] if piece == end else [i for word in gpt2_words(piece) for i in ids(word)])] for text in texts]
    place = os.path.join(folder, "pairs")
    os.mkdir(place)
    merges = [f"{a} {b}" for a, b in ranks]
    with open(os.path.join(place, "tokenizer.json"), "w", encoding="utf-8") as file:
        json.dump({"version": "1.0", "added_tokens": [{"id": vocabulary[end], "content": end, "special": True, "normalized": False}],
                   "normalizer": None, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True},
                   "post_processor": {"type": "ByteLevel"}, "model": {"type": "BPE", "vocab": vocabulary, "merges": merges}}, file)
    equal = compare("byte-level BPE", texts, ours, theirs(program, place, texts))
    place = os.path.join(folder, "merges")
    os.mkdir(place)
    with open(os.path.join(place, "vocab.json"), "w", encoding="utf-8") as file:
        json.dump(vocabulary, file)
    with open(os.path.join(place, "merges.txt"), "w", encoding="utf-8", newline="\n") as file:
        file.write("#version: 0.2\n" + "\n".join(merges) + "\n")
    return compare("vocab.json and merges.txt", texts, ours, theirs(program, place, texts)) and equal


# Unigram, as SentencePiece learns it.

def fields(content):
    """Of a protocol buffer: number and value of each field."""
    at = 0
    def varint():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = content[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(content):
        key = varint()
        if key & 7 == 0:
            value = varint()
        else:
            size = 4 if key & 7 == 5 else 8 if key & 7 == 1 else varint()
            value = content[at:at + size]
            at += size
        yield key >> 3, value


def likeliest(text, pieces, unknown):
    """Viterbi; letters that no piece has are unknown, several in a row once."""
    worst = min(score for score, _ in pieces.values()) - 10
    longest = max(map(len, pieces))
    best = [(0.0, 0, None)] + [(-math.inf, 0, None)] * len(text)
    for start in range(len(text)):
        for end in range(start + 1, min(len(text), start + longest) + 1):
            score, piece = pieces.get(text[start:end], (None, None))
            if score is not None and best[start][0] + score > best[end][0]:
                best[end] = (best[start][0] + score, start, piece)
        if text[start] not in pieces and best[start][0] + worst > best[start + 1][0]:
            best[start + 1] = (best[start][0] + worst, start, unknown)
    ids, at = [], len(text)
    while at > 0:
        if not (best[at][2] == unknown and ids and ids[-1] == unknown):
            ids.append(best[at][2])
        at = best[at][1]
    return ids[::-1]


def check_unigram(program, folder, texts):
    plain = os.path.join(folder, "corpus.txt")
    with open(plain, "w", encoding="utf-8") as file:
        file.write("\n".join(" ".join(text.split()) for text in texts if text.isprintable() or "\n" in text))
    subprocess.run(["spm_train", f"--input={plain}", f"--model_prefix={folder}/pieces", "--vocab_size=1500", "--model_type=unigram",
                    "--character_coverage=0.99", "--hard_vocab_limit=false", "--minloglevel=2"], check=True, capture_output=True)
    with open(f"{folder}/pieces.model", "rb") as file:
        model = list(fields(file.read()))
    pieces, normaliser = [], {}
    for number, value in model:
        if number == 1:
            piece = dict(fields(value))
            pieces.append((piece[1].decode(), struct.unpack("<f", piece[2])[0], piece.get(3, 1)))
        if number == 3:
            normaliser = dict(fields(value))
    # What nobody doubts of normalisation: compatible forms, and one space for white space in a row.
    fine = lambda letter: letter in "\t\n" or unicodedata.category(letter) not in ("Cc", "Cf", "Co", "Mn", "Zl", "Zp") and letter != "~"
    simple = [" ".join(unicodedata.normalize("NFKC", text).split()) for text in texts
              if all(map(fine, text))]
    known = {text: (score, i) for i, (text, score, what) in enumerate(pieces) if what == 1}
    ours = [likeliest("\u2581" + text.replace(" ", "\u2581"), known, 0) if text else [] for text in simple]
    found = theirs(program, f"{folder}/pieces.model", simple)
    # The same pieces in another order are as likely, and rounding chooses: "==" "=", or "=" "==".
    spelled = lambda ids: "".join(pieces[i][0] for i in ids)
    ties = [i for i, ids in enumerate(ours) if ids != found[i] and sorted(ids) == sorted(found[i]) and spelled(ids) == spelled(found[i])]
    print(f"{len(ties)} texts have the same pieces in another order")
    for i in ties:
        ours[i] = found[i]
    equal = compare("SentencePiece model", simple, ours, found)
    place = os.path.join(folder, "unigram")
    os.mkdir(place)
    with open(os.path.join(place, "tokenizer.json"), "w", encoding="utf-8") as file:
        json.dump({"added_tokens": [{"id": i, "content": text, "special": True} for i, (text, _, what) in enumerate(pieces) if what in (2, 3)],
                   "normalizer": {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(normaliser.get(2, b"")).decode()},
                   "pre_tokenizer": {"type": "Metaspace", "replacement": "\u2581", "add_prefix_space": True}, "post_processor": None,
                   "model": {"type": "Unigram", "unk_id": 0, "vocab": [[text, score] for text, score, _ in pieces]}}, file)
    unspecial = [text for text in texts if not any(token in text for token in ("</s>", "<s>", "<unk>"))]
    return compare("tokenizer.json of the same pieces", unspecial, theirs(program, f"{folder}/pieces.model", unspecial),
                   theirs(program, place, unspecial)) and equal


def main():
    program, texts = sys.argv[1], corpus()
    with tempfile.TemporaryDirectory() as folder:
        checks = [check_word_pieces(program, folder, texts), check_byte_pairs(program, folder, texts), check_unigram(program, folder, texts)]
    return 0 if all(checks) else 1


if __name__ == "__main__":
    sys.exit(main())
