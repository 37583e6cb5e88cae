# SPDX-License-Identifier: Apache-2.0
"""The examples of README.md, docs/index.md, docs/start and docs/guide that are whole programs
run and record; commands in these pages have options that exist. What docs/index.md shows is
what its commands print."""

import os
import re
import subprocess
import sys

import pytest

from conftest import RANGELINE, ROOT

pytestmark = pytest.mark.slow

INDEX = (ROOT / "docs/index.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "docs/index.md", *sorted((ROOT / "docs/start").glob("*.md")),
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


def blocks(section, language=""):
    text = re.search(rf"^## {section}\n(.*?)^## ", INDEX, re.DOTALL | re.MULTILINE)[1]
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [block for of_language, block in found if of_language == language]


def printed(session, folder):
    """The commands of a session and what they print in a terminal, likewise as a session."""
    (folder / "bin").mkdir(exist_ok=True)
    for name, path in ("python3", sys.executable), ("rangeline", RANGELINE):
        if not (folder / "bin" / name).exists():
            (folder / "bin" / name).symlink_to(path)
    env = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "COLUMNS": "88",
           "NO_COLOR": "1", "PAGER": "cat", "TERM": "xterm", "LC_ALL": "C.UTF-8"}
    lines = []
    for command in re.findall(r"^\$ (.*)$", session, re.MULTILINE):
        done = subprocess.run(
            [sys.executable, ROOT / "tests/cli/in_terminal.py", "--", "bash", "-c", command],
            cwd=folder, env=env, stdout=subprocess.PIPE, check=True, encoding="utf-8")
        output, _, status = done.stdout.rpartition("exit ")
        assert status == "0\n", done.stdout
        lines += [f"$ {command}", *output.rstrip().splitlines()]
    return "\n".join(lines) + "\n"


def without_times(session):
    """What is left of tables whose times, and widths of columns, differ from run to run."""
    session = re.sub(r"\d[\d.]* (ns|us|ms|s|KiB)\b", "N", session)
    return re.sub(r" +", " ", re.sub(r"-{3,}", "---", re.sub(r"\b\d+\.\d\b", "N", session)))


def test_the_starts_of_the_first_page_print_what_it_shows(tmp_path):
    (c_program,), programs = blocks("Start", "c"), blocks("Start", "python")
    for name, text in zip(("hello.c", "program.py", "plain.py"), (c_program, *programs)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    sessions = blocks("Start")
    assert len(sessions) == 3
    for session in sessions:
        assert without_times(printed(session, tmp_path)) == without_times(session)


def test_the_answers_of_the_first_page_are_what_commands_print(tmp_path):
    subprocess.run([sys.executable, ROOT / "tools/scenes/first_page.py", tmp_path], check=True,
                   env={**os.environ, "RANGELINE_BUILD": str(RANGELINE.parents[1])})
    sessions = blocks("Questions")
    assert len(sessions) == 6
    for session in sessions:
        assert printed(session, tmp_path) == session


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
