#include "schedule/loops/pipeline.hpp"

#include <algorithm>

#include "schedule/loops/bounds.hpp"
#include "schedule/loops/expand_loop.hpp"

namespace tandem::schedule {
namespace {

constexpr std::uint32_t most_copies = 8;    // of the kernel
constexpr std::uint32_t small_enough = 48;  // bundles that any loop may grow to
constexpr std::uint32_t cycles_between_branches = 12;
constexpr std::uint32_t intervals_tried = 40;  // beyond the minimum

// What is wanted behind the loop must outlive the iterations that run ahead of the last.
std::uint32_t names_needed(const ValueNames& names, const ModuloSchedule& schedule) {
  const std::uint32_t cycles = lifetime(names.value, schedule);
  const std::uint32_t needed = (cycles + schedule.interval - 1) / schedule.interval;
  const bool early = schedule.times[names.value.writer] / schedule.interval < schedule.ahead;
  return std::max({1U, needed, names.wanted && early ? schedule.ahead + 1 : 1U});
}

// Every number of names must divide the copies of the kernel.
void unroll(Expansion& plan, std::uint32_t copies) {
  plan.unroll = copies;
  for (ValueNames& names : plan.names) {
    while (plan.unroll % names.count != 0) ++names.count;
  }
}

// The branch back costs a cycle more each time it is taken: not too often, if there is room.
bool unroll_within(Expansion& plan, std::uint32_t most_bundles) {
  const std::uint32_t least = plan.unroll;
  const std::uint32_t wanted = cycles_between_branches / (plan.schedule->interval * least);
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
    const bool counted = !pressure_.is_local(value.id);  // once, by the room
    for (std::uint32_t i = counted ? schedule.interval : 0; i < cycles; ++i) {
      ++alive[(schedule.times[value.writer] + 1 + i) % schedule.interval][file];
    }
  }
  const auto room = pressure_.room(region);
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
  Refusal refusal;
  auto graph = loop_graph(block_, where, values, promises_, preset_, refusal);
  if (!graph) {
    report.reason = refusal.reason;
    report.culprit = block_.operations[refusal.operation].tag;
    return false;
  }
  err(faults_, &Faults::loop, block_, *graph);
  report.bounds = bounds_of(block_, *graph, 0);
  // Running ahead costs a stage and registers: only where the branch is what is waited for.
  const LoopBounds ahead_bounds = bounds_of(block_, *graph, 1);
  const std::uint32_t ahead = ahead_bounds.minimum() < report.bounds.minimum() ? 1 : 0;
  if (ahead != 0) report.bounds = ahead_bounds;
  if (report.bounds.by_recurrence()) {
    for (const std::uint32_t node : slowest_round(*graph, report.bounds, ahead)) {
      report.round.push_back(block_.operations[where.first + node].tag);
    }
  }
  report.reason = "no interval found";
  const std::uint32_t minimum = report.bounds.minimum();
  for (std::uint32_t interval = minimum; interval < minimum + intervals_tried; ++interval) {
    for (const bool short_lives : {false, true}) {
      auto schedule = modulo_schedule(block_, *graph, interval, ahead, short_lives);
      if (!schedule || schedule->stages() > options_.most_stages) break;
      auto plan = plan_of(*graph, *schedule, region, report.reason);
      if (!plan) continue;
      err(faults_, &Faults::modulo, *schedule);
      err(faults_, &Faults::expansion, *plan);
      expand_loop(*plan, result);
      report.pipelined = true;
      report.reason.clear();
      report.interval = interval;
      report.stages = schedule->stages();
      report.unrolled = plan->unroll;
      return true;
    }
  }
  return false;
}

// How to write a schedule out, or why that cannot be done.
std::optional<Expansion> LoopPipeliner::plan_of(const LoopGraph& graph,
                                                const ModuloSchedule& schedule,
                                                std::uint32_t region, std::string& reason) const {
  reason = "registers";
  if (!fits_registers(graph, schedule, region)) return std::nullopt;
  Expansion plan{&block_, &graph, &schedule, 1, {}};
  for (const LoopValue& value : graph.values) {
    plan.names.push_back({value, 1, live_.wanted(value.id, regions_[region].end)});
    plan.names.back().count = names_needed(plan.names.back(), schedule);
    plan.unroll = std::max(plan.unroll, plan.names.back().count);
  }
  if (plan.unroll > most_copies) return std::nullopt;
  reason = "code size";
  if (!unroll_within(plan, std::max(small_enough, options_.most_bundles))) return std::nullopt;
  if (!can_expand(plan)) return std::nullopt;
  return plan;
}

}  // namespace tandem::schedule
