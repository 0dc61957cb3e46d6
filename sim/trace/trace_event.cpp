#include "sim/trace/trace_event.hpp"

#include "sim/trace/protobuf.hpp"

namespace tandem::trace {

using protobuf::put_bytes;
using protobuf::put_number;

std::string event_bytes(EventType type, std::uint64_t track) {
  std::string event;
  put_number(event, field::type, static_cast<std::uint64_t>(type));
  put_number(event, field::track_uuid, track);
  return event;
}

std::string event_bytes(EventType type, std::uint64_t track, std::uint32_t name,
                        std::uint32_t location) {
  std::string event = event_bytes(type, track);
  put_number(event, field::name_iid, name);
  if (location != 0) put_number(event, field::source_location_iid, location);
  return event;
}

void add_note(std::string& event, Note note, std::uint64_t value) {
  std::string annotation;
  put_number(annotation, field::note_name_iid, static_cast<std::uint64_t>(note));
  put_number(annotation, field::note_number, value);
  put_bytes(event, field::annotations, annotation);
}

void add_note(std::string& event, Note note, std::string_view value) {
  std::string annotation;
  put_number(annotation, field::note_name_iid, static_cast<std::uint64_t>(note));
  put_bytes(annotation, field::note_text, value);
  put_bytes(event, field::annotations, annotation);
}

}  // namespace tandem::trace
