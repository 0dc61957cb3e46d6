#include "sim/trace_encoder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::trace {
namespace {

// Describes the tracks of the table; viewers keep its order.
std::string& with_tracks(std::string& out, std::string_view preset) {
  for (const TrackRow& row : tracks) {
    const std::string title = row.track == Track::machine ? fmt::format("{} {}", row.title, preset)
                                                          : std::string(row.title);
    put_track(out, uuid_of(row.track), title, row.parent, row.kind);
  }
  return out;
}

golden::MemorySpace source_space(const CopyStart& copy) {
  return golden::issued_copy(copy.copy).source.space;
}

void append(std::vector<std::uint64_t>& flows, const std::vector<std::uint64_t>& copies) {
  std::transform(copies.begin(), copies.end(), std::back_inserter(flows), flow_of);
}

}  // namespace

Encoder::Encoder(const Image& image, const CycleWindow& window, std::string_view title,
                 ByteSink sink)
    : window_(window),
      program_(image),
      blocks_(std::move(sink)),
      units_(program_, with_tracks(blocks_.packets(), image.preset->name)),
      bundles_(program_, units_, blocks_.packets()),
      copies_(program_, blocks_.packets()),
      use_(program_, window.first, blocks_.packets()),
      reached_(window.first) {
  const std::uint32_t name = program_.name_number("trace");
  std::string event = event_bytes(EventType::instant, uuid_of(Track::markers), name, 0);
  add_note(event, Note::format, format_version);
  add_note(event, Note::preset, image.preset->name);
  add_note(event, Note::window, title);
  bundles_.instant(blocks_.packets(), window.first, event, name);
}

void Encoder::lost(const LostCycles& event) {
  LostCycles inside = event;
  if (window_.clip(inside)) bundles_.lost(inside);
}

void Encoder::copy_started(const CopyStart& event) { starting_copy_ = event; }

// Uses come before waits: a bundle that waits for a copy is not its first use.
void Encoder::collect_flows(const IssueTiming& event, const BundleView& view) {
  using golden::MemorySpace;
  if ((event.enabled & view.reads_vmem) != 0)
    append(flows_.used, copy_flows_.used(MemorySpace::vmem));
  if ((event.enabled & view.reads_smem) != 0)
    append(flows_.used, copy_flows_.used(MemorySpace::smem));
  if (starting_copy_ && source_space(*starting_copy_) == MemorySpace::vmem) {
    append(flows_.used, copy_flows_.used(MemorySpace::vmem));
  }
  if ((event.enabled & view.waits) != 0) append(flows_.waited, copy_flows_.waited(view.flag));
}

void Encoder::issued_early(const IssueTiming& event) {
  if (starting_copy_) early_copies_[event.sequence] = {*starting_copy_, event.pc};
  starting_copy_.reset();
}

void Encoder::enter_window() {
  for (const auto& [sequence, copy] : early_copies_) {
    start_copy(copy.start, copy.pc);
  }
  early_copies_.clear();
}

void Encoder::issued(const IssueTiming& event) {
  if (event.cycle < window_.first) return issued_early(event);
  enter_window();
  if (event.cycle >= window_.end) return;
  const BundleView& view = program_.view(event.pc);
  reached_ = event.cycle;
  flows_.clear();
  if (!event.trap) collect_flows(event, view);
  bundles_.issued(blocks_, event, flows_);
  if (!event.trap) count_rows(event, view);
  if (starting_copy_) start_copy(*starting_copy_, event.pc);
  starting_copy_.reset();
  use_.reached(blocks_.packets(), event.cycle);
  blocks_.packets_added();
}

void Encoder::start_copy(const CopyStart& event, std::uint32_t pc) {
  copies_.started(blocks_.packets(), event, pc);
  copy_flows_.started(event.sequence, golden::issued_copy(event.copy));
}

void Encoder::count_rows(const IssueTiming& event, const BundleView& view) {
  if ((event.enabled & view.multiplies) != 0) {
    use_.busy(Track::use_mxu, event.cycle, view.multiply_rows);
  }
}

void Encoder::copy_done(const CopyDone& event) {
  if (event.cycle < window_.first) {
    early_copies_.erase(event.sequence);
    return;
  }
  enter_window();
  if (event.cycle >= window_.end) return;
  copies_.done(blocks_.packets(), event);
  copy_flows_.done(event.sequence);
}

void Encoder::beats(const MemoryBeats& event) {
  MemoryBeats inside = event;
  if (!window_.clip(inside)) return;
  switch (inside.path) {
    case MemoryPath::fetch: use_.busy(Track::use_fetch, inside.first, inside.count); return;
    case MemoryPath::copy_read: use_.busy(Track::use_read, inside.first, inside.count); return;
    case MemoryPath::copy_write: use_.busy(Track::use_write, inside.first, inside.count); return;
  }
}

void Encoder::progress(std::uint64_t cycle) {
  reached_ = std::max(reached_, std::min(cycle, window_.end));
}

void Encoder::ended(std::uint64_t cycles) {
  reached_ = std::min(cycles, window_.end);
  if (cycles < window_.first || cycles > window_.end) return;
  const std::uint32_t name = program_.name_number("end");
  std::string event = event_bytes(EventType::instant, uuid_of(Track::markers), name, 0);
  add_note(event, Note::cycles, cycles);
  bundles_.finish(blocks_.packets());
  bundles_.instant(blocks_.packets(), cycles, event, name);
}

void Encoder::finish() {
  bundles_.finish(blocks_.packets());
  units_.finish(blocks_.packets());
  use_.finish(blocks_.packets(), reached_);
  blocks_.flush();
}

std::uint64_t Encoder::events() const {
  return bundles_.events() + units_.events() + copies_.events() + use_.events();
}

}  // namespace tandem::trace
