#include "sim/trace/trace_sequence.hpp"

#include <fmt/format.h>

#include <cstring>

#include "isa/text/source_place.hpp"

namespace tandem::trace {
namespace {

using protobuf::put_bytes;
using protobuf::put_number;

constexpr char short_tag(std::uint32_t field, protobuf::WireType type) {
  return static_cast<char>(field << 3U | static_cast<std::uint8_t>(type));
}

// Whether it was marked before; marks it.
bool mark(std::vector<bool>& marks, std::uint32_t number) {
  if (number >= marks.size()) marks.resize(number + 1);
  const bool before = marks[number];
  marks[number] = true;
  return before;
}

std::string clock_entry(std::uint32_t id, bool incremental) {
  std::string clock;
  put_number(clock, field::clock_id, id);
  put_number(clock, field::clock_timestamp, 0);
  if (incremental) put_number(clock, field::clock_is_incremental, 1);
  return clock;
}

std::string clock_snapshot() {
  std::string snapshot;
  put_bytes(snapshot, field::clocks, clock_entry(incremental_clock, true));
  put_bytes(snapshot, field::clocks, clock_entry(boot_clock, false));
  return snapshot;
}

std::string all_note_names() {
  std::string names;
  for (std::size_t i = 0; i < note_names.size(); ++i) {
    std::string entry;
    put_number(entry, field::interned_id, i + 1);
    put_bytes(entry, field::interned_name, note_names[i]);
    put_bytes(names, field::annotation_names, entry);
  }
  return names;
}

// "loop+3 [jit(f)/add] (called at k.s:9)".
std::string function_name(const Image& image, std::uint32_t pc, const SourceFrame* source) {
  std::string text = place_name(image, pc);
  if (source == nullptr) return text;
  const std::string_view operation = image.source.operation_of(*source);
  if (!operation.empty()) text += fmt::format(" [{}]", operation);
  return text + image.source.callers_text(*source);
}

std::string source_entry(const Image& image, std::uint32_t location) {
  const std::uint32_t pc = location - 1;
  const SourceFrame* source = find_source(image, pc);
  std::string entry;
  put_number(entry, field::interned_id, location);
  if (source != nullptr) put_bytes(entry, field::file_name, image.source.file_of(*source));
  put_bytes(entry, field::function_name, function_name(image, pc, source));
  if (source != nullptr) put_number(entry, field::line_number, source->line);
  return entry;
}

}  // namespace

void put_track(std::string& out, std::uint64_t uuid, std::string_view title, Track parent,
               TrackKind kind) {
  std::string track;
  put_number(track, field::track_id, uuid);
  put_bytes(track, field::track_name, title);
  if (parent != Track::none) put_number(track, field::track_parent, uuid_of(parent));
  if (kind == TrackKind::counter) {
    std::string counter;
    put_bytes(counter, field::counter_unit_name, "%");
    put_bytes(track, field::track_counter, counter);
  }
  if (kind == TrackKind::group) put_number(track, field::child_ordering, explicit_ordering);
  put_number(track, field::sibling_rank, uuid);
  std::string packet;
  put_bytes(packet, field::track_descriptor, track);
  put_bytes(out, field::packet, packet);
}

Sequence::Sequence(std::uint32_t id, Program& program, std::string& out)
    : id_(id), program_(program) {
  std::string defaults;
  put_number(defaults, field::default_clock_id, incremental_clock);
  std::string packet;
  put_number(packet, field::sequence_id, id_);
  put_number(packet, field::sequence_flags, incremental_state_cleared);
  put_bytes(packet, field::packet_defaults, defaults);
  put_bytes(packet, field::clock_snapshot, clock_snapshot());
  put_bytes(packet, field::interned_data, all_note_names());
  put_bytes(out, field::packet, packet);
}

// Most of what a trace costs is spent here, so the bytes are laid out in one piece:
// packet { timestamp, sequence id, track event }.
void Sequence::event(std::string& out, std::uint64_t cycle, std::string_view event) {
  using protobuf::varint_size;
  using protobuf::write_varint;
  const std::uint64_t delta = cycle - clock_;
  clock_ = cycle;
  // Fields below 16 have tags of one byte.
  const std::size_t size =
      1 + varint_size(delta) + 1 + varint_size(id_) + 1 + varint_size(event.size()) + event.size();
  const std::size_t old_size = out.size();
  out.resize(old_size + 1 + varint_size(size) + size);
  char* at = out.data() + old_size;
  *at++ = short_tag(field::packet, protobuf::WireType::bytes);
  at = write_varint(at, size);
  *at++ = short_tag(field::timestamp, protobuf::WireType::varint);
  at = write_varint(at, delta);
  *at++ = short_tag(field::sequence_id, protobuf::WireType::varint);
  at = write_varint(at, id_);
  *at++ = short_tag(field::track_event, protobuf::WireType::bytes);
  at = write_varint(at, event.size());
  std::memcpy(at, event.data(), event.size());
}

void Sequence::interned(std::string& out, std::uint32_t field, std::string_view entry) const {
  std::string data;
  put_bytes(data, field, entry);
  std::string packet;
  put_number(packet, field::sequence_id, id_);
  put_bytes(packet, field::interned_data, data);
  put_bytes(out, field::packet, packet);
}

void Sequence::introduce_name(std::string& out, std::uint32_t name) {
  if (mark(names_, name)) return;
  std::string entry;
  put_number(entry, field::interned_id, name);
  put_bytes(entry, field::interned_name, program_.name(name));
  interned(out, field::event_names, entry);
}

void Sequence::introduce_source(std::string& out, std::uint32_t location) {
  if (mark(locations_, location)) return;
  interned(out, field::source_locations, source_entry(program_.image(), location));
}

}  // namespace tandem::trace
