#include "sim/trace/trace_bundles.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::trace {
namespace {

void add_flows(std::string& event, std::uint32_t field, std::span<const std::uint64_t> flows) {
  for (const std::uint64_t flow : flows) protobuf::put_fixed64(event, field, flow);
}

std::string end_of(Track track) { return event_bytes(EventType::slice_end, uuid_of(track)); }

bool is_enabled(std::uint16_t enabled, std::size_t slot) { return ((enabled >> slot) & 1U) != 0; }
bool is_enabled(std::uint16_t enabled, const UnitSlice& slice) {
  return is_enabled(enabled, static_cast<std::size_t>(slice.slot));
}

}  // namespace

Bundles::Bundles(Program& program, Units& units, std::string& out)
    : program_(program),
      units_(units),
      sequence_(bundle_sequence, program, out),
      memories_(program.image().text.size()),
      introduced_(program.image().text.size()),
      issue_end_(end_of(Track::issue)),
      stall_end_(end_of(Track::stalls)) {
  for (const CounterRow& cause : stall_causes()) {
    const std::uint32_t name = program.name_number(std::string(cause.name));
    cause_names_.at(cause.number) = name;
    sequence_.introduce_name(out, name);
  }
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    slot_ends_[slot] = end_of(track_of(static_cast<Slot>(slot)));
  }
}

void Bundles::put(std::string& out, std::uint64_t cycle, std::string_view event, bool counts) {
  sequence_.event(out, cycle, event);
  if (counts) ++events_;
}

void Bundles::instant(std::string& out, std::uint64_t cycle, std::string_view event,
                      std::uint32_t name) {
  sequence_.introduce_name(out, name);
  put(out, cycle, event, true);
}

// Whether its packets equal those of any other issue of this bundle after the same stalls.
bool Bundles::is_plain(const IssueTiming& event, const Flows& flows) const {
  const std::uint64_t start = stalls_.empty() ? event.cycle : stalls_.front().first;
  return flows.empty() && stalls_.size() <= kept_stalls && start == sequence_.clock();
}

Bundles::Key Bundles::key_of(const IssueTiming& event, const BundleView& view) const {
  Key key{};
  std::size_t word = 0;
  key[word++] = event.enabled | std::uint64_t{stalls_.size()} << 16U;
  for (const LostCycles& stall : stalls_) {
    key[word++] = stall.count << 8U | static_cast<std::uint8_t>(stall.cause);
  }
  word = 1 + kept_stalls;
  for (const UnitSlice& slice : view.units) {
    if (is_enabled(event.enabled, slice)) {
      const Units::Gap gap = units_.gap(slice, event.cycle);
      key[word] = gap.since;
      key.back() = key.back() << 16U | gap.busy;
    }
    ++word;
  }
  return key;
}

// Word by word: reading words as a vector that have only just been written stalls.
bool Bundles::same(const Key& a, const Key& b) {
  std::size_t word = 0;
  while (word < a.size() && a[word] == b[word]) ++word;
  return word == a.size();
}

Bundles::Variant* Bundles::find(std::uint32_t pc, const Key& key) {
  for (Variant& variant : memories_[pc].variants) {
    if (same(variant.key, key)) return &variant;
  }
  return nullptr;
}

Bundles::Variant& Bundles::replaced(std::uint32_t pc) {
  Memory& memory = memories_[pc];
  if (memory.variants.size() < kept_variants) memory.variants.emplace_back();
  Variant& variant = memory.variants[memory.next];
  memory.next = (memory.next + 1) % kept_variants;
  variant = {};
  return variant;
}

void Bundles::repeat(Blocks& blocks, Variant& variant, const IssueTiming& event,
                     const BundleView& view) {
  blocks.add(variant.piece);
  events_ += variant.events;
  sequence_.set_clock(event.cycle + 1);
  stalls_.clear();
  for (const UnitSlice& slice : view.units) {
    if (is_enabled(event.enabled, slice)) units_.started_again(event.cycle, slice);
  }
}

void Bundles::issued(Blocks& blocks, const IssueTiming& event, const Flows& flows) {
  const BundleView& view = program_.view(event.pc);
  last_location_ = view.location;
  if (!is_plain(event, flows)) return encode(blocks.packets(), event, flows);
  const Key key = key_of(event, view);
  if (Variant* known = find(event.pc, key)) return repeat(blocks, *known, event, view);
  Variant& variant = replaced(event.pc);
  variant.key = key;
  const std::uint64_t before = events_;
  encode(variant.piece.packets, event, flows);
  variant.events = static_cast<std::uint32_t>(events_ - before);
  blocks.add(variant.piece);
}

void Bundles::issued_again(std::uint64_t cycle, std::uint64_t events, std::uint32_t pc) {
  sequence_.set_clock(cycle);
  events_ += events;
  last_location_ = program_.view(pc).location;
}

void Bundles::introduce(std::string& out, std::uint32_t pc) {
  if (introduced_[pc]) return;
  introduced_[pc] = true;
  const BundleView& view = program_.view(pc);
  sequence_.introduce_source(out, view.location);
  sequence_.introduce_name(out, view.place);
  for (const std::uint32_t name : view.names) {
    if (name != 0) sequence_.introduce_name(out, name);
  }
  if (view.marks != 0) {
    sequence_.introduce_name(out, program_.name_number(fmt::format("marker {}", view.code)));
  }
  for (const UnitSlice& slice : view.units) units_.introduce(out, slice, view);
}

void Bundles::encode(std::string& out, const IssueTiming& event, const Flows& flows) {
  const BundleView& view = program_.view(event.pc);
  encode_stalls(out, event.cycle, view.location);
  std::string begin =
      event_bytes(EventType::slice_begin, uuid_of(Track::issue), view.place, view.location);
  add_flows(begin, field::terminating_flow_ids, flows.used);
  put(out, event.cycle, begin, true);
  encode_slots(out, event, view, flows);
  for (const UnitSlice& slice : view.units) {
    if (is_enabled(event.enabled, slice)) units_.started(out, event.cycle, slice);
  }
}

// The program may have begun outside its text.
void Bundles::trapped(std::string& out, const IssueTiming& event) {
  const bool in_text = event.pc < introduced_.size();
  if (in_text) introduce(out, event.pc);
  last_location_ = in_text ? program_.view(event.pc).location : 0;
  const std::uint32_t name =
      program_.name_number(fmt::format("trap {}", trap_name(event.trap.cause)));
  sequence_.introduce_name(out, name);
  encode_stalls(out, event.cycle, last_location_);
  put(out, event.cycle,
      event_bytes(EventType::instant, uuid_of(Track::issue), name, last_location_), true);
}

// Those before that cycle; a trap is decided in the first of the cycles that it drains.
void Bundles::encode_stalls(std::string& out, std::uint64_t before, std::uint32_t location) {
  std::size_t done = 0;
  for (; done < stalls_.size() && stalls_[done].first < before; ++done) {
    const LostCycles& stall = stalls_[done];
    const std::uint32_t name = cause_names_.at(static_cast<std::size_t>(stall.cause));
    put(out, stall.first,
        event_bytes(EventType::slice_begin, uuid_of(Track::stalls), name, location), true);
    put(out, stall.first + stall.count, stall_end_, false);
  }
  stalls_.erase(stalls_.begin(), stalls_.begin() + static_cast<std::ptrdiff_t>(done));
}

void Bundles::encode_slots(std::string& out, const IssueTiming& event, const BundleView& view,
                           const Flows& flows) {
  if ((view.marks & event.enabled) != 0) {
    const std::uint32_t name = program_.name_number(fmt::format("marker {}", view.code));
    std::string mark =
        event_bytes(EventType::instant, uuid_of(Track::markers), name, view.location);
    add_note(mark, Note::code, view.code);
    put(out, event.cycle, mark, true);
  }
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (!is_enabled(event.enabled, slot)) continue;
    const std::uint64_t track = uuid_of(track_of(static_cast<Slot>(slot)));
    std::string begin = event_bytes(EventType::slice_begin, track, view.names[slot], view.location);
    if (is_enabled(view.waits, slot)) add_flows(begin, field::flow_ids, flows.waited);
    put(out, event.cycle, begin, true);
  }
  put(out, event.cycle + 1, issue_end_, false);
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    if (is_enabled(event.enabled, slot)) put(out, event.cycle + 1, slot_ends_[slot], false);
  }
}

void Bundles::finish(std::string& out) { encode_stalls(out, ~std::uint64_t{0}, last_location_); }

}  // namespace tandem::trace
