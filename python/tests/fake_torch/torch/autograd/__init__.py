from torch.autograd import profiler


def backward(tensor):
    """Runs the nodes that made the tensor, the newest first."""
    for node in reversed(tensor.graph):
        node.run()
