#include "cosim/foreign/foreign_core.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "cosim/foreign/part_words.hpp"
#include "sim/counters/counter_registers.hpp"

namespace tandem {
namespace {

// Cycles without an event that pass in one step: the cycle-exact model follows them.
constexpr std::uint64_t longest_step = 16 * 1024;

}  // namespace

ForeignCore::ForeignCore(const Parameters& parameters, std::uint64_t hbm_bytes, CoreTerms& terms)
    : parameters_(parameters),
      terms_(terms),
      open_(std::make_unique<Group>(parameters)),
      hbm_(hbm_bytes),
      final_hbm_(hbm_bytes) {
  terms_.memory_is_closed = true;
  terms_.parts.reset();
}

// ---- input ----

void ForeignCore::close_group() {
  std::unique_ptr<Group> next;
  if (unused_.empty()) {
    next = std::make_unique<Group>(parameters_);
  } else {
    next = std::move(unused_.back());
    unused_.pop_back();
  }
  next->cycle = open_->cycle + 1;
  groups_.push_back(std::exchange(open_, std::move(next)));
}

void ForeignCore::set_cycle(std::uint64_t cycle) {
  if (cycle <= open_->cycle) return;
  if (open_->events.events() != 0) close_group();
  open_->cycle = cycle;
}

void ForeignCore::tell(CorePart part, std::uint64_t first, std::span<const std::uint32_t> words) {
  terms_.parts.set(static_cast<std::size_t>(part));
  if (part == CorePart::hbm) {
    hbm_runs_.push_back({first, {words.begin(), words.end()}});
  } else {
    words_[static_cast<std::size_t>(part)].assign(words.begin(), words.end());
  }
}

bool ForeignCore::all_of_hbm_is_told() const {
  return hbm_runs_.size() == 1 && 4 * hbm_runs_.front().words.size() == hbm_.size();
}

void ForeignCore::stop(const GoldenModel& golden) {
  golden_ = &golden;
  closed_ = true;
  if (open_->events.events() != 0) close_group();
  if (hbm_is_whole_ || hbm_reader_) terms_.parts.set(static_cast<std::size_t>(CorePart::hbm));
  if (hbm_is_whole_ || all_of_hbm_is_told()) return;
  std::uint64_t words = 0;
  for (const HbmRun& run : hbm_runs_) words += run.words.size();
  terms_.told_of_hbm = hbm_reader_ ? "the pages that golden has touched"
                                   : fmt::format("{} bytes that were told", 4 * words);
}

// ---- queries of lockstep ---

bool ForeignCore::cycle(EventSink* sink) {
  if (!groups_.empty() && groups_.front()->cycle <= cycles_) {
    Group& group = *groups_.front();
    if (sink != nullptr) group.events.give(*sink, [] { return false; });
    group.events.clear();
    unused_.push_back(std::move(groups_.front()));
    groups_.pop_front();
  }
  // Events of a later cycle wait for it.
  const std::uint64_t next = groups_.empty() ? open_->cycle : groups_.front()->cycle;
  stopped_ = closed_ && groups_.empty();
  cycles_ = stopped_ ? std::max(cycles_, next)
                     : std::max(cycles_ + 1, std::min(next, cycles_ + longest_step));
  return !stopped_;
}

MachineState ForeignCore::state() const {
  MachineState state;
  const auto halves = [this](CorePart part) {
    return reinterpret_cast<const std::uint16_t*>(words_of(part).data());
  };
  state.scalars = words_of(CorePart::sreg).data();
  state.flags = words_of(CorePart::flag).data();
  if (terms_.tells(CorePart::preg)) {
    state.predicates = static_cast<std::uint8_t>(words_of(CorePart::preg)[0]);
  }
  state.masks = words_of(CorePart::mreg).data();
  state.vectors = words_of(CorePart::vreg).data();
  state.accumulators = words_of(CorePart::acc).data();
  state.weights_active = halves(CorePart::weights_active);
  state.weights_filling = halves(CorePart::weights_filling);
  state.vmem = words_of(CorePart::vmem).data();
  state.smem = words_of(CorePart::smem).data();
  return state;
}

void ForeignCore::ask_for_pages() const {
  constexpr std::uint64_t page_words = SparseMemory::page_bytes / 4;
  for (const std::uint64_t page : golden_->hbm().touched_pages()) {
    HbmRun run{page * page_words, std::vector<std::uint32_t>(page_words)};
    if (hbm_reader_(run.first, run.words)) hbm_runs_.push_back(std::move(run));
  }
}

// Parts not reported are as in golden, so that they do not differ.
const SparseMemory& ForeignCore::hbm() const {
  if (!closed_ || has_final_hbm_) return closed_ ? final_hbm_ : hbm_;
  has_final_hbm_ = true;
  if (hbm_reader_) ask_for_pages();
  if (!hbm_is_whole_ && hbm_runs_.empty()) {
    terms_.parts.reset(static_cast<std::size_t>(CorePart::hbm));
  }
  final_hbm_ = hbm_is_whole_ ? hbm_ : golden_->hbm();
  for (const HbmRun& run : hbm_runs_) final_hbm_.write_words(4 * run.first, run.words);
  return final_hbm_;
}

MachineStatus ForeignCore::status() {
  if (!terms_.tells(CorePart::status)) return {};
  return status_of(words_of(CorePart::status));
}

CounterValues ForeignCore::counters() {
  if (!terms_.tells(CorePart::counters)) return {};
  return counters_of(words_of(CorePart::counters));
}

std::uint32_t ForeignCore::read_register(std::uint32_t number) {
  return counter_register(counters(), number).value_or(0);
}

}  // namespace tandem
