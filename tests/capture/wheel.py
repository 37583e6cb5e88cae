# SPDX-License-Identifier: Apache-2.0
"""The program that wheel.sh records with NVIDIA's package: it makes as many objects as
possible while no window is open, and uses them when one is."""
import nvtx

domain = nvtx.get_domain("train")
domain.get_registered_string("registered")
attributes = domain.get_event_attributes(message="made before", category="phase", payload=7)


@nvtx.annotate("decorated", domain="train")
def decorated():
    pass


nvtx.mark("before", domain="train")
decorated()
nvtx.push_range("outer", domain="train")
with nvtx.annotate("epoch", domain="train"):
    domain.push_range(attributes)
    domain.push_range(domain.get_event_attributes(message="registered"))
    nvtx.mark("inside")
    domain.pop_range()
    domain.pop_range()
    decorated()
    late = nvtx.get_domain("made inside")
    late.push_range(late.get_event_attributes(message="late"))
    late.pop_range()
nvtx.pop_range(domain="train")
decorated()
