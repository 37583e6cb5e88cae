is_busy = False  # tracing a function


def is_compiling():
    return is_busy
