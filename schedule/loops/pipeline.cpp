#include "schedule/loops/pipeline.hpp"

#include <algorithm>

#include "schedule/loops/bounds.hpp"
#include "schedule/loops/expand_loop.hpp"

namespace tandem::schedule {
namespace {

constexpr std::uint32_t most_copies = 8;    // of the kernel
constexpr std::uint32_t small_enough = 48;  // number of bundles that any loop may grow to
constexpr std::uint32_t cycles_between_branches = 12;
constexpr std::uint32_t intervals_tried = 40;  // beyond the minimum
constexpr std::uint32_t long_interval = 256;
constexpr std::uint32_t long_intervals_tried = 16;
constexpr std::uint64_t work_of_loop = 100'000'000;

// The work spent on a loop, over all attempts together, is lost to the others.
class Payment {
 public:
  Payment(Work* from, const Work& work) : from_(from), work_(work), before_(work.left()) {}
  ~Payment() {
    if (from_ != nullptr) from_->spend(before_ - work_.left());
  }
  Payment(const Payment&) = delete;
  Payment& operator=(const Payment&) = delete;

 private:
  Work* from_;
  const Work& work_;
  std::uint64_t before_;
};

// Values wanted after the loop must outlive the iterations that run ahead of the last.
std::uint32_t names_needed(const ValueNames& names, const ModuloSchedule& schedule) {
  const std::uint32_t cycles = lifetime(names.value, schedule);
  const std::uint32_t needed = (cycles + schedule.interval - 1) / schedule.interval;
  const bool early = schedule.times[names.value.writer] / schedule.interval < schedule.ahead;
  return std::max({1U, needed, names.wanted && early ? schedule.ahead + 1 : 1U});
}

// Every number of names must divide the number of copies of the kernel.
void unroll(Expansion& plan, std::uint32_t copies) {
  plan.unroll = copies;
  for (ValueNames& names : plan.names) {
    while (plan.unroll % names.count != 0) ++names.count;
  }
}

// The branch back costs an extra cycle each time it is taken: unroll so that it is rare, if there
// is room.
bool unroll_within(Expansion& plan, std::uint32_t most_bundles) {
  if (plan.once()) return expanded_bundles(plan) <= most_bundles;
  const std::uint32_t least = plan.unroll;
  std::uint32_t wanted = cycles_between_branches / (plan.schedule->interval * least);
  if (plan.hint.unroll != 0) wanted = (plan.hint.unroll + least - 1) / least;
  for (std::uint32_t times = std::max(1U, std::min(wanted, most_copies / least)); times > 0;
       --times) {
    Expansion larger = plan;
    unroll(larger, least * times);
    if (expanded_bundles(larger) > most_bundles) continue;
    plan = larger;
    return true;
  }
  return false;
}

// Within this many bundles, which may allow more copies of the kernel than names require.
bool can_be_written(Expansion& plan, std::uint32_t most_bundles) {
  Expansion written = plan;
  if (!unroll_within(written, most_bundles) || !can_expand(written)) return false;
  plan = std::move(written);
  return true;
}

bool is_smaller(const Expansion& a, const Expansion& b) {
  return a.unroll < b.unroll && expanded_bundles(a) <= expanded_bundles(b);
}

// Whether the shorter interval of the larger one saves more cycles, each time the loop is entered,
// than fetching its bundles takes.
bool pays(const Expansion& large, const Expansion& small) {
  const std::uint64_t saved = small.schedule->interval - large.schedule->interval;
  constexpr std::uint32_t fetch = 2;  // cycles of a bundle, where the cache has none of it
  const std::uint32_t bundles = expanded_bundles(large) - expanded_bundles(small);
  return saved * large.hint.fewest > std::uint64_t{fetch} * bundles;
}

}  // namespace

LoopPipeliner::LoopPipeliner(const LinearBlock& block, const std::vector<Region>& regions,
                             const PressureMap& pressure, const Promises& promises,
                             const Parameters& preset, const PipelineOptions& options,
                             const Faults* faults)
    : block_(block),
      regions_(regions),
      pressure_(pressure),
      promises_(promises),
      preset_(preset),
      options_(options),
      faults_(faults),
      live_(in_sequence(block)) {}

// Values alive in each row, all iterations together.
bool LoopPipeliner::fits_registers(const LoopGraph& graph, const ModuloSchedule& schedule,
                                   std::uint32_t region) const {
  std::vector<std::array<std::int32_t, file_count>> alive(schedule.interval);
  for (const LoopValue& value : graph.values) {
    const std::uint32_t cycles = std::max(1U, lifetime(value, schedule));
    const auto file = static_cast<std::size_t>(*block_.virtuals[value.id].file);
    // Whole intervals count in every row, the rest in the rows starting at the write.
    const bool counted = !pressure_.is_local(value.id);  // once, by the room
    const std::uint32_t rounds = cycles / schedule.interval;
    for (std::uint32_t i = 0; i < schedule.interval; ++i) {
      const bool left = i < cycles % schedule.interval;
      const std::uint32_t lives = rounds + (left ? 1 : 0);
      const std::uint32_t row = (schedule.times[value.writer] + 1 + i) % schedule.interval;
      alive[row][file] += static_cast<std::int32_t>(lives - (counted && lives != 0 ? 1 : 0));
    }
  }
  auto room = pressure_.room(region);
  const auto spare = options_.spare.find(block_.operations[regions_[region].first].tag);
  if (spare != options_.spare.end()) {
    for (std::size_t f = 0; f < file_count; ++f) room[f] -= spare->second[f];
  }
  return std::all_of(alive.begin(), alive.end(), [&](const auto& row) {
    for (std::size_t f = 0; f < file_count; ++f) {
      if (row[f] > room[f]) return false;
    }
    return true;
  });
}

bool LoopPipeliner::append(std::uint32_t region, Values& values, Bundled& result,
                           LoopReport& report) {
  const Region& where = regions_[region];
  const Hint hint = hint_of(where);
  if (hint.heat == Heat::cold) {
    report.reason = "it is cold";
    return false;
  }
  Refusal refusal;
  auto graph = loop_graph(block_, where, values, promises_, preset_, refusal);
  if (!graph) {
    report.reason = refusal.reason;
    report.culprit = block_.operations[refusal.operation].tag;
    return false;
  }
  err(faults_, &Faults::loop, block_, *graph);
  report.bounds = bounds_of(block_, *graph, 0);
  // Running ahead costs a stage and registers: only if the branch is the bottleneck.
  const LoopBounds ahead_bounds = bounds_of(block_, *graph, 1);
  const std::uint32_t ahead = ahead_bounds.minimum() < report.bounds.minimum() ? 1 : 0;
  if (ahead != 0) report.bounds = ahead_bounds;
  if (report.bounds.by_recurrence()) {
    for (const std::uint32_t node : slowest_round(*graph, report.bounds, ahead)) {
      report.round.push_back(block_.operations[where.first + node].tag);
    }
  }
  if (const auto known = hopeless(where.first)) {
    report.reason = *known;
    return false;
  }
  report.reason = "no interval found";
  const std::uint32_t minimum = report.bounds.minimum();
  Work work(options_.work == nullptr ? work_of_loop
                                     : std::min(work_of_loop, options_.work->left()));
  const Payment payment(options_.work, work);
  std::optional<Candidate> best = best_of(ahead, minimum, *graph, region, report.reason, work);
  if (best) {
    write(*best, result, report);
    return true;
  }
  if (options_.hopeless != nullptr && minimum >= long_interval)
    options_.hopeless->emplace(where.first, report.reason);
  return false;
}

// The shortest interval, from `minimum` on, that can be written.
std::optional<LoopPipeliner::Candidate> LoopPipeliner::best_of(
    std::uint32_t ahead, std::uint32_t minimum, const LoopGraph& graph, std::uint32_t region,
    std::string& reason, Work& work) const {
  // One cycle matters little to a long interval, and each attempt takes long.
  constexpr std::uint32_t parts = 48;
  const std::uint32_t step = std::max(1U, minimum / parts);
  const std::uint32_t tried = minimum < long_interval ? intervals_tried : long_intervals_tried;
  const std::uint32_t loop = options_.known->number_of(block_, graph);
  std::optional<Candidate> best;
  for (std::uint32_t i = 0; i < tried; ++i) {
    Candidates found = candidates({loop, minimum + i * step, ahead}, graph, region, reason, work);
    if (!best) best = std::move(found.large);
    if (!found.small) continue;
    if (!best || !pays(best->plan, found.small->plan)) best = std::move(found.small);
    break;
  }
  return best;
}

void LoopPipeliner::write(Candidate& chosen, Bundled& result, LoopReport& report) const {
  err(faults_, &Faults::modulo, *chosen.schedule);
  err(faults_, &Faults::expansion, chosen.plan);
  expand_loop(chosen.plan, result);
  report.pipelined = true;
  report.reason.clear();
  report.interval = chosen.schedule->interval;
  report.stages = chosen.schedule->stages();
  report.unrolled = chosen.plan.once() ? 1 : chosen.plan.unroll;
}

std::optional<std::string> LoopPipeliner::hopeless(std::uint32_t first) const {
  if (options_.hopeless == nullptr) return std::nullopt;
  const auto found = options_.hopeless->find(first);
  if (found == options_.hopeless->end()) return std::nullopt;
  return found->second;
}

LoopPipeliner::Candidates LoopPipeliner::candidates(Pace pace, const LoopGraph& graph,
                                                    std::uint32_t region, std::string& reason,
                                                    Work& work) const {
  const Hint hint = hint_of(regions_[region]);
  const std::uint32_t most = hint.most == 1 ? 1 : options_.most_stages;
  Candidates found;
  for (const Lives lives : {Lives::any, Lives::fewest, Lives::shared}) {
    auto schedule =
        options_.known->schedule(block_, graph, pace.loop, pace.interval, pace.ahead, lives, work);
    if (work.is_spent()) reason = "too much work";
    if (!schedule || schedule->stages() > most) break;
    auto plan = plan_of(graph, *schedule, region, reason);
    if (!plan) continue;
    reason = "code size";
    const std::uint32_t room = options_.most_bundles * (hint.heat == Heat::hot ? 2 : 1);
    const bool is_small = can_be_written(*plan, std::max(small_enough, room));
    if (!is_small && !can_be_written(*plan, std::max(small_enough, 2 * room))) continue;
    auto& kept = is_small ? found.small : found.large;
    if (kept && !is_smaller(*plan, kept->plan)) continue;
    kept = {std::make_unique<ModuloSchedule>(std::move(*schedule)), std::move(*plan)};
    kept->plan.schedule = kept->schedule.get();
    // Shorter lifetimes may save the copies beyond those that the author requested.
    if (found.small && (hint.unroll == 0 || kept->plan.unroll <= hint.unroll)) break;
  }
  return found;
}

Hint LoopPipeliner::hint_of(const Region& region) const {
  const Hint* hint = block_.hint_at(region.first);
  return hint == nullptr ? Hint{} : *hint;
}

// How to write a schedule out, each value with as many names as it needs, or why that is
// impossible.
std::optional<Expansion> LoopPipeliner::plan_of(const LoopGraph& graph,
                                                const ModuloSchedule& schedule,
                                                std::uint32_t region, std::string& reason) const {
  reason = "registers";
  if (!fits_registers(graph, schedule, region)) return std::nullopt;
  Expansion plan{&block_, &graph, &schedule, 1, {}, hint_of(regions_[region])};
  for (const LoopValue& value : graph.values) {
    plan.names.push_back({value, 1, live_.wanted(value.id, regions_[region].end)});
    plan.names.back().count = names_needed(plan.names.back(), schedule);
    plan.unroll = std::max(plan.unroll, plan.names.back().count);
  }
  if (plan.unroll > most_copies) return std::nullopt;
  return plan;
}

}  // namespace tandem::schedule
