# SPDX-License-Identifier: Apache-2.0
"""The recipes for Spack and conda fit the tree that they build."""
import hashlib
import os
import re
import subprocess
import tarfile

import pytest
from conftest import ROOT

pytestmark = pytest.mark.once
RECIPES = ["spack/package.py", "conda/recipe.yaml", "conda/conda_build_config.yaml"]


@pytest.fixture(scope="module")
def recipes(tmp_path_factory):
    """{file: text} of what packaging/recipes.sh makes for a tarball."""
    place = tmp_path_factory.mktemp("recipes")
    tarball = place / "rangeline-12.3.4.tar.xz"
    tarball.write_bytes(b"a tarball")
    env = {**os.environ, "RANGELINE_RELEASE_OUTPUT": str(place),
           "RANGELINE_RELEASE_URL": "file:///releases"}
    run = subprocess.run([ROOT / "packaging" / "recipes.sh", tarball], env=env, text=True,
                         capture_output=True, check=False)
    assert run.returncode == 0, run.stderr
    with tarfile.open(run.stdout.strip()) as archive:
        return {m.name: archive.extractfile(m).read().decode()
                for m in archive if m.isfile()}


def test_the_tarball_is_filled_in(recipes):
    assert sorted(recipes) == sorted(RECIPES)
    checksum = hashlib.sha256(b"a tarball").hexdigest()
    package, recipe = recipes["spack/package.py"], recipes["conda/recipe.yaml"]
    assert f'version("12.3.4", sha256="{checksum}")' in package
    assert 'url = "file:///releases/rangeline-12.3.4.tar.xz"' in package
    assert 'version: "12.3.4"' in recipe and f'sha256: "{checksum}"' in recipe
    assert 'url: "file:///releases/rangeline-${{ version }}.tar.xz"' in recipe
    compile(package, "package.py", "exec")


@pytest.mark.parametrize("name", RECIPES[:2])
def test_the_build_has_the_options(recipes, name):
    build = "".join(path.read_text(encoding="utf-8") for path in
                    [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")])
    text = recipes[name]
    libraries = set(re.findall(r"CMAKE_DISABLE_FIND_PACKAGE_(\w+)", text))
    options = set(re.findall(r"RLN_\w+", text))
    assert options >= {"RLN_EXAMPLES", "RLN_INSTALL", "RLN_TESTS"} and libraries
    for option in options:
        assert f"option({option} " in build, option
    for library in libraries:
        assert f"rln_find_library({library} " in build, library
