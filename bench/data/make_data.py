#!/usr/bin/env python3
"""Remakes the tensors of this folder from what Debian packages carry (README.md says which); needs Python 3.8 alone.

    python3 make_data.py [--licences DIR] [--picture FILE.png] [-o OUTDIR]

A source that is not given is skipped. Every run over the same sources writes the same bytes.
"""

import argparse
import array
import collections
import math
import pathlib
import re
import struct
import sys
import zlib

TEXTS = ["Apache-2.0", "Artistic", "BSD", "CC0-1.0", "GFDL-1.2", "GFDL-1.3", "GPL-1", "GPL-2", "GPL-3", "LGPL-2",
         "LGPL-2.1", "LGPL-3", "MPL-1.1", "MPL-2.0"]
CONTEXTS = ["the", "of", "this", "license", "you", "any", "work", "software", "to", "a", "covered", "source"]


def write_npy(path, descr, shape, data):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }" % (descr, "".join("%d, " % d for d in shape))
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def little_endian(code, values):
    result = array.array(code, values)
    if sys.byteorder == "big":
        result.byteswap()
    return result.tobytes()


def licences(folder, out):
    texts = [re.findall("[a-z]+", (folder / name).read_text(encoding="utf-8", errors="replace").lower())
             for name in TEXTS]
    words = sorted(set(w for text in texts for w in text))
    (out / "words.txt").write_text("".join(w + "\n" for w in words))

    counts = [collections.Counter(text) for text in texts]
    write_npy(out / "word-counts.i32.npy", "<i4", (len(texts), len(words)),
              little_endian("i", [c[w] for c in counts for w in words]))

    # A bigram model's log-probabilities of the next word, add-one smoothed: what a sampler takes the top k of.
    pairs = collections.Counter(p for text in texts for p in zip(text, text[1:]))
    logits = []
    for context in CONTEXTS:
        total = sum(n for (first, _), n in pairs.items() if first == context) + len(words)
        logits += [math.log((pairs[context, w] + 1) / total) for w in words]
    write_npy(out / "next-word-logits.f32.npy", "<f4", (len(CONTEXTS), len(words)), little_endian("f", logits))


def read_png(path):
    """Width, height and the RGB bytes of an 8-bit, not interlaced, true-colour PNG."""
    data, position, packed = path.read_bytes(), 8, b""
    while position < len(data):
        length, kind = struct.unpack(">I4s", data[position:position + 8])
        body = data[position + 8:position + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            if (depth, colour, interlace) != (8, 2, 0):
                sys.exit("%s: only 8-bit RGB without interlace is read" % path)
        elif kind == b"IDAT":
            packed += body
        position += 12 + length
    raw, stride, pixels = zlib.decompress(packed), 3 * width, bytearray()
    above = bytearray(stride)
    for y in range(height):
        method = raw[y * (stride + 1)]
        row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left, up, corner = (row[i - 3], above[i], above[i - 3]) if i >= 3 else (0, above[i], 0)
            nearest = min((abs(up - corner), 0, left), (abs(left - corner), 1, up),
                          (abs(left + up - 2 * corner), 2, corner))[2]
            row[i] = (row[i] + (0, left, up, (left + up) // 2, nearest)[method]) & 255
        pixels += row
        above = row
    return width, height, pixels


def picture(path, out):
    """Halves the picture in both directions: each pixel the rounded mean of four."""
    width, height, pixels = read_png(path)
    at = lambda y, x, c: pixels[(y * width + x) * 3 + c]
    halved = bytes((at(y, x, c) + at(y, x + 1, c) + at(y + 1, x, c) + at(y + 1, x + 1, c) + 2) // 4
                   for y in range(0, height - 1, 2) for x in range(0, width - 1, 2) for c in range(3))
    write_npy(out / "astronaut.u8.npy", "|u1", (1, height // 2, width // 2, 3), halved)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--licences", type=pathlib.Path)
    parser.add_argument("--picture", type=pathlib.Path)
    parser.add_argument("-o", dest="out", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent)
    arguments = parser.parse_args()
    if arguments.licences:
        licences(arguments.licences, arguments.out)
    if arguments.picture:
        picture(arguments.picture, arguments.out)


if __name__ == "__main__":
    main()
