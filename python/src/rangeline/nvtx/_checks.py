# SPDX-License-Identifier: Apache-2.0
"""Checks of arguments, with messages that name the argument."""


def check_type(name, value, types, expected):
    """Raises TypeError unless the value is of the types."""
    if not isinstance(value, types):
        raise TypeError(f"{name} must be {expected}, not {type(value).__name__}")


def utf8(name, text):
    """A str as UTF-8. Lone surrogates raise UnicodeEncodeError, with the name added."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        error.reason += f" in {name}"
        raise


def c_text(name, text):
    """A str or bytes as the bytes of a C string, which ends at the first NUL: ValueError
    if there is one within."""
    encoded = utf8(name, text) if isinstance(text, str) else text
    if b"\0" in encoded:
        raise ValueError(
            f"{name} must not contain a NUL character: tools would cut it there"
        )
    return encoded


def text_of(name, value):
    """A str, or bytes that are UTF-8, as str."""
    check_type(name, value, (str, bytes), "str or bytes")
    c_text(name, value)
    if isinstance(value, str):
        return value
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        error.reason += f" in {name}"
        raise


def plain(text):
    """A plain copy of a str or bytes of a derived class, whose __eq__ and __hash__ may
    differ from those of the text that is sent. Anything else is returned as it is."""
    if isinstance(text, str):
        return str.__str__(text)
    return bytes.__getitem__(text, slice(None)) if isinstance(text, bytes) else text


def text_key(text):
    """The dictionary key of a str or bytes. Bytes go in a tuple: they hash like the str
    of the same letters, and under `python -bb` comparing the two raises."""
    return (text,) if isinstance(text, bytes) else text


def shown(value):
    """A value's repr for a message, cut off if long."""
    try:
        text = repr(value)
    except ValueError:  # an int of thousands of digits
        return f"an {type(value).__name__} of that size"
    return text if len(text) <= 100 else f"{text[:100]}..."
