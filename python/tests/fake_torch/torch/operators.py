"""Tensors without contents, and operators on them."""
import types

from torch import _C, autograd
from torch.utils._python_dispatch import dispatch


class Operator:
    def __init__(self, name, arguments, body):
        self._schema = types.SimpleNamespace(
            name=name, arguments=[types.SimpleNamespace(name=a) for a in arguments])
        self.body = body

    def __call__(self, /, *args, **kwargs):
        return dispatch(self, args, kwargs)


class Node:
    """A node of the graph: what runs in the backward pass."""

    def __init__(self, name, operators):
        self.operators, self.name = operators, lambda: name

    def run(self):
        _C.current_node = self
        try:
            for operator in self.operators:
                operator()
        finally:
            _C.current_node = None


class Tensor:
    def __init__(self, *shape, graph=()):
        self.shape, self.graph = shape, list(graph)

    def backward(self):
        autograd.backward(self)


def _multiply(self, mat2):
    if self.shape[1] != mat2.shape[0]:
        raise RuntimeError("shapes cannot be multiplied")
    return Tensor(self.shape[0], mat2.shape[1])


t = Operator("aten::t", ["self"], lambda self: Tensor(*reversed(self.shape)))
mm = Operator("aten::mm", ["self", "mat2"], _multiply)
enter = Operator("profiler::_record_function_enter_new", ["name", "args"],
                 lambda name, args=None: object())
leave = Operator("profiler::_record_function_exit", ["record"], lambda record: None)


def linear(x, weight):
    """x @ weight, and the node that computes its gradients."""
    result = mm(x, weight)
    node = Node("MmBackward0", [lambda: t(weight), lambda: mm(result, t.body(weight))])
    result.graph = [*x.graph, node]
    return result


class record_function:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        self.record = enter(self.name, None)

    def __exit__(self, *exception):
        leave(self.record)
