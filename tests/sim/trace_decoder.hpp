// Reads a trace with Perfetto's own schema and the library of protobuf's authors, without any code
// of the writer: the view of a trace viewer.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tandem::test {

struct DecodedEvent {
  std::uint64_t track = 0;
  std::string name;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // of an instant: begin; of a slice that stays open: ~0
  std::string file;
  std::string function;
  std::uint32_t line = 0;
  std::vector<std::uint64_t> flows;        // both kinds
  std::vector<std::uint64_t> terminating;  // of them
  std::map<std::string, std::uint64_t> numbers;
  std::map<std::string, std::string> texts;
};

struct DecodedTrack {
  std::string name;
  std::uint64_t parent = 0;
  bool is_counter = false;
};

struct DecodedTrace {
  std::map<std::uint64_t, DecodedTrack> tracks;
  std::vector<DecodedEvent> slices;  // in the order of their beginnings within a track
  std::vector<DecodedEvent> instants;
  std::map<std::uint64_t, std::vector<std::pair<std::uint64_t, std::int64_t>>> counters;

  // The track with that name below the one named `parent`; throws std::runtime_error if there is
  // none.
  [[nodiscard]] std::uint64_t track(const std::string& parent, const std::string& name) const;
  [[nodiscard]] std::vector<DecodedEvent> slices_on(std::uint64_t track) const;
  // As the writer counts them.
  [[nodiscard]] std::uint64_t events() const;
};

// All packets of a file, without compression; throws std::runtime_error.
std::string packets_of(const std::string& file);

// Throws std::runtime_error at anything that is not as the schema wants it: unknown fields, events
// on undescribed tracks, slices that overlap or end without having begun, ids that were never
// introduced.
DecodedTrace decode_trace(const std::string& file);

}  // namespace tandem::test
