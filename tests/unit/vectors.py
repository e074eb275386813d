#!/usr/bin/env python3
"""The colour vectors as a C table: vectors.py vectors.json OUT.h"""
import json
import sys


def flatten(value):
    if isinstance(value, dict):
        return [n for part in value.values() for n in flatten(part)]
    if isinstance(value, list):
        return [n for part in value for n in flatten(part)]
    return [value]


def literal(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value)


def row(vector):
    inputs = flatten(vector["input"])
    fields = [f'.id = "{vector["id"]}"', f'.kind = "{vector["kind"]}"']
    if isinstance(inputs[0], str):
        fields.append(f'.from = "{inputs[0]}", .to = "{inputs[1]}"')
    else:
        fields.append(".input = { %s }" % ", ".join(map(repr, inputs)))
    expected = flatten(vector["expected"])
    fields.append(".expected = { %s }" % ", ".join(map(repr, expected)))
    fields.append(f".n_expected = {len(expected)}")
    for key, value in vector.items():
        if key not in ("id", "kind", "input", "expected", "note"):
            fields.append(f".{key} = {literal(value)}")
    return "  { %s }," % ", ".join(fields)


vectors = json.load(open(sys.argv[1]))["vectors"]
with open(sys.argv[2], "w") as out:
    print("/* Made by vectors.py. */", file=out)
    print("static const struct vector vectors[] = {", file=out)
    for v in vectors:
        print(row(v), file=out)
    print("};", file=out)
