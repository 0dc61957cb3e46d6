// Gliding, the short way to move the fetch PC while nothing is wanted, against moving.
#include "sim/memory/fetch_timing.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <utility>
#include <vector>

#include "cosim/rng.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

// Fetch with a memory that answers every line after the same time, one beat a cycle.
class Fetcher {
 public:
  Fetcher(const Parameters& preset, std::uint32_t text_bundles) : fetch_(preset, text_bundles) {
    fetch_.move(0, 0);
  }

  void move(std::uint64_t cycle, std::uint32_t pc, bool may_glide) {
    if (may_glide && fetch_.glide(cycle, pc)) {
      ++glides_;
      return;
    }
    if (!fetch_.sleeps_until(cycle)) advance(cycle);
    fetch_.move(cycle, pc);
  }
  // Where prefetch would look first if the fetch PC came to `pc` in this cycle.
  [[nodiscard]] std::uint32_t candidate(std::uint64_t cycle, std::uint32_t pc) const {
    Fetcher copy = *this;
    copy.move(cycle, pc, false);
    return copy.fetch_.wants().candidate;
  }
  // Lines asked for, and in which cycles.
  using Requests = std::vector<std::pair<std::uint64_t, std::uint32_t>>;
  [[nodiscard]] const Requests& requests() const { return requests_; }
  [[nodiscard]] std::uint64_t glides() const { return glides_; }

 private:
  void advance(std::uint64_t cycle) {
    while (now_ < cycle) {
      if (fetch_.asleep() && fetch_.wakes_at() > now_) {
        now_ = std::min(cycle, fetch_.wakes_at());
      } else {
        if (fetch_.asleep()) fetch_.wake();
        tick(now_++);
      }
    }
  }
  void tick(std::uint64_t cycle) {
    const FetchTiming::Wants wants = fetch_.wants();
    const bool prefetch = wants.prefetch && !wants.demand;
    const bool beat = !beats_.empty() && beats_.front() <= cycle;
    if (beat) beats_.pop_front();
    if (wants.demand) request(cycle, fetch_.line());
    if (prefetch) request(cycle, wants.candidate);
    fetch_.tick(cycle, wants, wants.demand, prefetch, beat);
  }
  void request(std::uint64_t cycle, std::uint32_t line) {
    requests_.emplace_back(cycle, line);
    for (std::uint32_t i = 0; i < fetch_.line_beats(); ++i) beats_.push_back(cycle + 10);
  }

  FetchTiming fetch_;
  std::uint64_t now_ = 0;
  std::deque<std::uint64_t> beats_;  // from which cycle each may come
  Requests requests_;
  std::uint64_t glides_ = 0;
};

}  // namespace

TEST_CASE("gliding to a line leaves fetch as moving there does") {
  Parameters machine = *find_preset("nano");
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Rng random(seed);
    machine.icache_bundles = 64U << random.below(3);  // so small that lines come and go
    const std::uint32_t text = 40 + random.below(2 * machine.icache_bundles);
    Fetcher glides(machine, text), moves(machine, text);
    std::uint64_t cycle = 0;
    std::uint32_t pc = 0;
    bool candidates_equal = true;
    for (int i = 0; i < 2000; ++i) {
      // Back and forth between few lines until all is there; now and then elsewhere.
      cycle += 1 + random.below(random.chance(4) ? 200 : 3);
      const std::uint32_t reach = random.chance(50) ? 24 : 48;
      pc = random.chance(90) ? pc + random.below(2 * reach) - reach : text - 1 - random.below(40);
      if (pc >= text) pc = random.below(text);
      glides.move(cycle, pc, true);
      moves.move(cycle, pc, false);
      candidates_equal =
          candidates_equal && glides.candidate(cycle + 1, pc) == moves.candidate(cycle + 1, pc);
    }
    INFO("seed " << seed);
    CHECK(glides.glides() != 0);
    CHECK(candidates_equal);
    REQUIRE((glides.requests() == moves.requests()));
  }
}
