#include "schedule/schedule.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "schedule/branches/if_convert.hpp"
#include "schedule/list/list.hpp"
#include "schedule/memory/regions.hpp"
#include "schedule/memory/value_ranges.hpp"
#include "schedule/program/bundled.hpp"
#include "schedule/registers/rename.hpp"

namespace tandem::schedule {
namespace {

// Tags are numbers of operations until here.
Result finished(const LinearBlock& block, const Bundled& code) {
  Result result;
  result.bundles = code.bundles();
  result.labels = code.labels;
  result.cuts = code.cuts;
  result.cycles = code.cycles;
  // Names created by renaming are live within a region only.
  for (const Claim& claim : code.claims) {
    if (claim.id < block.virtuals.size()) result.claims.push_back(claim);
  }
  result.issues.reserve(code.operations.size());
  for (std::uint32_t b = 0; b < code.bundles(); ++b) {
    for (const BundledOperation& placed : code.bundle(b)) {
      const LinearOperation& item = placed.item;
      const std::uint32_t source = item.remakes != ~0U ? item.remakes : item.tag;
      result.issues.push_back({item.operation, placed.slot, b, block.operations[item.tag].tag,
                               source, item.added, item.target});
    }
  }
  return result;
}

// Counts the loop's registers, and gives its operations the tags of their owner.
void settle(const LinearBlock& block, const Result& result, LoopReport& loop) {
  std::set<std::pair<File, std::uint8_t>> seen;
  const auto first = std::lower_bound(
      result.issues.begin(), result.issues.end(), loop.first_bundle,
      [](const Issue& issue, std::uint32_t bundle) { return issue.bundle < bundle; });
  for (auto at = first; at != result.issues.end(); ++at) {
    if (at->bundle >= loop.first_bundle + loop.bundles) break;
    const Effects effects = effects_of(at->operation);
    for (const RegisterUse& use : effects.reads()) seen.emplace(use.file, use.index);
    if (effects.writes) seen.emplace(effects.write.file, effects.write.index);
  }
  for (const auto& [file, index] : seen) ++loop.registers[static_cast<std::size_t>(file)];
  const auto owners = [&](std::uint32_t& tag) {
    if (tag != no_tag) tag = block.operations[tag].tag;
  };
  owners(loop.tag);
  owners(loop.head);
  owners(loop.culprit);
  for (std::uint32_t& tag : loop.round) owners(tag);
}

LinearBlock numbered(LinearBlock block) {
  for (std::uint32_t i = 0; i < block.operations.size(); ++i) block.operations[i].tag = i;
  return block;
}

bool goes_back(const LinearBlock& block) {
  for (std::uint32_t i = 0; i < block.operations.size(); ++i) {
    const LabelId target = block.operations[i].target;
    if (target != no_label && block.labels[target] <= i) return true;
  }
  return false;
}

// Attempts at one block, each with the current options.
class Packer {
 public:
  Packer(const LinearBlock& original, const Options& options)
      : original_(original), options_(options), work_(options.work) {
    how_.wanted = how_.pipelines = options.level == Level::full;
    how_.faults = options.faults;
    how_.pipeline.most_bundles = options.preset->icache_bundles / 4;
    how_.pipeline.work = &work_;
    how_.pipeline.hopeless = &hopeless_;
    how_.pipeline.known = &known_;
    how_.gives_up = true;
  }

  // The narrower the window, the fewer live values; in the end, text order is kept.
  std::optional<Result> run(const LinearBlock& block) {
    const LinearBlock separate = renamed(block);
    if (auto result = tightened(separate)) return result;
    if (auto result = compacted(separate)) return result;
    how_.trusts = false;
    if (auto result = with_spare(separate)) return result;
    how_.compacts = false;
    how_.pipeline.most_stages = 3;
    const bool loops = how_.pipelines && goes_back(block);
    for (const bool pipelines : {true, false}) {
      if (pipelines && !loops) continue;
      how_.pipelines = pipelines;
      for (const std::uint32_t window : {256U, 64U, 16U, 1U}) {
        if (window == how_.window && !loops) continue;  // as before
        how_.window = window;
        how_.gives_up = window != 1;
        if (auto result = attempt(separate)) return result;
      }
    }
    how_.pipeline.hopeless = nullptr;
    return attempt(block);
  }

 private:
  // Only regions in which registers are missing have fewer live values.
  std::optional<Result> tightened(const LinearBlock& block) {
    if (!how_.wanted) return std::nullopt;
    how_.compacts = how_.trusts = true;
    constexpr int attempts = 24;
    for (int i = 0; i < attempts; ++i) {
      if (auto result = attempt(block)) return result;
      if (!tighten_more(block)) break;
    }
    how_.tight.clear();
    how_.pipeline.spare.clear();
    return std::nullopt;
  }

  // Whether each missing register belongs to a region that can have fewer live values.
  bool tighten_more(const LinearBlock& block) {
    if (troubles_.empty()) return false;
    const std::vector<Region> regions = regions_of(block);
    for (const Trouble& trouble : troubles_) {
      const auto region = std::find_if(regions.begin(), regions.end(), [&](const Region& each) {
        return std::any_of(block.operations.begin() + each.first,
                           block.operations.begin() + each.end,
                           [&](const LinearOperation& item) { return item.tag == trouble.tag; });
      });
      if (region == regions.end()) return false;
      const std::uint32_t first = block.operations[region->first].tag;
      const auto loop = std::find_if(loops_.begin(), loops_.end(), [&](const LoopReport& report) {
        return report.pipelined && report.head <= trouble.tag && trouble.tag <= report.tag;
      });
      if (loop != loops_.end()) {
        ++how_.pipeline.spare[loop->head][static_cast<std::size_t>(trouble.file)];
      } else if (++how_.tight[first] > most_tight) {
        return false;
      }
    }
    return true;
  }

  std::optional<Result> compacted(const LinearBlock& block) {
    struct Compaction {
      bool compacts, trusts;
    };
    for (const Compaction tried : {Compaction{true, true}, {true, false}, {false, false}}) {
      if (tried.compacts && !how_.wanted) continue;
      how_.compacts = tried.compacts;
      how_.trusts = tried.trusts;
      if (auto result = attempt(block)) return result;
      if (how_.compacts && !has_compacted_) break;  // the others would give the same result
    }
    return std::nullopt;
  }

  // Values of several iterations may together need more registers than are live at any place: loops
  // that did not fit leave some registers of that file unused.
  std::optional<Result> with_spare(const LinearBlock& block) {
    if (!how_.pipelines || !goes_back(block)) return std::nullopt;
    how_.compacts = true;
    constexpr int attempts = 3;
    for (int i = 0; i < attempts && spare_more(); ++i) {
      if (auto result = attempt(block)) return result;
    }
    how_.pipeline.spare.clear();
    return std::nullopt;
  }

  // Whether each missing register belongs to a loop that can leave more. Loops like it, as blocks
  // of one operation are, would be next.
  bool spare_more() {
    std::set<std::pair<std::uint32_t, File>> lacking;
    for (const Trouble& trouble : troubles_) {
      const auto loop = std::find_if(loops_.begin(), loops_.end(), [&](const LoopReport& report) {
        return report.pipelined && report.head <= trouble.tag && trouble.tag <= report.tag;
      });
      if (loop == loops_.end()) return false;
      for (const LoopReport& other : loops_) {
        if (is_like(other, *loop)) lacking.emplace(other.head, trouble.file);
      }
    }
    for (const auto& [head, file] : lacking) {
      ++how_.pipeline.spare[head][static_cast<std::size_t>(file)];
    }
    return !lacking.empty();
  }
  static bool is_like(const LoopReport& one, const LoopReport& other) {
    return one.pipelined && one.interval == other.interval && one.stages == other.stages &&
           one.unrolled == other.unrolled;
  }

  std::optional<Result> attempt(const LinearBlock& code) {
    troubles_.clear();
    ListOutcome outcome;
    if (ranges_of_ != &code) {
      ranges_ = value_ranges(code, regions_of(code));
      ranges_of_ = &code;
    }
    Bundled bundled = list_scheduled(code, *options_.preset, ranges_, how_, outcome);
    has_compacted_ = outcome.compacted;
    if (outcome.gave_up) return std::nullopt;
    for (Cut& cut : bundled.cuts) cut.operation = code.operations[cut.operation].tag;
    troubles_ = allocate_registers(bundled, options_.faults);
    if (!troubles_.empty()) {
      loops_ = std::move(outcome.loops);
      return std::nullopt;
    }
    err(options_.faults, &Faults::allocated, bundled);
    Result result = finished(original_, bundled);
    for (LoopReport& loop : outcome.loops) settle(original_, result, loop);
    result.loops = std::move(outcome.loops);
    return result;
  }

  const LinearBlock& original_;
  const Options& options_;
  Work work_;
  std::map<std::uint32_t, std::string> hopeless_;
  KnownLoops known_;
  Values::Entries ranges_;
  const LinearBlock* ranges_of_ = nullptr;  // which lives as long as the attempts at it
  ListOptions how_;
  std::vector<Trouble> troubles_;  // of the last attempt
  std::vector<LoopReport> loops_;  // of the same, if there are troubles
  bool has_compacted_ = false;
};

std::optional<Result> packed(const LinearBlock& original, const LinearBlock& block,
                             const Options& options) {
  return Packer(original, options).run(block);
}

// More live values than registers: some wait in the frame.
std::optional<Result> with_spills(const LinearBlock& original, const LinearBlock& block,
                                  const Options& options) {
  Spills spills;
  const auto code = spilled(block, spills);
  if (!code) return std::nullopt;
  std::optional<Result> result;
  if (options.level != Level::none) result = packed(original, *code, options);
  if (!result) {
    Bundled sequence = in_sequence(*code);
    if (!allocate_registers(sequence).empty()) return std::nullopt;
    result = finished(original, sequence);
  }
  result->spills = spills;
  result->cycles = 0;
  return result;
}

}  // namespace

Result schedule_block(const LinearBlock& block, const Options& options) {
  const LinearBlock by_number = numbered(block);
  Bundled in_order = in_sequence(by_number);
  Result result;
  result.troubles = allocate_registers(in_order);
  // Too many values even in text order: another order seldom has fewer.
  if (!result.troubles.empty()) {
    if (auto with_room = with_spills(block, by_number, options)) return std::move(*with_room);
  }
  if (options.level == Level::full) {
    IfConverted converted = if_converted(by_number, *options.preset);
    err(options.faults, &Faults::converted, converted);
    if (!converted.branches.empty()) {
      if (auto made = packed(block, converted.block, options)) {
        made->converted = converted.branches;
        return std::move(*made);
      }
    }
  }
  if (options.level != Level::none) {
    if (auto made = packed(block, by_number, options)) return std::move(*made);
  }
  if (result.troubles.empty()) return finished(block, in_order);
  for (Trouble& trouble : result.troubles) trouble.tag = block.operations[trouble.tag].tag;
  return result;
}

}  // namespace tandem::schedule
