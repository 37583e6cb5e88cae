# SPDX-License-Identifier: Apache-2.0
"""Cases of test_side_by_side.py: annotations, functions and domains.

{name: function of `nvtx`}; docs/reference/COMPATIBILITY.md describes those in DIFFERENCES.
"""
import asyncio
import functools
import pickle


def plain(n):
    return n


def generator(nvtx):
    @nvtx.annotate(color=1)
    def numbers():
        yield 1
        yield 2
    return list(numbers())


def coroutine(nvtx):
    @nvtx.annotate(color=1)
    async def work():
        await asyncio.sleep(0)
        return 5
    return asyncio.run(work())


def with_in_a_generator(nvtx):
    def numbers():
        with nvtx.annotate("with", color=1):
            yield 1
    return list(numbers())


def decorated_class(nvtx):
    @nvtx.annotate(color=1)
    class Point:
        pass
    return isinstance(Point, type), type(Point()).__name__


def decorated_partial(nvtx):
    return nvtx.annotate("partial", color=1)(functools.partial(plain, 3))()


def decorated_partial_without_a_message(nvtx):
    return nvtx.annotate(color=1)(functools.partial(plain, 3))()


def decorated_property(nvtx):
    class C:
        @nvtx.annotate("property", color=1)
        @property
        def p(self):
            return 5
    return C().p


def decorated_classmethod(nvtx):
    class C:
        @nvtx.annotate("class", color=1)
        @classmethod
        def m(cls):
            return cls.__name__
    return C.m()


def two_functions_of_one_annotation(nvtx):
    both = nvtx.annotate(color=1)

    @both
    def first():
        return 1

    @both
    def second():
        return 2
    return first(), second()


def name_and_wrapped(nvtx):
    decorated = nvtx.annotate("m", color=1)(plain)
    return decorated.__name__, decorated.__qualname__, decorated(4)


def end_range_of_zero(nvtx):
    return nvtx.end_range(0)


def end_range_of_a_foreign_pair(nvtx):
    return nvtx.end_range((12345, 67))


def pickled_range(nvtx):
    started = nvtx.start_range("s", color=1)
    nvtx.end_range(pickle.loads(pickle.dumps(started)))


def handles(nvtx):
    domain = nvtx.get_domain("h")
    return (type(domain.handle).__name__,
            type(domain.get_registered_string("m").handle).__name__)


def message_set_to_text(nvtx):
    domain = nvtx.get_domain("h")
    attributes = domain.get_event_attributes("m", color=1)
    attributes.message = "n"
    domain.mark(attributes)
    return attributes.message.string


def category_set_to_text(nvtx):
    domain = nvtx.get_domain("h")
    attributes = domain.get_event_attributes("m", color=1)
    attributes.category = "c"
    domain.mark(attributes)


def attributes_changed_by_one_of_two(nvtx):
    one, two = nvtx.annotate("m", color=1), nvtx.annotate("m", color=1)
    one.attributes.payload = 5
    for annotation in one, two:
        with annotation:
            pass


def lone_surrogates(nvtx):
    """What is raised; ours also says in which argument, behind what theirs says."""
    bad, domain, outcomes = "x\udc80", nvtx.get_domain("surrogates"), []
    for call in (lambda: nvtx.mark(bad), lambda: nvtx.push_range(bad),
                 lambda: nvtx.annotate(bad), lambda: nvtx.mark("m", domain=bad),
                 lambda: nvtx.mark("m", category=bad), lambda: nvtx.get_domain(bad),
                 lambda: domain.get_event_attributes(bad),
                 lambda: domain.get_registered_string(bad),
                 lambda: domain.get_category_id(bad),
                 lambda: domain.get_counter(bad, int),
                 lambda: domain.get_counter("n", int, description=bad),
                 lambda: domain.get_counter("n", int, scope=bad),
                 lambda: nvtx.CounterSemantics(bad)):
        try:
            call()
            outcomes.append("accepted")
        except UnicodeEncodeError as error:
            outcomes.append((error.encoding, error.object == bad, error.start, error.end,
                             error.reason.partition(" in ")[0]))
    return outcomes


CASES = {f"api: {f.__name__.replace('_', ' ')}": f for f in (
    generator, coroutine, with_in_a_generator, decorated_class, decorated_partial,
    decorated_partial_without_a_message, decorated_property, decorated_classmethod,
    two_functions_of_one_annotation, name_and_wrapped, end_range_of_zero,
    end_range_of_a_foreign_pair, pickled_range, handles, message_set_to_text,
    category_set_to_text, attributes_changed_by_one_of_two, lone_surrogates)}

_PAUSES = "a range over the whole life, and one a resumption"
_WHAT_IT_WAS = "what is decorated stays what it was"

DIFFERENCES = {
    "api: generator": _PAUSES,
    "api: coroutine": _PAUSES,
    "api: with in a generator": "a range that no other frame can pop",
    "api: decorated class": _WHAT_IT_WAS,
    "api: decorated partial without a message": "the name of what it calls",
    "api: decorated property": _WHAT_IT_WAS,
    "api: decorated classmethod": _WHAT_IT_WAS,
    "api: two functions of one annotation": "each has its own name",
    "api: end range of zero": "0 is what a dummy's start_range gives",
    "api: end range of a foreign pair": "ignored, as what has ended",
    "api: pickled range": "a range is two ints",
    "api: handles": "handles are ints",
    "api: message set to text": "registered, as everywhere",
    "api: category set to text": "numbered, as everywhere",
}
