# SPDX-License-Identifier: Apache-2.0
"""The Perfetto export, decoded with Perfetto's own definitions, has the recorded events."""
import collections
import sys

import traces

traces.needs("perfetto.protos.perfetto.trace.perfetto_trace_pb2")
import perfetto.protos.perfetto.trace.perfetto_trace_pb2 as pb  # noqa: E402

Slice = collections.namedtuple("Slice", "name start end pid tid")


class Decoded:
    """Slices, marks and counters of a trace, assembled as the definitions say."""

    def __init__(self, path):
        self.tracks, self.slices, self.marks = {}, [], []
        self.counters = collections.defaultdict(list)
        self.flows = {}
        names, categories, open_on = {}, {}, collections.defaultdict(list)
        self.locations = {}  # of functions, by their names
        trace = pb.Trace()
        trace.ParseFromString(path.read_bytes())
        before = trace.ByteSize()
        trace.DiscardUnknownFields()
        assert trace.ByteSize() == before > 0  # every field is one of the definitions
        clocks = {c.clock_id: c.timestamp for c in trace.packet[0].clock_snapshot.clocks}
        self.zero = clocks[6]
        assert trace.packet[0].sequence_flags & pb.TracePacket.SEQ_INCREMENTAL_STATE_CLEARED
        last = 0
        for packet in trace.packet:
            assert packet.trusted_packet_sequence_id == 1
            for one in packet.interned_data.event_names:
                assert one.iid not in names
                names[one.iid] = one.name
            for one in packet.interned_data.source_locations:
                self.locations[names[one.iid]] = one.file_name, one.line_number
            for one in packet.interned_data.event_categories:
                categories[one.iid] = one.name
            if packet.HasField("track_descriptor"):
                d = packet.track_descriptor
                assert d.uuid not in self.tracks
                assert not d.parent_uuid or d.parent_uuid in self.tracks
                self.tracks[d.uuid] = d
            if packet.HasField("track_event"):
                e = packet.track_event
                assert packet.sequence_flags == pb.TracePacket.SEQ_NEEDS_INCREMENTAL_STATE
                assert e.track_uuid in self.tracks
                last = max(last, packet.timestamp)
                self.see(e, packet.timestamp - self.zero, names, categories, open_on)
        for stack in open_on.values():
            self.slices += [(*begun, None, {}) for begun in stack]

    def see(self, e, t, names, categories, open_on):
        name = names[e.name_iid] if e.name_iid else e.name
        assert e.source_location_iid == (e.name_iid if name in self.locations else 0)
        about = {"args": arguments(e), "category": [categories[i] for i in
                                                    e.category_iids],
                 "track": self.tracks[e.track_uuid]}
        if e.type == pb.TrackEvent.TYPE_SLICE_BEGIN:
            open_on[e.track_uuid].append((name, t, about))
            for flow in e.flow_ids:
                self.flows[flow] = name
        elif e.type == pb.TrackEvent.TYPE_SLICE_END:
            begun = open_on[e.track_uuid].pop()
            self.slices.append((*begun, t, arguments(e)))
        elif e.type == pb.TrackEvent.TYPE_INSTANT:
            self.marks.append((name, t, about, list(e.terminating_flow_ids)))
        else:
            assert e.type == pb.TrackEvent.TYPE_COUNTER
            self.counters[self.tracks[e.track_uuid].name].append(e.double_counter_value)

    def place(self, track):
        """pid, and tid or None, of the process or thread above a track."""
        while track.parent_uuid and not track.HasField("thread"):
            track = self.tracks[track.parent_uuid]
        if track.HasField("thread"):
            return track.thread.pid, track.thread.tid
        return track.process.pid, None


def value_of(a):
    if a.dict_entries:
        return {e.name: value_of(e) for e in a.dict_entries}
    if a.array_values:
        return [value_of(e) for e in a.array_values]
    return getattr(a, a.WhichOneof("value")) if a.WhichOneof("value") else None


def arguments(e):
    return {a.name: value_of(a) for a in e.debug_annotations}


def decoded(trace, *options, name=None):
    return Decoded(traces.export(trace, "perfetto", *options, name=name))


def test_every_range_is_a_slice():
    for trace in [traces.everything(), traces.everything(2000)] + [
            traces.golden(n) for n in traces.golden_names()
            # there, ends give other names, and slices are no ranges (case_gpu.py)
            if n not in ("payloads", "gpu", *traces.RESUMED)]:
        d = decoded(trace)
        ours = collections.Counter()
        for name, start, about, end, _ in d.slices:
            pid, tid = d.place(about["track"])
            ours[Slice(name, start, end, pid % traces.ALIAS,
                       about["args"].get("thread", tid))] += 1
        theirs = collections.Counter(
            Slice(r.get("message", ""), r["start"], r.get("end"), r["pid"],
                  r["tid"])
            for r in traces.ranges(trace) if traces.is_whole(r)
            and r["style"] in ("push_pop", "start_end"))
        assert ours == theirs, (trace, ours - theirs, theirs - ours)


def test_processes_of_one_pid_are_different_ones():
    d = decoded(traces.one_pid())
    traces.check_one_pid({s[0]: d.place(s[2]["track"])[0] for s in d.slices})


def test_scopes_have_tracks():
    assert {s[0]: s[2]["track"].name for s in decoded(traces.scopes()).slices} == {
        name: f"device {scope} (deferred)" if scope else "device (deferred)"
        for name, scope in traces.SCOPES.items()}


def test_times_before_any_clock_are_in_order():
    d = decoded(traces.before_any_clock([(-500, -100), (-50, 100)]))
    assert [(start, end) for _, start, _, end, _ in d.slices] == [(-500, -100), (-50, 100)]
    assert d.zero == 500


def test_every_mark_is_an_instant():
    d = decoded(traces.everything())
    marks = [(name, t) for name, t, _, flows in d.marks if not flows]
    theirs = [(e.get("message", ""), e["t"])
              for e in traces.events(traces.everything()) if e["type"] == "mark"]
    assert marks == theirs
    assert set(traces.NAMES) <= {name for name, _ in marks}


def test_tracks_are_processes_threads_and_domains():
    d = decoded(traces.everything())
    processes = {t.process.pid: t.process.process_name for t in d.tracks.values()
                 if t.HasField("process")}
    assert set(processes.values()) == {"everything"} and len(processes) == 2
    threads = {t.thread.thread_name for t in d.tracks.values() if t.HasField("thread")}
    assert {"everything", "ender"} <= threads, threads
    read, = (s for s in d.slices if s[0] == "read")
    assert read[2]["track"].name == "io"
    assert d.tracks[read[2]["track"].parent_uuid].HasField("thread")
    crossing, = (s for s in d.slices if s[0] == "crossing")
    assert crossing[2]["track"].name == "start/end"
    assert d.tracks[crossing[2]["track"].parent_uuid].HasField("process")
    by_category = decoded(traces.everything(), "--tracks", "category", name="by.pftrace")
    read, = (s for s in by_category.slices if s[0] == "read")
    assert read[2]["track"].name == "disk"
    assert by_category.tracks[read[2]["track"].parent_uuid].HasField("process")
    assert len(by_category.slices) == len(d.slices)


def test_functions_have_their_locations():
    trace = traces.WORK / "located.rln"
    traces.run(traces.RANGELINE, "profile", "-o", trace, traces.BUILD / "bin" / "located")
    d = decoded(trace)
    assert d.locations == {"pkg.one": ("/src/a:b.py", 12)}
    assert {s[0] for s in d.slices} == {"pkg.one", "pkg.two", "pkg.none"}


def test_a_flow_leads_to_the_thread_that_ended_a_range():
    d = decoded(traces.everything())
    (name, _, about, flows), = (m for m in d.marks if m[3])
    assert name == "crossing" and d.flows[flows[0]] == "crossing"
    assert about["track"].thread.thread_name == "ender"


def test_arguments_say_what_a_range_carries():
    d = decoded(traces.everything())
    by_name = {name: about for name, _, about, *_ in d.slices}
    assert by_name["read"]["args"] == {"domain": "io", "color": "#ff00ff00"}
    assert by_name["read"]["category"] == ["disk"]
    send, = (s for s in d.slices if s[0] == "send")
    assert send[4] == {"message": {"size": 4096, "peer": -3}}, send
    payloads = {name: about["args"]["payload"] for name, _, about, _ in d.marks
                if "payload" in about["args"]}
    assert payloads == {"u64": 1 << 60, "i64": -1, "double": 2.5, "u32": 0xffffffff,
                        "i32": -1, "float": 0.5}, payloads


def test_counters_have_tracks_with_units():
    d = decoded(traces.everything())
    assert d.counters == {"io:queued": [5, -2, 0], "io:load": [0.25]}, d.counters
    queued, = (t for t in d.tracks.values() if t.name == "io:queued")
    assert queued.counter.unit == pb.CounterDescriptor.UNIT_SIZE_BYTES
    assert d.tracks[queued.parent_uuid].HasField("process")
    scaled = decoded(traces.golden("counters"))
    sent = scaled.counters["sent"]  # changes, in units of 1024 bytes, added up
    assert sent[:3] == [3 * 1024, 5 * 1024, 7 * 1024], sent
    for trace in traces.golden_names():
        decoded(traces.golden(trace))


def switches(trace):
    path = traces.export(traces.golden(trace), "perfetto")
    decoded = Decoded(path)
    trace = pb.Trace()
    trace.ParseFromString(path.read_bytes())
    return decoded, sorted((event.timestamp - decoded.zero, packet.ftrace_events.cpu,
                            event.sched_switch.prev_pid, event.sched_switch.prev_state,
                            event.sched_switch.next_pid)
                           for packet in trace.packet for event in packet.ftrace_events.event)


def test_switches_are_the_kernels():
    """Runnable, sleeping and dead have the kernel's numbers; thread 0 is between two."""
    decoded, found = switches("switches")
    assert found == [(0, 0, 0, 0, 100), (30000, 0, 100, 0, 0), (31000, 0, 0, 0, 101),
                     (50000, 0, 101, 1, 0), (50800, 0, 0, 0, 100), (100000, 0, 100, 1, 0),
                     (110000, 0, 0, 0, 101), (115000, 0, 101, 16, 0),
                     (150000, 1, 0, 0, 100)], found
    assert {t.thread.tid for t in decoded.tracks.values() if t.HasField("thread")} == {100, 101}


def test_a_thread_that_executes_becomes_the_first_one():
    found = switches("execed")[1]
    assert found == [(0, 0, 0, 0, 100), (20000, 0, 100, 1, 0), (25000, 1, 0, 0, 101),
                     (114000, 0, 0, 0, 100), (116000, 0, 100, 16, 0), (120000, 1, 0, 0, 100),
                     (120000, 1, 101, 16, 0), (150000, 1, 100, 1, 0), (160000, 1, 0, 0, 100)], found


if __name__ == "__main__":
    traces.main(sys.modules[__name__])
