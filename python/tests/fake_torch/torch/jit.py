import types

builtins = {}
_builtins = types.SimpleNamespace(
    _find_builtin=lambda function: builtins.get(id(function)),
    _register_builtin=lambda function, name: builtins.update({id(function): name}))


def is_tracing():
    return False
