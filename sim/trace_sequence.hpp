// One sequence of packets: events in order of time on one clock that counts on from packet to
// packet, with names and source lines of its own given when first used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/protobuf.hpp"
#include "sim/trace_format.hpp"
#include "sim/trace_program.hpp"

namespace tandem::trace {

// Bytes of a TrackEvent.
std::string event_bytes(EventType type, std::uint64_t track);
// A beginning slice or an instant with its name and source (0: none).
std::string event_bytes(EventType type, std::uint64_t track, std::uint32_t name,
                        std::uint32_t location);
void add_note(std::string& event, Note note, std::uint64_t value);
void add_note(std::string& event, Note note, std::string_view value);

// Appends the packet that describes a track.
void put_track(std::string& out, std::uint64_t uuid, std::string_view title, Track parent,
               TrackKind kind);

class Sequence {
 public:
  // Appends the sequence's first packet; its clock stands at cycle 0.
  Sequence(std::uint32_t id, Program& program, std::string& out);

  // Appends one event; cycles must not decrease.
  void event(std::string& out, std::uint64_t cycle, std::string_view event) {
    const std::uint64_t delta = cycle - clock_;
    clock_ = cycle;
    // Field numbers below 16 and ids below 128 take a byte each; an event is shorter than 128 bytes
    // or has its length counted in full.
    const std::size_t size = 1 + protobuf::varint_size(delta) + 2 + 1 +
                             protobuf::varint_size(event.size()) + event.size();
    protobuf::put_tag(out, field::packet, protobuf::WireType::bytes);
    protobuf::put_varint(out, size);
    protobuf::put_number(out, field::timestamp, delta);
    protobuf::put_number(out, field::sequence_id, id_);
    protobuf::put_bytes(out, field::track_event, event);
  }

  // Must come before the first event with that name or source; repeated, it does nothing.
  void introduce_name(std::string& out, std::uint32_t name);
  void introduce_source(std::string& out, std::uint32_t location);

  [[nodiscard]] std::uint64_t clock() const { return clock_; }
  // After events that were appended by hand.
  void set_clock(std::uint64_t cycle) { clock_ = cycle; }

 private:
  void interned(std::string& out, std::uint32_t field, std::string_view entry) const;

  std::uint32_t id_;
  Program& program_;
  std::uint64_t clock_ = 0;
  std::vector<bool> names_;      // introduced, by number
  std::vector<bool> locations_;  // introduced, by number
};

}  // namespace tandem::trace
