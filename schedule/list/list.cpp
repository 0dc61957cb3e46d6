#include "schedule/list/list.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "schedule/list/dependence.hpp"
#include "schedule/list/issue_times.hpp"
#include "schedule/list/merge_bundles.hpp"
#include "schedule/list/region_scheduler.hpp"
#include "schedule/list/slack.hpp"
#include "schedule/loops/find_loops.hpp"
#include "schedule/registers/pressure.hpp"

namespace tandem::schedule {
namespace {

void claim(const Values::Entries& entries, const Region& region, std::uint32_t cut,
           Bundled& result) {
  const auto found = entries.find(region.first);
  if (found == entries.end()) return;
  for (const auto& [id, range] : found->second) result.claims.push_back({cut, id, range});
}

// The loop that the region closes, made of the bundles from `first` on.
void note_loop(const LinearBlock& block, const Region& region, std::uint32_t first,
               LoopReport&& loop, const Bundled& result, std::vector<LoopReport>& loops) {
  const LinearOperation& branch = block.operations[region.end - 1];
  loop.tag = branch.tag;
  loop.head = block.operations[block.labels[branch.target]].tag;
  loop.first_bundle = first;
  loop.bundles = result.bundles() - first;
  loops.push_back(std::move(loop));
}

// The length of a wait is unknown.
std::uint32_t known_cycles(const LinearBlock& block, const Region& region,
                           const DependenceGraph& graph,
                           const std::vector<std::uint32_t>& bundles) {
  const bool waits =
      std::any_of(block.operations.begin(), block.operations.end(),
                  [](const LinearOperation& item) { return item.operation.op == Op::wait; });
  return waits ? 0 : issue_cycles(block, region, graph, bundles);
}

constexpr std::uint32_t long_region = 4096;  // operations beyond which scheduling is not retried

// A region, and how it may be scheduled.
struct RegionTask {
  const LinearBlock& block;
  const Region& region;
  const DependenceGraph& graph;
  const Pressure& pressure;
  const ListOptions& options;

  [[nodiscard]] bool is_long() const { return graph.operations > long_region; }
  [[nodiscard]] RegionScheduler scheduler(const Slack* slack = nullptr,
                                          std::uint32_t most = ~0U) const {
    return {block,
            region,
            graph,
            pressure,
            std::min(options.window, most),
            slack,
            options.gives_up && is_long()};
  }
  // Steps to fewer live values.
  [[nodiscard]] std::uint32_t steps() const {
    const auto found = options.tight.find(block.operations[region.first].tag);
    return found == options.tight.end() ? 0 : found->second;
  }
};

// The cycle of each operation.
std::vector<std::uint32_t> issue_times(const IssueClock& clock,
                                       const std::vector<std::uint32_t>& bundle_of) {
  const std::vector<std::uint32_t> times = clock.times(bundle_nodes(bundle_of));
  std::vector<std::uint32_t> result(bundle_of.size());
  std::transform(bundle_of.begin(), bundle_of.end(), result.begin(),
                 [&](std::uint32_t bundle) { return times[bundle]; });
  return result;
}

// In as many cycles and fewer bundles, if such a schedule is found. If an operation comes too late
// for lack of a slot or a unit, operations about as urgent open bundles earlier.
std::optional<RegionScheduler> compacted(const RegionTask& task, Slack& slack) {
  constexpr int attempts = 32;
  for (int i = 0; i < attempts; ++i) {
    RegionScheduler again = task.scheduler(&slack);
    if (again.run()) return again;
    slack.open_earlier(again.late_node());
  }
  return std::nullopt;
}

// Then, one part of the region after the other, the operations that open bundles too early.
void compact_further(const RegionTask& task, Slack& slack, RegionScheduler& best) {
  constexpr std::uint32_t parts = 16;
  for (std::uint32_t i = parts; i-- > 0;) {
    Slack trial = slack;
    const std::uint32_t nodes = task.graph.operations;
    const std::uint32_t end = nodes * (i + 1) / parts;
    for (std::uint32_t n = nodes * i / parts; n < end; ++n) trial.opens[n] = trial.latest[n];
    RegionScheduler again = task.scheduler(&trial);
    if (!again.run() || again.bundles() >= best.bundles()) continue;
    slack = trial;
    best.take(again);
  }
}

// Windows of the steps to fewer live values.
constexpr std::array<std::uint32_t, most_tight> tight_windows{256, 160, 128, 96, 64, 48, 32, 16, 1};

// The shortest schedule of these windows from the first one on. A narrower one may be shorter: what
// is not considered takes no registers from what is urgent.
RegionScheduler shortest(const RegionTask& task, std::uint32_t first_window) {
  std::optional<RegionScheduler> best;
  for (std::uint32_t i = first_window; i < most_tight; ++i) {
    RegionScheduler other = task.scheduler(nullptr, tight_windows[i]);
    other.run();
    if (!best) {
      best.emplace(std::move(other));
    } else if (other.cycles() < best->cycles()) {
      best->take(other);
    }
  }
  return std::move(*best);
}

// Schedules a region, and then again with the slack that the first schedule leaves.
RegionScheduler append_region(const RegionTask& task, const PressureMap& map, Bundled& result,
                              ListOutcome& outcome) {
  if (const std::uint32_t steps = task.steps(); steps != 0) {
    RegionScheduler tight = shortest(task, steps - 1);
    outcome.gave_up = tight.gave_up();
    tight.append_to(result);
    return tight;
  }
  RegionScheduler first = task.scheduler();
  first.run();
  outcome.gave_up = first.gave_up();
  if (task.options.compacts && !task.is_long()) {
    outcome.compacted = true;
    const IssueClock clock(task.block, task.region, task.graph);
    Slack slack =
        slack_of(task.block, task.region, task.graph, map, issue_times(clock, first.bundle_of()));
    if (auto better = compacted(task, slack)) {
      compact_further(task, slack, *better);
      if (better->bundles() < first.bundles()) first.take(*better);
    }
    const Pressure* room = task.options.trusts ? nullptr : &task.pressure;
    first.regroup(
        merged_bundles(task.block, task.region, task.graph, clock, slack, room, first.bundle_of()));
  }
  first.append_to(result);
  return first;
}

}  // namespace

std::uint32_t list_cycles(const LinearBlock& block, const Parameters& preset) {
  Values values(block);
  const Promises promises(block);
  const Region region{0, static_cast<std::uint32_t>(block.operations.size()), false};
  const DependenceGraph graph = dependences_of(block, region, values, promises, preset);
  const PressureMap map(block, {region});
  RegionScheduler scheduler(block, region, graph, Pressure(block, region, 0, map, graph.effects),
                            ListOptions{}.window);
  scheduler.run();
  return scheduler.cycles();
}

Bundled list_scheduled(const LinearBlock& block, const Parameters& preset,
                       const Values::Entries& entries, const ListOptions& options,
                       ListOutcome& outcome) {
  Bundled result;
  result.virtuals = block.virtuals;
  Values values(block);
  const std::vector<Region> regions = regions_of(block);
  const PressureMap map(block, regions);
  std::vector<std::uint32_t> bundle_of(block.operations.size() + 1);
  result.labels.resize(block.labels.size());
  values.set_entries(&entries);
  const Promises promises(block);
  LoopPipeliner pipeliner(block, regions, map, promises, preset, options.pipeline, options.faults);
  for (std::uint32_t r = 0; r < regions.size(); ++r) {
    const Region& region = regions[r];
    const std::uint32_t first = result.bundles();
    const auto cut = static_cast<std::uint32_t>(result.cuts.size());
    result.cuts.push_back({region.first, first});
    claim(entries, region, cut, result);
    LoopReport loop;
    const auto head = loop_head(block, region);
    if (head && is_loop(block, region)) {
      if (options.pipelines && pipeliner.append(r, values, result, loop)) {
        std::fill(bundle_of.begin() + region.first, bundle_of.begin() + region.end, first);
        note_loop(block, region, first, std::move(loop), result, outcome.loops);
        continue;
      }
      if (!options.pipelines && options.wanted) {
        loop.reason = "the block has too few registers for pipelines";
      }
    } else if (head) {
      explain_stretches(block, *head, region.end, loop);
    }
    DependenceGraph graph = dependences_of(block, region, values, promises, preset);
    err(options.faults, &Faults::dependences, block, region, graph);
    const Pressure pressure(block, region, r, map, graph.effects);
    const RegionScheduler scheduler =
        append_region({block, region, graph, pressure, options}, map, result, outcome);
    if (outcome.gave_up) return result;
    const std::vector<std::uint32_t>& bundles = scheduler.bundle_of();
    if (regions.size() == 1) result.cycles = known_cycles(block, region, graph, bundles);
    for (std::uint32_t i = 0; i < bundles.size(); ++i) {
      bundle_of[region.first + i] = first + (i == 0 ? 0 : bundles[i]);
    }
    if (head) note_loop(block, region, bundle_of[*head], std::move(loop), result, outcome.loops);
  }
  bundle_of.back() = result.bundles();
  for (std::size_t i = 0; i < block.labels.size(); ++i) {
    result.labels[i] = bundle_of[block.labels[i]];
  }
  return result;
}

}  // namespace tandem::schedule
