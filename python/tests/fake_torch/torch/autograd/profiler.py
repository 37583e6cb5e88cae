"""What needs CUDA."""


class emit_nvtx:
    def __init__(self, enabled=True, record_shapes=False):
        self.enabled, self.record_shapes, self.entered = enabled, record_shapes, False

    def __enter__(self):
        raise AssertionError("Torch not compiled with CUDA enabled")
