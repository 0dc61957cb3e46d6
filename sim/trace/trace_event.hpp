// The bytes of Perfetto's TrackEvents.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/trace/trace_format.hpp"

namespace tandem::trace {

// One without a name: the end of a slice, a counter.
std::string event_bytes(EventType type, std::uint64_t track);
// A beginning slice or an instant with its name and source (0: none).
std::string event_bytes(EventType type, std::uint64_t track, std::uint32_t name,
                        std::uint32_t location);
void add_note(std::string& event, Note note, std::uint64_t value);
void add_note(std::string& event, Note note, std::string_view value);

}  // namespace tandem::trace
