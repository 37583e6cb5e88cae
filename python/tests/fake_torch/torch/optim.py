"""Optimizers: torch wraps the step() of each class when it makes the first one."""
import functools


class Optimizer:
    def __init__(self):
        step = type(self).step
        if not getattr(step, "hooked", False):
            type(self).step = self.profile_hook_step(step)
            type(self).step.hooked = True

    @staticmethod
    def profile_hook_step(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            return func(*args, **kwargs)

        return wrapper


class SGD(Optimizer):
    def step(self, closure=None):
        return closure() if closure else None
