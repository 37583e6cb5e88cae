# SPDX-License-Identifier: Apache-2.0
"""A program of many short calls, without annotations, for profilers of functions.

    calls.py own|library TIMES     whose functions are called: its own, or the standard library's
"""
import ast
import sys


class Number:
    def __init__(self, value):
        self.value = value

    def evaluate(self):
        return self.value


class Sum:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def evaluate(self):
        return self.left.evaluate() + self.right.evaluate()


def tree(depth):
    if depth == 0:
        return Number(1)
    return Sum(tree(depth - 1), tree(depth - 1))


def leaves(node):
    if isinstance(node, Number):
        yield node
    else:
        yield from leaves(node.left)
        yield from leaves(node.right)


def own(times):
    """Constructors, methods, recursion and generators."""
    for _ in range(times):
        top = tree(11)
        assert top.evaluate() == len(list(leaves(top)))


def library(times):
    """Visitors, context managers and generators of `ast`."""
    with open(ast.__file__, encoding="utf-8") as source:
        parsed = ast.parse(source.read())
    for _ in range(times):
        ast.unparse(parsed)


if __name__ == "__main__":
    {"own": own, "library": library}[sys.argv[1]](int(sys.argv[2]))
