"""Count the Python files that a command goes through: those of which a function is called, imports aside.

    python scripts/files_of_a_command.py tkae.commands.run experiment=classification model=tkae ...

Compiled functions are not seen from here, so modules of compiled code count if they are imported.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from importlib import import_module
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType
from typing import Any

COMPILED = ("engine", "kernels", "compiled")  # the folders that have compiled functions


class Visited:
    """The files of a package in the order in which they are entered."""

    def __init__(self, package: Path) -> None:
        self.package, self.files = package, dict[Path, None]()
        self.here = threading.local()  # how many imports are under way in this thread

    def look(self, frame: FrameType, event: str, _: Any) -> None:
        """Called by Python at every call and return."""
        if event not in ("call", "return"):
            return
        code = frame.f_code
        if code.co_name == "<module>":
            self.here.imports = getattr(self.here, "imports", 0) + (1 if event == "call" else -1)
        elif event == "call" and not getattr(self.here, "imports", 0) and code.co_flags & CO_OPTIMIZED:
            path = Path(code.co_filename)  # of a function: the body of a class is not optimised
            if path.is_relative_to(self.package):
                self.files[path.relative_to(self.package)] = None


def main(module: str, *words: str) -> None:
    """Run the command here, and print the files, then how many there are in each folder."""
    entry = import_module(module).main
    package = Path(import_module("tkae").__file__ or "").parent
    visited = Visited(package)
    threading.setprofile(visited.look)
    sys.setprofile(visited.look)
    code = entry(list(words))
    sys.setprofile(None)
    loaded = [Path(*name.split(".")[1:]).with_suffix(".py") for name in sys.modules if name[:5] == "tkae."]
    inner = [path for path in loaded if path.parts[0] in COMPILED and len(path.parts) > 1]
    compiled = {path for path in inner if "@jit" in (package / path).read_text(encoding="utf-8")}
    files = [*visited.files, *sorted(compiled - visited.files.keys())]
    folders = Counter(path.parts[0] if len(path.parts) > 1 else "small modules" for path in files)
    print("\n".join(map(str, files)))
    print(", ".join(f"{folder} {count}" for folder, count in folders.items()))
    print(f"exit code {code}; {len(files)} of {len([*package.rglob('*.py')])} files")


if __name__ == "__main__":
    main(*sys.argv[1:])
