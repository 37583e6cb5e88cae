"""Modes that intercept each operator, the innermost first."""

entered = []


class TorchDispatchMode:
    def __enter__(self):
        entered.append(self)
        return self

    def __exit__(self, *exception):
        entered.remove(self)


def dispatch(operator, args, kwargs):
    """Calls the innermost mode; operators that this runs go to the next one."""
    if not entered:
        return operator.body(*args, **kwargs)
    mode = entered.pop()
    try:
        return mode.__torch_dispatch__(operator, (), args, kwargs)
    finally:
        entered.append(mode)
