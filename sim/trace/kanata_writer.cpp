#include "sim/trace/kanata_writer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa/registers/registers.hpp"
#include "isa/text/source_place.hpp"
#include "isa/text/text.hpp"

namespace tandem {
namespace {

// Lane 0 is the path of a bundle, lane 1 shows why it waits; its operations have their own lanes.
constexpr int bundle_lane = 0;
constexpr int stall_lane = 1;
constexpr int first_slot_lane = 2;

int lane_of(Slot slot) { return first_slot_lane + static_cast<int>(slot); }

std::string stage(char command, std::uint64_t row, int lane, std::string_view name) {
  return fmt::format("{}\t{}\t{}\t{}\n", command, row, lane, name);
}

// Stages whose names contain an X carry the arrows of dependencies.
constexpr std::string_view waiting_stage = "Ds";
constexpr std::string_view issue_stage = "X";
constexpr std::string_view copy_stage = "Cp";

// Two letters, as Konata shows them.
std::string_view stage_of(BusyUnit unit) {
  switch (unit) {
    case BusyUnit::load: return "Ld";
    case BusyUnit::store: return "St";
    case BusyUnit::push: return "Pu";
    case BusyUnit::multiply: return "Mu";
    case BusyUnit::read: return "Rd";
    case BusyUnit::eup: return "Eu";
    case BusyUnit::xlu: return "Xl";
  }
  __builtin_unreachable();
}

}  // namespace

KanataWriter::KanataWriter(const Image& image, const CycleWindow& window, TextSink sink)
    : window_(window), program_(image), sink_(std::move(sink)) {
  sink_("Kanata\t0004\n");
}

void KanataWriter::lost(const LostCycles& event) {
  LostCycles inside = event;
  if (window_.clip(inside)) stalls_.push_back(inside);
}

void KanataWriter::issued(const IssueTiming& event) {
  const trace::BundleView& view = program_.view(event.pc);
  if (!window_.contains(event.cycle) || event.trap) {
    if (!event.trap) add_waits(event, view);
    starting_copy_.reset();
    return;
  }
  open_row(event);
  const std::uint64_t row = next_row_++;
  const std::uint64_t end = add_stages(event, view);
  add_waits(event, view);
  if (starting_copy_) {
    rows_[event.sequence] = row;
    busy_until_[event.sequence] = end;
    flows_.started(event.sequence, golden::issued_copy(starting_copy_->copy));
    add(event.cycle, stage('S', row, lane_of(Slot::dma), copy_stage));
    starting_copy_.reset();
  } else {
    retire(end, row);
  }
  write_before(event.cycle + 1);
}

// Its row begins with the first cycle that is lost waiting for it.
void KanataWriter::open_row(const IssueTiming& event) {
  const std::uint64_t first = stalls_.empty() ? event.cycle : stalls_.front().first;
  const auto label_of = [this](std::uint32_t pc) { return place_name(program_.image(), pc); };
  const std::string source = source_line(program_.image(), event.pc);
  add(first, fmt::format("I\t{}\t{}\t0\n", next_row_, event.sequence));
  add(first, fmt::format("L\t{}\t0\t{}: {}\n", next_row_, label_of(event.pc),
                         bundle_text(program_.image().text[event.pc], label_of)));
  if (!source.empty()) add(first, fmt::format("L\t{}\t1\t{}\n", next_row_, source));
  if (first != event.cycle) add(first, stage('S', next_row_, bundle_lane, waiting_stage));
  for (const LostCycles& stall : stalls_) {
    const std::string_view cause = stall_causes()[static_cast<std::size_t>(stall.cause)].name;
    add(stall.first, stage('S', next_row_, stall_lane, cause));
    add(stall.first + stall.count, stage('E', next_row_, stall_lane, cause));
  }
  stalls_.clear();
}

// Returns the cycle in which the last stage ends.
std::uint64_t KanataWriter::add_stages(const IssueTiming& event, const trace::BundleView& view) {
  const std::uint64_t row = next_row_ - 1;
  std::uint64_t end = event.cycle + 1;
  add(event.cycle, stage('S', row, bundle_lane, issue_stage));
  add(end, stage('E', row, bundle_lane, issue_stage));
  for (const trace::UnitSlice& slice : view.units) {
    if (((event.enabled >> static_cast<unsigned>(slice.slot)) & 1U) == 0) continue;
    const std::string_view name = stage_of(slice.use.unit);
    add(event.cycle, stage('S', row, lane_of(slice.slot), name));
    add(event.cycle + slice.use.cycles, stage('E', row, lane_of(slice.slot), name));
    end = std::max(end, event.cycle + slice.use.cycles);
  }
  return end;
}

// Arrows from the copies that the bundle waited for.
void KanataWriter::add_waits(const IssueTiming& event, const trace::BundleView& view) {
  if ((event.enabled & view.waits) == 0) return;
  for (const std::uint64_t sequence : flows_.waited(view.flag)) {
    const auto producer = rows_.find(sequence);
    if (producer == rows_.end()) continue;
    if (window_.contains(event.cycle)) {
      add(event.cycle, fmt::format("W\t{}\t{}\t0\n", next_row_ - 1, producer->second));
    }
    rows_.erase(producer);
  }
}

void KanataWriter::copy_done(const CopyDone& event) {
  flows_.done(event.sequence);
  const auto busy = busy_until_.find(event.sequence);
  if (busy == busy_until_.end()) return;
  const std::uint64_t row = rows_.at(event.sequence);
  add(event.cycle, stage('E', row, lane_of(Slot::dma), copy_stage));
  retire(std::max(event.cycle, busy->second), row);
  busy_until_.erase(busy);
}

void KanataWriter::end_copy(std::uint64_t cycle, std::uint64_t row) {
  add(cycle, stage('E', row, lane_of(Slot::dma), copy_stage));
  retire(cycle, row);
}

void KanataWriter::retire(std::uint64_t cycle, std::uint64_t row) {
  add(cycle, fmt::format("R\t{}\t{}\t0\n", row, retired_++));
}

void KanataWriter::write_before(std::uint64_t cycle) {
  std::string text;
  while (!lines_.empty() && lines_.begin()->first < cycle) {
    const auto [at, line] = *lines_.begin();
    lines_.erase(lines_.begin());
    if (!begun_) text += fmt::format("C=\t{}\n", at);
    if (begun_ && at != written_cycle_) text += fmt::format("C\t{}\n", at - written_cycle_);
    begun_ = true;
    written_cycle_ = at;
    text += line;
  }
  if (!text.empty()) sink_(text);
}

// Copies that are still in flight, for example at the end of a window, stop there.
void KanataWriter::finish() {
  const std::uint64_t last = lines_.empty() ? written_cycle_ : lines_.rbegin()->first;
  for (const auto& [sequence, end] : busy_until_) end_copy(std::max(last, end), rows_.at(sequence));
  write_before(~std::uint64_t{0});
}

}  // namespace tandem
