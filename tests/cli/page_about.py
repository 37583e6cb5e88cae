# SPDX-License-Identifier: Apache-2.0
"""page_about.py PAGE - what the page's reader, as a program, says of each trace in it."""
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "viewer"))
import page_blocks  # pylint: disable=wrong-import-position

asked = pathlib.Path("asked")
asked.mkdir(exist_ok=True)
for kind, title, digits in page_blocks.BLOCK.findall(pathlib.Path(sys.argv[1]).read_text("utf-8")):
    name = "page.index" if kind == "index" else title
    (asked / name).write_bytes(page_blocks.unpacked(digits))
    subprocess.run([os.environ["BIN"] + "/ask_natively", name], input=b"0/about\n", cwd=asked, check=True)
