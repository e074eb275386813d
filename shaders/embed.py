#!/usr/bin/env python3
"""SPIR-V modules to C: one array a module, and a table of them.

embed.py OUT.c NAME A.spv B.spv ... -> const struct embedded_code NAME[]
"""
import pathlib
import struct
import sys

MAGIC = 0x07230203


def words(path):
    data = pathlib.Path(path).read_bytes()
    if len(data) % 4 or struct.unpack_from("<I", data)[0] != MAGIC:
        sys.exit(f"{path}: no SPIR-V module")
    return struct.unpack(f"<{len(data) // 4}I", data)


def main(out, name, *modules):
    lines = [f"/* Made by embed.py from {name}'s modules. */",
             '#include "shaders/embedded.h"']
    for i, path in enumerate(modules):
        code = words(path)
        lines.append(f"static const uint32_t module_{i}[] = {{")
        for k in range(0, len(code), 8):
            lines.append(",".join(f"0x{w:x}" for w in code[k:k + 8]) + ",")
        lines.append("};")
    lines.append(f"const struct embedded_code {name}[] = {{")
    lines += [f"{{ module_{i}, sizeof module_{i} }}," for i in range(len(modules))]
    lines.append("};")
    pathlib.Path(out).write_text("\n".join(lines) + "\n")


main(*sys.argv[1:])
