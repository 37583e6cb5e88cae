# SPDX-License-Identifier: Apache-2.0
"""The examples of README.md, docs/start and docs/guide that are whole programs run and
record; commands in these pages have options that exist."""

import os
import re
import subprocess

import pytest

from conftest import RANGELINE, ROOT

pytestmark = pytest.mark.slow

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs/start").glob("*.md")),
         *sorted((ROOT / "docs/guide").rglob("*.md"))]


def readme_block(language):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)
    return block


def test_the_python_program_of_the_readme_records(record):
    recording = record(readme_block("python"), interpreter=["-W", "error"])
    assert recording.errors == ""
    assert [e["message"] for e in recording.of("push")] == 3 * ["load"]


def test_the_c_program_of_the_readme_records(tmp_path):
    (tmp_path / "hello.c").write_text(readme_block("c"), encoding="utf-8")
    for command in (
            ["cc", f"-I{ROOT / 'include'}", "hello.c", "-ldl", "-o", "hello"],
            [RANGELINE, "profile", "-o", "hello", "./hello"]):
        subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([RANGELINE, "stats", "-q", "-r", "tree", "hello.rln"],
                          cwd=tmp_path, check=True, stdout=subprocess.PIPE, text=True)
    assert re.search(r" 1  load$", done.stdout, re.MULTILINE)


def commands(text):
    """(command, long options) of the lines that call rangeline, up to its program."""
    text = text.replace("\\\n", " ")
    for line in re.findall(r"^(?:\$ | {4,})?(?:build/bin/)?rangeline .*$", text, re.MULTILINE):
        words = line.split("#")[0].split("|")[0].replace("$ ", "").split()
        if len(words) < 2 or not re.fullmatch("[a-z]+", words[1]):
            continue
        options = []
        for word in words[2:]:
            if word in ("python", "python3", "mpirun", "ray", "./program", "./server",
                        "./solver"):
                break
            options += re.findall(r"^--[a-z][a-z-]*", word)
        yield words[1], options


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_options_in_commands_exist(page):
    helps = {}
    for command, options in commands(page.read_text(encoding="utf-8")):
        if command not in helps:
            helps[command] = subprocess.run(
                [RANGELINE, command, "--help"], check=True, stdout=subprocess.PIPE,
                env={**os.environ, "COLUMNS": "200"}, text=True).stdout
        for option in options:
            assert re.search(rf"{option}\b", helps[command]), f"{command} {option}"
