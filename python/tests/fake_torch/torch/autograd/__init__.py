from torch import _C
from torch.autograd import profiler


def backward(tensor):
    """Runs the nodes that made the tensor, the newest first."""
    _C.graph_task_id = 0
    try:
        for node in reversed(tensor.graph):
            node.run()
    finally:
        _C.graph_task_id = -1
