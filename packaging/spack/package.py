# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.python import PythonExtension, PythonPipBuilder

from spack.package import *


class Rangeline(CMakePackage, PythonExtension):
    """Records the NVTX annotations of programs, with or without an NVIDIA GPU, and shows
    where their time goes: as tables, in a browser, or in the formats of other tools."""

    homepage = "https://rangeline.invalid"
    url = "@URL@/rangeline-@VERSION@.tar.xz"

    license("Apache-2.0 AND Apache-2.0 WITH LLVM-exception")

    version("@VERSION@", sha256="@SHA256@")

    variant("python", default=True, description="Install the Python packages")
    variant("view", default=True, description="Serve the viewer, instead of a page in a file")
    variant("otf2", default=False, description="Export to OTF2")

    depends_on("c", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("sqlite@3:")
    depends_on("zlib-api")
    depends_on("zstd@1.4: libs=shared")
    depends_on("libmicrohttpd@0.9.71:", when="+view")
    depends_on("otf2@2.3:", when="+otf2")

    with when("+python"):
        extends("python@3.9:")
        depends_on("py-pip", type="build")
        depends_on("py-scikit-build-core@0.10:", type="build")

    requires("platform=linux", msg="Rangeline records on Linux only")
    requires(
        "target=x86_64:",
        "target=aarch64:",
        policy="any_of",
        msg="Rangeline runs on x86-64 and aarch64",
    )

    import_modules = ("rangeline", "rangeline.nvtx")

    def cmake_args(self):
        return [
            self.define("RLN_EXAMPLES", False),
            self.define("RLN_TESTS", self.run_tests),
            # What is merely on the machine is not used.
            self.define("CMAKE_DISABLE_FIND_PACKAGE_MICROHTTPD", self.spec.satisfies("~view")),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_OTF2", self.spec.satisfies("~otf2")),
        ]

    @run_after("install", when="+python")
    def install_python(self):
        """The packages, which find the command beside them."""
        pip(
            *PythonPipBuilder.std_args(self),
            f"--prefix={self.prefix}",
            "--config-settings=cmake.define.RLN_INSTALL=OFF",
            "--config-settings=build.targets=rangeline-native",
            self.stage.source_path,
        )

    def test_imports(self):
        """the Python packages are imported"""
        if self.spec.satisfies("~python"):
            raise SkipTest("Package must be installed with +python")
        super().test_imports()

    def test_version(self):
        """the command starts"""
        rangeline = which(self.prefix.bin.rangeline, required=True)
        assert str(self.spec.version) in rangeline("--version", output=str)

    def test_profile(self):
        """a Python program is recorded and summed"""
        if self.spec.satisfies("~python"):
            raise SkipTest("Package must be installed with +python")
        rangeline = which(self.prefix.bin.rangeline, required=True)
        with open("program.py", "w") as file:
            file.write(
                "from rangeline import nvtx\n"
                "for _ in range(3):\n"
                "    with nvtx.annotate('step'):\n"
                "        pass\n"
            )
        rangeline("profile", "-f", "true", "-o", "run.rln", python.path, "program.py")
        assert "step" in rangeline("stats", "run.rln", output=str)
