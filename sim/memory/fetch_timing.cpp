#include "sim/memory/fetch_timing.hpp"

#include <algorithm>

namespace tandem {
namespace {

constexpr std::uint32_t line_bundles = timing::fetch_line_bundles;
constexpr std::uint32_t line_bytes = line_bundles * bundle_bytes;

}  // namespace

FetchTiming::FetchTiming(const Parameters& parameters, std::uint32_t text_bundles)
    : text_bundles_(text_bundles),
      last_line_((text_bundles - 1) / line_bundles),
      line_beats_(line_bytes / parameters.beat_bytes()),
      ahead_lines_(std::min(timing::fetch_ahead, parameters.icache_bundles / line_bundles / 8)),
      lines_(parameters.icache_bundles / line_bundles, none),
      quiet_lines_(lines_.size(), none) {}

bool FetchTiming::coming(std::uint32_t line) const {
  for (std::uint32_t i = 0; i < fills_.size(); ++i) {
    if (fills_[i] == line) return true;
  }
  return false;
}

void FetchTiming::move(std::uint64_t cycle, std::uint32_t pc) {
  if (asleep_) {
    if (cycle > asleep_from_) missing_ = false;
    walk(cycle - asleep_from_);
  }
  line_ = pc / line_bundles;
  inside_ = in_text(pc);
  settle(cycle);
}

void FetchTiming::stop(std::uint64_t cycle) {
  running_ = false;
  sure_count_ = 0;
  settle(cycle);
}

// In the state of this cycle: sleeps if it can.
void FetchTiming::settle(std::uint64_t cycle) {
  wants_no_line_ = false;
  asleep_ = fills_.empty();
  if (!asleep_) return;
  asleep_from_ = cycle;
  wakes_at_ = first_want(cycle);
  // A candidate after the text's end stays there, whatever is missing: no request does not mean
  // that no line is missing.
  wants_no_line_ = running_ && inside_ && hit() && wants_nothing();
  if (wants_no_line_) quiet_lines_[index(line_)] = line_;
}

// Without a fill in progress: the cycle in which the PC's line or a line ahead is asked for, from
// this one on and if the PC stays.
std::uint64_t FetchTiming::first_want(std::uint64_t cycle) const {
  if (!running_ || !inside_) return never;
  if (!hit()) return cycle;
  std::uint32_t line = candidate();
  for (std::uint32_t i = 0; i < ahead_lines_; ++i) {
    if (!present(line)) return line_in_text(line) ? cycle + i : never;
    if (++line == line_ + ahead_lines_ + 1) line = line_ + 1;
  }
  return never;
}

void FetchTiming::wake() {
  if (wakes_at_ > asleep_from_) missing_ = false;
  walk(wakes_at_ - asleep_from_);
  asleep_ = false;
  wants_no_line_ = false;
  std::fill(quiet_lines_.begin(), quiet_lines_.end(), none);
}

// None of the fills in progress may be about to overwrite the line; later ones cannot, since the
// lines ahead never share its place.
void FetchTiming::find_sure_range() {
  sure_count_ = 0;
  if (present_ * line_bundles >= text_bundles_) {
    sure_begin_ = 0;
    sure_count_ = text_bundles_;
    return;
  }
  if (!inside_ || !hit()) return;
  for (std::uint32_t i = 0; i < fills_.size(); ++i) {
    if (index(fills_[i]) == index(line_)) return;
  }
  sure_begin_ = line_ * line_bundles;
  sure_count_ = std::min(line_bundles, text_bundles_ - sure_begin_) - 1;
}

FetchTiming::Wants FetchTiming::wants() const {
  Wants wants;
  wants.candidate = candidate();
  if (!running_ || !inside_) return wants;
  wants.demand = !hit() && !coming(line_) && !fills_.full();
  wants.prefetch = fills_.size() < timing::fetch_fills - 1 && line_in_text(wants.candidate) &&
                   !present(wants.candidate) && !coming(wants.candidate);
  return wants;
}

bool FetchTiming::tick(std::uint64_t cycle, const Wants& wants, bool demand_accepted,
                       bool prefetch_accepted, bool beat) {
  const bool missing = running_ && inside_ && !hit();
  const bool quiet = missing == missing_ && !wants.demand && !beat && wants_nothing();
  if (missing && !missing_) ++misses_;
  missing_ = missing;
  const bool useful = !present(wants.candidate) && !coming(wants.candidate);
  ahead_ = wants.candidate + (prefetch_accepted || !useful ? 1 : 0);
  // A fill accepted in the cycle in which another ends: the ring has room, as `wants` has checked.
  if (demand_accepted) fills_.push(line_);
  if (prefetch_accepted) fills_.push(wants.candidate);
  if (beat) fill_beat();
  if (fills_.empty()) settle(cycle + 1);
  return quiet;
}

// Wherever the candidate is.
bool FetchTiming::wants_nothing() const {
  if (!running_ || !inside_ || fills_.size() >= timing::fetch_fills - 1) return true;
  for (std::uint32_t i = 1; i <= ahead_lines_; ++i) {
    const std::uint32_t line = line_ + i;
    if (line_in_text(line) && !present(line) && !coming(line)) return false;
  }
  return true;
}

void FetchTiming::walk(std::uint64_t n) {
  // The candidate returns to its place after one round, or stays at a missing line.
  const std::uint64_t round = ahead_lines_;
  if (n > round) n = round + n % round;
  for (; n != 0; --n) {
    const std::uint32_t line = candidate();
    const bool useful = !present(line) && !coming(line);
    ahead_ = line + (useful ? 0 : 1);
  }
}

void FetchTiming::fill_beat() {
  std::uint32_t& place = lines_[index(fills_.front())];
  if (fill_beats_ == 0) {
    present_ -= place != none ? 1 : 0;
    place = none;
  }
  if (++fill_beats_ < line_beats_) return;
  place = fills_.front();
  ++present_;
  fills_.pop();
  fill_beats_ = 0;
}

}  // namespace tandem
