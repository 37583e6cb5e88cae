"""Modules, and hooks that are called for each of them."""

before, after = [], []


class Handle:
    def __init__(self, hooks, hook):
        hooks.append(hook)
        self.remove = lambda: hooks.remove(hook)


def register_module_forward_pre_hook(hook):
    return Handle(before, hook)


def register_module_forward_hook(hook, *, always_call=False):
    return Handle(after, hook)


class Module:
    def children(self):
        return [(n, m) for n, m in vars(self).items() if isinstance(m, Module)]

    def named_modules(self, prefix=""):
        yield prefix, self
        for name, module in self.children():
            yield from module.named_modules(f"{prefix}.{name}" if prefix else name)

    def __call__(self, *args):
        output = None
        try:
            for hook in list(before):
                hook(self, args)
            output = self.forward(*args)
        finally:
            for hook in list(after):
                hook(self, args, output)
        return output
