#include "sim/trace_copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tandem::trace {
namespace {

std::string copy_name(const golden::Copy& copy) {
  return fmt::format("{} to {}", golden::memory_name(copy.source.space),
                     golden::memory_name(copy.destination.space));
}

// Saturates where no machine would get to the end of it.
std::uint64_t moved_bytes(const golden::Copy& copy) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(copy.runs(), std::uint64_t{copy.length}, &bytes)) {
    return ~std::uint64_t{0};
  }
  return bytes;
}

}  // namespace

golden::Copy parsed_copy(const CopyIssue& issue) {
  golden::Copy copy;
  copy.words = issue.descriptor;
  golden::parse_descriptor(copy, 0, 0);
  return copy;
}

// The lowest that is free, described when it is new.
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
  const golden::Copy copy = parsed_copy(event.copy);
  const std::uint32_t name = program_.name_number(copy_name(copy));
  const Flight flight{free_track(out), event.sequence + 1, copy.flag, copy.destination.space};
  flights_[event.sequence] = flight;
  sequence_.introduce_name(out, name);
  sequence_.introduce_source(out, pc + 1);
  std::string begin = event_bytes(EventType::slice_begin, flight.track, name, pc + 1);
  protobuf::put_fixed64(begin, field::flow_ids, flight.flow);
  add_note(begin, Note::bytes, moved_bytes(copy));
  add_note(begin, Note::source, event.copy.source);
  add_note(begin, Note::destination, event.copy.destination);
  add_note(begin, Note::flag, copy.flag);
  sequence_.event(out, event.cycle, begin);
  ++events_;
}

void Copies::done(std::string& out, const CopyDone& event) {
  const auto found = flights_.find(event.sequence);
  if (found == flights_.end()) return;  // it began before the stream did
  const Flight& flight = found->second;
  sequence_.event(out, event.cycle, event_bytes(EventType::slice_end, flight.track));
  busy_tracks_.at(flight.track - first_copy_track) = false;
  done_.at(flight.flag).push_back({flight.flow, flight.destination});
  flights_.erase(found);
}

std::vector<std::uint64_t> Copies::waited(std::uint32_t flag) {
  std::vector<std::uint64_t> flows;
  for (const Done& copy : done_.at(flag)) {
    flows.push_back(copy.flow);
    waited_.at(static_cast<std::size_t>(copy.destination)).push_back(copy.flow);
  }
  done_.at(flag).clear();
  return flows;
}

std::vector<std::uint64_t> Copies::used(golden::MemorySpace space) {
  return std::exchange(waited_.at(static_cast<std::size_t>(space)), {});
}

}  // namespace tandem::trace
