// How Tandem uses Perfetto's trace format: tracks, packet sequences, field numbers. The meaning of
// the events is in docs/traces.md; writer and reader share this file.
//
// Field numbers are those of Perfetto's protos (tests/sim/proto/perfetto_subset.proto).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/instructions.hpp"

namespace tandem::trace {

inline constexpr std::uint64_t format_version = 1;

enum class Track : std::uint8_t {
  none,
#define TRACK(name, title, parent, kind) name,
#include "sim/trace/trace_tracks.def"
#undef TRACK
};

enum class TrackKind : std::uint8_t { group, slices, counter };

struct TrackRow {
  Track track;
  std::string_view title;
  Track parent;
  TrackKind kind;
};

inline constexpr auto tracks = std::to_array<TrackRow>({
#define TRACK(name, title, parent, kind) {Track::name, title, Track::parent, TrackKind::kind},
#include "sim/trace/trace_tracks.def"
#undef TRACK
});

constexpr std::uint64_t uuid_of(Track track) { return static_cast<std::uint64_t>(track); }
constexpr Track track_of(Slot slot) {
  return static_cast<Track>(uuid_of(Track::slot_sa) + static_cast<std::uint64_t>(slot));
}
// Tracks for copies in flight at one time, children of Track::copies.
inline constexpr std::uint64_t first_copy_track = 64;

// Each sequence of packets has its own clock, which advances from packet to packet.
inline constexpr std::uint32_t bundle_sequence = 1;      // issue, stalls, markers, slots
inline constexpr std::uint32_t copy_sequence = 2;        // copies
inline constexpr std::uint32_t use_sequence = 3;         // counters
inline constexpr std::uint32_t first_unit_sequence = 4;  // one per unit track
constexpr std::uint32_t sequence_of_unit(Track unit) {
  return first_unit_sequence +
         static_cast<std::uint32_t>(uuid_of(unit) - uuid_of(Track::unit_load));
}

inline constexpr std::size_t unit_tracks = uuid_of(Track::unit_xlu) - uuid_of(Track::unit_load) + 1;

// Counters give the busy cycles out of this many: percent.
inline constexpr std::uint64_t counter_interval = 100;

inline constexpr std::uint32_t incremental_clock = 64;
inline constexpr std::uint32_t boot_clock = 6;

enum class EventType : std::uint8_t { slice_begin = 1, slice_end = 2, instant = 3, counter = 4 };

// Names of debug annotations are interned with these numbers.
enum class Note : std::uint8_t {
  format = 1,
  preset,
  window,
  bytes,
  source,
  destination,
  flag,
  cycles,
  code,
};
inline constexpr auto note_names = std::to_array<std::string_view>(
    {"format", "preset", "window", "bytes", "source", "destination", "flag", "cycles", "code"});

namespace field {
// Trace
inline constexpr std::uint32_t packet = 1;
// TracePacket
inline constexpr std::uint32_t clock_snapshot = 6;
inline constexpr std::uint32_t timestamp = 8;
inline constexpr std::uint32_t sequence_id = 10;
inline constexpr std::uint32_t track_event = 11;
inline constexpr std::uint32_t interned_data = 12;
inline constexpr std::uint32_t sequence_flags = 13;
inline constexpr std::uint32_t compressed_packets = 50;
inline constexpr std::uint32_t packet_defaults = 59;
inline constexpr std::uint32_t track_descriptor = 60;
// ClockSnapshot
inline constexpr std::uint32_t clocks = 1;
inline constexpr std::uint32_t clock_id = 1;
inline constexpr std::uint32_t clock_timestamp = 2;
inline constexpr std::uint32_t clock_is_incremental = 3;
// TracePacketDefaults
inline constexpr std::uint32_t default_clock_id = 58;
// InternedData, whose entries have iid = 1 and name = 2
inline constexpr std::uint32_t event_names = 2;
inline constexpr std::uint32_t annotation_names = 3;
inline constexpr std::uint32_t source_locations = 4;
inline constexpr std::uint32_t interned_id = 1;
inline constexpr std::uint32_t interned_name = 2;
// SourceLocation
inline constexpr std::uint32_t file_name = 2;
inline constexpr std::uint32_t function_name = 3;
inline constexpr std::uint32_t line_number = 4;
// TrackEvent
inline constexpr std::uint32_t annotations = 4;
inline constexpr std::uint32_t type = 9;
inline constexpr std::uint32_t name_iid = 10;
inline constexpr std::uint32_t track_uuid = 11;
inline constexpr std::uint32_t counter_value = 30;
inline constexpr std::uint32_t source_location_iid = 34;
inline constexpr std::uint32_t flow_ids = 47;
inline constexpr std::uint32_t terminating_flow_ids = 48;
// DebugAnnotation
inline constexpr std::uint32_t note_name_iid = 1;
inline constexpr std::uint32_t note_number = 3;
inline constexpr std::uint32_t note_text = 6;
// TrackDescriptor
inline constexpr std::uint32_t track_id = 1;
inline constexpr std::uint32_t track_name = 2;
inline constexpr std::uint32_t track_parent = 5;
inline constexpr std::uint32_t track_counter = 8;
inline constexpr std::uint32_t child_ordering = 11;
inline constexpr std::uint32_t sibling_rank = 12;
// CounterDescriptor
inline constexpr std::uint32_t counter_unit_name = 6;
}  // namespace field

inline constexpr std::uint64_t incremental_state_cleared = 1;
inline constexpr std::uint64_t explicit_ordering = 3;

}  // namespace tandem::trace
