#include "sim/trace/trace_copies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa/golden/copy.hpp"

namespace tandem::trace {
namespace {

std::string copy_name(const golden::Copy& copy) {
  return fmt::format("{} to {}", golden::memory_name(copy.source.space),
                     golden::memory_name(copy.destination.space));
}

// Saturates: no machine would ever reach the end.
std::uint64_t moved_bytes(const golden::Copy& copy) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(copy.runs(), std::uint64_t{copy.length}, &bytes)) {
    return ~std::uint64_t{0};
  }
  return bytes;
}

}  // namespace

// The lowest free one, described when new.
std::uint64_t Copies::free_track(std::string& out) {
  const auto found = std::find(busy_tracks_.begin(), busy_tracks_.end(), false);
  const std::uint64_t uuid =
      first_copy_track + static_cast<std::uint64_t>(found - busy_tracks_.begin());
  if (found != busy_tracks_.end()) {
    *found = true;
    return uuid;
  }
  busy_tracks_.push_back(true);
  put_track(out, uuid, "copy", Track::copies, TrackKind::slices);
  return uuid;
}

void Copies::started(std::string& out, const CopyStart& event, std::uint32_t pc) {
  const golden::Copy copy = golden::issued_copy(event.copy);
  const std::uint32_t name = program_.name_number(copy_name(copy));
  const std::uint64_t track = free_track(out);
  tracks_[event.sequence] = track;
  sequence_.introduce_name(out, name);
  sequence_.introduce_source(out, pc + 1);
  std::string begin = event_bytes(EventType::slice_begin, track, name, pc + 1);
  protobuf::put_fixed64(begin, field::flow_ids, flow_of(event.sequence));
  add_note(begin, Note::bytes, moved_bytes(copy));
  add_note(begin, Note::source, event.copy.source);
  add_note(begin, Note::destination, event.copy.destination);
  add_note(begin, Note::flag, copy.flag);
  sequence_.event(out, event.cycle, begin);
  ++events_;
}

void Copies::done(std::string& out, const CopyDone& event) {
  const auto found = tracks_.find(event.sequence);
  if (found == tracks_.end()) return;  // it began before the stream did
  sequence_.event(out, event.cycle, event_bytes(EventType::slice_end, found->second));
  busy_tracks_.at(found->second - first_copy_track) = false;
  tracks_.erase(found);
}

}  // namespace tandem::trace
