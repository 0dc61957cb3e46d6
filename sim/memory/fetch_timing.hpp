// Fetch and the I-cache in time (rtl/fetch/tpu_fetch.sv, rtl/fetch/tpu_icache.sv).
//
// Only the position of the fetch PC matters: its line, and whether it is inside the text. While no
// fill is in progress fetch sleeps until the cycle in which it wants something: nothing can happen
// before, unless the PC moves. Meanwhile the prefetch candidate, which walks over the lines ahead,
// one per cycle, is updated only when the PC moves.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "isa/archive/archive.hpp"
#include "isa/parameters.hpp"
#include "isa/timing.hpp"
#include "sim/memory/ring.hpp"

namespace tandem {

class FetchTiming {
 public:
  FetchTiming(const Parameters& parameters, std::uint32_t text_bundles);

  // ---- the issue side's view --------------------------------------------------------------------

  // The lookup of this PC hits, whenever it is, and leaves the fetch PC in the same line, or the
  // whole text is there: then nothing more is wanted, wherever the PC goes.
  [[nodiscard]] bool is_sure(std::uint32_t pc) const { return pc - sure_begin_ < sure_count_; }
  [[nodiscard]] bool in_text(std::uint32_t pc) const { return pc < text_bundles_; }
  // The fetch PC is in the line of `pc`, and both are inside the text or both outside.
  [[nodiscard]] bool is_at(std::uint32_t pc) const {
    return pc / timing::fetch_line_bundles == line_ && in_text(pc) == inside_;
  }
  [[nodiscard]] bool hit() const { return present(line_); }
  // The bundle at this PC of that line is there, perhaps before the rest of it.
  [[nodiscard]] bool hit(std::uint32_t pc) const {
    if (hit()) return true;
    if (fills_.empty() || fills_.front() != line_) return false;
    const std::uint32_t behind = pc % timing::fetch_line_bundles + 1;
    return fill_beats_ * timing::fetch_line_bundles >= behind * line_beats_;
  }
  // No fill is in progress, and nothing is wanted before the cycle wakes_at().
  [[nodiscard]] bool asleep() const { return asleep_; }
  [[nodiscard]] std::uint64_t wakes_at() const { return wakes_at_; }
  [[nodiscard]] bool sleeps_until(std::uint64_t cycle) const {
    return asleep_ && cycle <= wakes_at_;
  }
  // In the cycle wakes_at().
  void wake();

  // Moves the fetch PC, from this cycle on, if it is known that fetch sleeps before and after; else
  // does nothing and returns false.
  bool glide(std::uint64_t cycle, std::uint32_t pc) {
    const std::uint32_t line = pc / timing::fetch_line_bundles;
    if (!wants_no_line_ || !in_text(pc)) return false;
    if (line == line_) return true;
    if (quiet_lines_[index(line)] != line) return false;
    walk_ahead(cycle - asleep_from_);
    asleep_from_ = cycle;
    line_ = line;
    sure_begin_ = line * timing::fetch_line_bundles;
    return true;
  }
  // The fetch PC is `pc` from this cycle on; sleeps_until(cycle), or the state is that of `cycle`.
  void move(std::uint64_t cycle, std::uint32_t pc);
  // After a redirect a lookup that misses is a new miss.
  void forget_miss() { missing_ = false; }
  // Likewise: from this cycle on nothing is requested.
  void stop(std::uint64_t cycle);
  void find_sure_range();

  // ---- one cycle, unless asleep -----------------------------------------------------------------

  struct Wants {
    bool demand = false;
    bool prefetch = false;
    std::uint32_t candidate = 0;
  };
  [[nodiscard]] Wants wants() const;
  // One cycle with these wants: which requests the read port accepted, and whether a beat arrived.
  // Returns whether nothing happened, and nothing but the candidate's walk will happen before a
  // beat or a move.
  bool tick(std::uint64_t cycle, const Wants& wants, bool demand_accepted, bool prefetch_accepted,
            bool beat);
  // The same for n cycles in which nothing happens.
  void walk(std::uint64_t n);

  [[nodiscard]] std::uint32_t line() const { return line_; }
  [[nodiscard]] std::uint32_t line_beats() const { return line_beats_; }
  [[nodiscard]] bool idle() const { return fills_.empty(); }
  [[nodiscard]] std::uint64_t misses() const { return misses_; }

  template <typename A>
  void archive(A& a) {
    a(fixed(lines_), present_, fixed(quiet_lines_), wants_no_line_, sure_begin_, sure_count_, line_,
      inside_, running_, missing_, asleep_, asleep_from_, wakes_at_, ahead_, fills_, fill_beats_,
      misses_);
  }

 private:
  static constexpr std::uint32_t none = ~0U;
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  [[nodiscard]] std::uint32_t index(std::uint32_t line) const {
    return line & (static_cast<std::uint32_t>(lines_.size()) - 1);
  }
  [[nodiscard]] bool present(std::uint32_t line) const { return lines_[index(line)] == line; }
  [[nodiscard]] bool coming(std::uint32_t line) const;
  [[nodiscard]] bool line_in_text(std::uint32_t line) const {
    return line * timing::fetch_line_bundles < text_bundles_;
  }
  [[nodiscard]] std::uint32_t candidate() const {
    return ahead_ - line_ - 1 < ahead_lines_ ? ahead_ : line_ + 1;
  }
  // If all lines ahead are present, the candidate visits them in turn, one per cycle; after the
  // last line of the text it stays.
  void walk_ahead(std::uint64_t n) {
    if (n == 0) return;
    const std::uint64_t visited = candidate() - line_ - 1 + n - 1;
    const std::uint32_t lines = last_line_ - line_;
    const std::uint64_t place = lines < ahead_lines_ ? std::min<std::uint64_t>(visited + 1, lines)
                                                     : visited % ahead_lines_ + 1;
    ahead_ = line_ + 1 + static_cast<std::uint32_t>(place);
  }
  void settle(std::uint64_t cycle);
  [[nodiscard]] std::uint64_t first_want(std::uint64_t cycle) const;
  [[nodiscard]] bool wants_nothing() const;
  void fill_beat();

  std::uint32_t text_bundles_;
  std::uint32_t last_line_;  // of the text
  std::uint32_t line_beats_;
  std::uint32_t ahead_lines_;         // that prefetch requests after the current one
  std::vector<std::uint32_t> lines_;  // by index: the line that can be read, or none
  std::uint32_t present_ = 0;         // how many there are

  // Lines, by index, that are present together with all lines ahead of them in the text, as of the
  // last fill; and whether the fetch PC is in one.
  std::vector<std::uint32_t> quiet_lines_;
  bool wants_no_line_ = false;

  std::uint32_t sure_begin_ = 0;
  std::uint32_t sure_count_ = 0;

  std::uint32_t line_ = 0;  // of the fetch PC
  bool inside_ = false;     // the fetch PC is in the text
  bool running_ = true;
  bool missing_ = false;  // the lookup of the cycle before missed
  bool asleep_ = false;
  std::uint64_t asleep_from_ = 0;  // while asleep: the cycle that ahead_ belongs to
  std::uint64_t wakes_at_ = 0;
  std::uint32_t ahead_ = 0;                         // where the candidate's walk continues
  Ring<std::uint32_t, timing::fetch_fills> fills_;  // lines, in order of acceptance
  std::uint32_t fill_beats_ = 0;                    // beats of the first that have arrived
  std::uint64_t misses_ = 0;
};

}  // namespace tandem
