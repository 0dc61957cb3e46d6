// One sequence of packets: events in order of time on one clock that advances from packet to
// packet, with names and source lines of its own given when first used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/protobuf.hpp"
#include "sim/trace/trace_event.hpp"
#include "sim/trace/trace_program.hpp"

namespace tandem::trace {

// Appends the packet that describes a track.
void put_track(std::string& out, std::uint64_t uuid, std::string_view title, Track parent,
               TrackKind kind);

class Sequence {
 public:
  // Appends the sequence's first packet; its clock is at cycle 0.
  Sequence(std::uint32_t id, Program& program, std::string& out);

  // Appends one event; cycles must not decrease.
  void event(std::string& out, std::uint64_t cycle, std::string_view event);

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
