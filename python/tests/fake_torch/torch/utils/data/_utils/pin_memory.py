def _pin_memory_loop(queue, device):
    return device
