/* SPDX-License-Identifier: Apache-2.0 */
/* perfetto_fields.h - the numbers of fields in Perfetto's messages that we write:
 * protos/perfetto/trace of https://perfetto.dev, which never renumbers them. */
#ifndef RLN_EXPORT_PERFETTO_PERFETTO_FIELDS_H
#define RLN_EXPORT_PERFETTO_PERFETTO_FIELDS_H

enum { TRACE_PACKET = 1 };

enum trace_packet {
    PACKET_FTRACE_EVENTS = 1,
    PACKET_CLOCK_SNAPSHOT = 6,
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE_ID = 10,
    PACKET_TRACK_EVENT = 11,
    PACKET_INTERNED_DATA = 12,
    PACKET_SEQUENCE_FLAGS = 13,
    PACKET_TRACK_DESCRIPTOR = 60,
};

enum { SEQUENCE_CLEARED = 1, SEQUENCE_NEEDS_STATE = 2 };

enum clock_snapshot { SNAPSHOT_CLOCKS = 1, SNAPSHOT_PRIMARY = 2 };
enum clock { CLOCK_ID = 1, CLOCK_TIMESTAMP = 2 };
enum clock_id { ID_REALTIME = 1, ID_MONOTONIC = 3, ID_BOOTTIME = 6 };

enum track_descriptor {
    TRACK_UUID = 1,
    TRACK_NAME = 2,
    TRACK_PROCESS = 3,
    TRACK_THREAD = 4,
    TRACK_PARENT_UUID = 5,
    TRACK_COUNTER = 8,
};

enum ftrace_event_bundle { BUNDLE_CPU = 1, BUNDLE_EVENT = 2 };
enum ftrace_event { FTRACE_TIMESTAMP = 1, FTRACE_PID = 2, FTRACE_SCHED_SWITCH = 4 };
enum sched_switch { SWITCH_PREV_PID = 2, SWITCH_PREV_STATE = 4, SWITCH_NEXT_PID = 6 };

enum process_descriptor { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum thread_descriptor { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum counter_descriptor { COUNTER_UNIT = 3, COUNTER_UNIT_NAME = 6 };
enum counter_unit { UNIT_SIZE_BYTES = 3 };

enum track_event {
    EVENT_CATEGORY_IIDS = 3,
    EVENT_ANNOTATIONS = 4,
    EVENT_TYPE = 9,
    EVENT_NAME_IID = 10,
    EVENT_TRACK_UUID = 11,
    EVENT_CATEGORIES = 22,
    EVENT_NAME = 23,
    EVENT_COUNTER_VALUE = 30,
    EVENT_SOURCE_LOCATION_IID = 34,
    EVENT_DOUBLE_COUNTER_VALUE = 44,
    EVENT_FLOW_IDS = 47,
    EVENT_TERMINATING_FLOW_IDS = 48,
};

enum track_event_type {
    TYPE_SLICE_BEGIN = 1,
    TYPE_SLICE_END = 2,
    TYPE_INSTANT = 3,
    TYPE_COUNTER = 4,
};

enum interned_data {
    INTERNED_CATEGORIES = 1,
    INTERNED_NAMES = 2,
    INTERNED_SOURCE_LOCATIONS = 4,
};
enum interned { INTERNED_IID = 1, INTERNED_NAME = 2 };
enum source_location { LOCATION_IID = 1, LOCATION_FILE = 2, LOCATION_LINE = 4 };

enum debug_annotation {
    ANNOTATION_UINT = 3,
    ANNOTATION_INT = 4,
    ANNOTATION_DOUBLE = 5,
    ANNOTATION_STRING = 6,
    ANNOTATION_NAME = 10,
    ANNOTATION_ENTRIES = 11,
    ANNOTATION_VALUES = 12,
};

#endif
