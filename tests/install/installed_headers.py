"""Installs into an empty folder and compiles docs/examples/transcode.c there
with nothing but pkg-config and the installed headers."""
import glob
import os
import re
import subprocess
import tempfile


def output(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def main():
    source = os.path.join(os.environ["VKC_SOURCE_ROOT"], "docs/examples/transcode.c")
    with tempfile.TemporaryDirectory() as folder:
        output("meson", "install", "-C", os.environ["VKC_BUILD_ROOT"], "--no-rebuild",
               "--destdir", folder)
        pc, = glob.glob(folder + "/**/gstvkcompute-1.0.pc", recursive=True)
        with open(pc) as lines:
            text = lines.read()
        prefix = re.search(r"^prefix=(.*)$", text, re.M).group(1)
        with open(pc, "w") as out:
            out.write(text.replace(f"prefix={prefix}", f"prefix={folder}{prefix}", 1))
        os.environ["PKG_CONFIG_PATH"] = os.path.dirname(pc)
        flags = output("pkg-config", "--cflags", "--libs", "gstvkcompute-1.0").split()
        libraries = output("pkg-config", "--variable=libdir", "gstvkcompute-1.0").strip()
        program = os.path.join(folder, "transcode")
        subprocess.run(["cc", "-Werror", source, "-o", program] + flags, check=True)
        said = output(program, "--help", env=dict(os.environ, LD_LIBRARY_PATH=libraries))
        assert said.startswith("usage:"), said
        plugin = glob.glob(folder + "/**/gstreamer-1.0/libgstvkcompute.so", recursive=True)
        assert len(plugin) == 1, plugin


main()
