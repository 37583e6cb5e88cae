# SPDX-License-Identifier: Apache-2.0
"""Checks of arguments, which name them."""


def check_type(name, value, types, expected):
    """Raises TypeError unless the value is of the types."""
    if not isinstance(value, types):
        raise TypeError(f"{name} must be {expected}, not {type(value).__name__}")


def utf8(name, text):
    """A str as UTF-8. Lone surrogates raise what str.encode() does, and the name."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        error.reason += f" in {name}"
        raise


def text_of(name, value):
    """A str, or bytes that are UTF-8, as str."""
    check_type(name, value, (str, bytes), "str or bytes")
    if isinstance(value, str):
        utf8(name, value)
        return value
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        error.reason += f" in {name}"
        raise


def plain(text):
    """A str or bytes as it is; of one of a derived class, whose __eq__ and __hash__ say
    nothing about what is sent, a copy. What is neither is returned as it is."""
    if isinstance(text, str):
        return str.__str__(text)
    return bytes.__getitem__(text, slice(None)) if isinstance(text, bytes) else text


def text_key(text):
    """What a dictionary keeps a str or bytes by: bytes in a tuple. They have the hash of
    the str of the same letters, and `python -bb` lets nobody compare the two."""
    return (text,) if isinstance(text, bytes) else text


def shown(value):
    """What a message says of a value: its repr, cut off where it is long."""
    try:
        text = repr(value)
    except ValueError:  # an int of thousands of digits
        return f"an {type(value).__name__} of that size"
    return text if len(text) <= 100 else f"{text[:100]}..."
