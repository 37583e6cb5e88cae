#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the names that one copy of nvtx3.hpp has and another one lacks.

    cpp_interface.py CLANG++ STANDARD OFFERS LACKS      (include folders)

Compares public functions with their types, classes, members, aliases and macros, as
clang parses them; of namespace detail only names that libraries use. cpp_api.cpp checks
defaulted and deleted special members.
"""
import json
import re
import subprocess
import sys

FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl",
             "CXXConversionDecl"}

USED_OF_DETAIL = ("optional_scoped_range_in",)

DIFFERENT_ON_PURPOSE = {
    # It starts a range, which no constant expression can do, so constexpr has no
    # effect.
    "nvtx3::v1::unique_range_in::unique_range_in<D>: void () noexcept, constexpr",
    # A schema cannot be copied; here it is borrowed.
    "nvtx3::v1::payload_data::payload_data: void (const T &, nvtx3::schema)",
    # It takes commas without parentheses, too.
    "macro NVTX3_V1_SEMANTIC(expr)",
    # Only used by another macro.
    "macro NVTX3_V1_NO_DISCARD"}

# Names of template parameters do not matter.
PARAMETERS = {"OtherDataType": "Other", "CounterContainer": "Values",
              "TimestampContainer": "Times"}


def clang(compiler, standard, include, *arguments):
    command = [compiler, "-std=" + standard, "-w", "-I" + include, "-x", "c++",
               *arguments, "-"]
    return subprocess.run(command, input="#include <nvtx3/nvtx3.hpp>\n", check=True,
                          stdout=subprocess.PIPE, universal_newlines=True).stdout


def json_values(text):
    """The JSON objects in `text`, which follow one another."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        value, end = decoder.raw_decode(text, at)
        yield value
        at = text.find("{", end)


def function(node, prefix):
    line = prefix + node["name"] + ": " + node["type"]["qualType"]
    for theirs, ours in PARAMETERS.items():
        line = re.sub(rf"\b{theirs}\b", ours, line)
    if node.get("storageClass"):
        line += ", " + node["storageClass"]
    return line + ", constexpr" * bool(node.get("constexpr"))


def offered(nodes, prefix, is_public):
    """A line for each item in the declarations `nodes` of a namespace or class."""
    for node in nodes:
        kind, name = node["kind"], node.get("name")
        if kind == "AccessSpecDecl":
            is_public = node["access"] == "public"
        elif not is_public or node.get("isImplicit") or "explicitlyDefaulted" in node \
                or "explicitlyDeleted" in node:
            continue
        elif kind == "NamespaceDecl" and name.startswith("mv"):
            # From 1.2 on, NVIDIA's keep minor versions apart in symbol names.
            yield from offered(node.get("inner", []), prefix, True)
        elif kind == "NamespaceDecl":
            inner = node.get("inner", [])
            if name == "detail":
                inner = [n for n in inner if n.get("name") in USED_OF_DETAIL]
            yield "inline " * bool(node.get("isInline")) + "namespace " + prefix + name
            yield from offered(inner, prefix + name + "::", True)
        elif kind == "CXXRecordDecl" and node.get("completeDefinition"):
            yield node["tagUsed"] + " " + prefix + name
            for base in node.get("bases", []):
                yield prefix + name + ": " + base["access"] + " " + \
                    base["type"]["qualType"]
            yield from offered(node.get("inner", []), prefix + name + "::",
                               node["tagUsed"] == "struct")
        elif kind in ("ClassTemplateDecl", "FunctionTemplateDecl"):
            # The template's declaration; its instances come after it.
            about = next(n for n in node["inner"]
                         if n["kind"] in FUNCTIONS or n["kind"] == "CXXRecordDecl")
            yield from offered([about], prefix, True)
        elif kind in FUNCTIONS:
            yield function(node, prefix)
        elif kind in ("TypedefDecl", "TypeAliasDecl"):
            yield prefix + name + " = " + node["type"].get(
                "desugaredQualType", node["type"]["qualType"])
        elif kind in ("FieldDecl", "VarDecl"):
            yield prefix + name + ": " + node["type"]["qualType"]


def interface(compiler, standard, include):
    tree = clang(compiler, standard, include, "-fsyntax-only", "-Xclang",
                 "-ast-dump=json", "-Xclang", "-ast-dump-filter=nvtx3")
    lines = set()
    for node in json_values(tree):
        if node["kind"] == "NamespaceDecl" and node["name"] == "nvtx3":
            lines.update(offered([node], "", True))
    for line in clang(compiler, standard, include, "-E", "-dM").splitlines():
        macro = line.split()[1]
        if macro.startswith("NVTX3_"):
            lines.add("macro " + macro)
    return lines


def main():
    compiler, standard, offers, lacks = sys.argv[1:]
    wanted = interface(compiler, standard, offers)
    found = interface(compiler, standard, lacks)
    lacking = {line for line in wanted - found - DIFFERENT_ON_PURPOSE
               if line + ", constexpr" not in found}
    print("\n".join(sorted(lacking) + [f"{len(wanted)} offered, {len(lacking)} lacking"]))
    sys.exit(1 if lacking or len(wanted) < 100 else 0)


main()
