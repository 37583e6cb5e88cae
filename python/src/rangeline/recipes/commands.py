# SPDX-License-Identifier: Apache-2.0
"""Commands that a page suggests, of the inputs and filters that it was made of."""

import os
import shlex


class Commands:
    """Of the inputs of a side, as words of a shell; `paths` are its files, `traces` yields
    what `rangeline info` knows of them, and `filters` are options that were given."""

    def __init__(self, inputs, paths=(), traces=lambda: (), filters=""):
        self._inputs, self._paths, self._filters = inputs.strip(), paths, filters.strip()
        self._traces = traces

    def recipe(self, recipe, output, step=None):
        """Another recipe of the same inputs."""
        before, after = ([shell_word(step)], []) if step else ([], [])
        if step and step.startswith("-"):
            before, after = [], ["--", *before]
        return self._command("recipe", recipe, *before, "-o", output, self._filters, *after,
                             self._inputs)

    def of_all(self, *words):
        """A command that reads traces."""
        return self._command(*words, self._filters, self._all_traces())

    def of_one(self, kind, number, *words):
        """A command that reads the trace of a rank."""
        return self._command(*words, self._filters, self.file(kind, number))

    def file(self, kind, number):
        """The trace of a rank, as a word."""
        names = [trace["Name"] for trace in self._traces()
                 if kind == "pid" or trace["Trace" if kind == "trace" else "Rank"] == number]
        if len(names) == 1:
            paths = [path for path in self._paths if os.path.basename(path) == names[0]]
            return shell_word(paths[0] if len(paths) == 1 else names[0])
        return f"job/{'RANK' if kind == 'rank' else 'TRACE'}.rln"

    def _all_traces(self):
        """Sums are none."""
        return "'job/*.rln'" if any(path.endswith(".rlsum") for path in self._paths) else \
            self._inputs

    @staticmethod
    def _command(*words):
        return " ".join(["rangeline", *(word for word in words if word)])


def shell_word(text):
    """A name in a command that people copy: bash reads it, whatever it has."""
    if text.isprintable():
        return shlex.quote(text)
    return "$'" + "".join(
        f"\\{c}" if c in "\\'" else c if c.isprintable() else
        "".join(f"\\x{byte:02x}" for byte in c.encode("utf-8", "surrogateescape"))
        for c in text) + "'"


def analyze_step(step):
    """NAME or DOMAIN:NAME as an option of `rangeline analyze`: NAME@DOMAIN."""
    domain, colon, name = step.partition(":")
    if not colon or domain and name[:1] in (":", " "):  # as "aten::mm", of a range
        domain, name = "*", step
    name, domain = (part.replace("\\", "\\\\").replace("@", "\\@") for part in (name, domain))
    return f"--step={shell_word(f'{name}@{domain}' if domain else name)}"
