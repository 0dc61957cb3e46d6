#include "schedule/registers/spill.hpp"

#include <algorithm>
#include <map>

#include "schedule/memory/regions.hpp"
#include "schedule/program/bundled.hpp"
#include "schedule/registers/allocate.hpp"
#include "schedule/registers/live_ranges.hpp"

namespace tandem::schedule {
namespace {

constexpr std::uint32_t most_rounds = 400;
constexpr std::uint32_t deepest = 6;  // loops around an operation that count

// The facts about one register from the operations of a block.
struct Candidate {
  bool possible = true;  // each write is a whole one that another operation may follow
  std::uint32_t writes = 0;
  std::uint32_t writer = 0;  // the last
  double cost = 0;           // of loads and stores, by loop depth
};

// Whether the author writes the base registers of the frame.
bool changes_frame(const LinearBlock& block) {
  return std::any_of(
      block.operations.begin(), block.operations.end(), [](const LinearOperation& item) {
        const Effects effects = effects_of(item.operation);
        if (!effects.writes || effects.write.file != File::s) return false;
        if (item.registers[effects.write.place] != no_virtual) return false;
        return effects.write.index == stack_register || effects.write.index == frame_register;
      });
}

class Spiller {
 public:
  Spiller(const LinearBlock& block, Spills& spills)
      : block_(block),
        spills_(spills),
        originals_(block.virtuals.size()),
        changes_frame_(changes_frame(block)) {}

  std::optional<LinearBlock> run() {
    for (const LinearOperation& item : block_.operations) {
      if (effects_of(item.operation).control == Control::call) return std::nullopt;
    }
    for (std::uint32_t round = 0; round < most_rounds; ++round) {
      Bundled code = in_sequence(block_);
      const std::vector<Trouble> troubles = allocate_registers(code);
      if (troubles.empty()) return block_;
      for (const Trouble& trouble : troubles) {
        if (!relieve(trouble, code)) return std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  // How many fewer values should be live where most of a file are: half of the excess, because a
  // value stored here may also be in excess elsewhere.
  bool relieve(const Trouble& trouble, const Bundled& code) {
    const bool full =
        trouble.kind == TroubleKind::file_full || trouble.kind == TroubleKind::file_fragmented;
    if (!full) return false;
    find_candidates();
    const std::uint32_t over = trouble.live - std::min(trouble.live, trouble.available);
    const std::uint32_t count = std::max(over / 2, 1U);
    for (const VirtualId id : cheapest_at_worst(live_segments(code), trouble.file, count)) {
      if (has_room(id)) plan(id);
    }
    if (plans_.empty()) return false;
    rewrite();
    return true;
  }

  // At most this many, the cheapest first.
  [[nodiscard]] std::vector<VirtualId> cheapest_at_worst(const std::vector<LiveSegment>& segments,
                                                         File file, std::size_t count) const {
    const std::uint32_t gap = worst_gap(segments, file);
    std::vector<std::pair<double, VirtualId>> there;
    for (const LiveSegment& segment : segments) {
      if (gap < segment.first || segment.last < gap) continue;
      if (block_.virtuals[segment.id].file != file || !has_room(segment.id)) continue;
      const double length = segment.last - segment.first + 1;
      // Rematerializing a constant costs one operation and no memory: always first.
      const double cost =
          candidates_[segment.id].cost / length * (is_constant(segment.id) ? 1e-6 : 1.0);
      there.emplace_back(cost, segment.id);
    }
    std::sort(there.begin(), there.end());
    std::vector<VirtualId> result;
    for (const auto& [cost, id] : there) {
      if (result.size() < count) result.push_back(id);
    }
    return result;
  }

  [[nodiscard]] std::uint32_t worst_gap(const std::vector<LiveSegment>& segments, File file) const {
    std::map<std::uint32_t, std::int32_t> change;
    for (const LiveSegment& segment : segments) {
      if (block_.virtuals[segment.id].file != file) continue;
      ++change[segment.first];
      --change[segment.last + 1];
    }
    std::int32_t live = 0, most = 0;
    std::uint32_t gap = 0;
    for (const auto& [at, step] : change) {
      live += step;
      if (live <= most) continue;
      most = live;
      gap = at;
    }
    return gap;
  }

  void find_candidates() {
    candidates_.assign(block_.virtuals.size(), {});
    const std::vector<double> weight = weights();
    for (std::uint32_t i = 0; i < block_.operations.size(); ++i) {
      const LinearOperation& item = block_.operations[i];
      const Effects effects = effects_of(item.operation);
      for (const VirtualId id : item.registers) {
        if (id != no_virtual) candidates_[id].cost += weight[i];
      }
      if (!effects.writes) continue;
      const VirtualId id = item.registers[effects.write.place];
      if (id == no_virtual) continue;
      Candidate& candidate = candidates_[id];
      ++candidate.writes;
      candidate.writer = i;
      const bool whole =
          item.operation.predicate == 0 && !item.operation.negate && !effects.keeps_old;
      if (!whole || pins_time(effects)) candidate.possible = false;
    }
  }
  [[nodiscard]] std::vector<double> weights() const {
    std::vector<std::int32_t> change(block_.operations.size() + 1, 0);
    for (std::uint32_t i = 0; i < block_.operations.size(); ++i) {
      const LabelId target = block_.operations[i].target;
      if (target == no_label || block_.labels[target] > i) continue;
      ++change[block_.labels[target]];
      --change[i + 1];
    }
    std::vector<double> result;
    std::int32_t depth = 0;
    for (std::uint32_t i = 0; i < block_.operations.size(); ++i) {
      depth += change[i];
      double weight = 1;
      for (std::int32_t d = 0; d < std::min<std::int32_t>(depth, deepest); ++d) weight *= 8;
      result.push_back(weight);
    }
    return result;
  }

  // Written once, by a constant that is known here.
  [[nodiscard]] bool is_constant(VirtualId id) const {
    const Candidate& candidate = candidates_[id];
    if (candidate.writes != 1 || !candidate.possible) return false;
    return makes_constant(block_.operations[candidate.writer]);
  }

  [[nodiscard]] bool has_room(VirtualId id) const {
    if (id >= originals_ || !candidates_[id].possible || done_[id]) return false;
    if (is_constant(id)) return true;
    if (changes_frame_) return false;
    const File file = *block_.virtuals[id].file;
    if (file == File::s) return spills_.scalars < block_.frame_words;
    return file == File::v && (spills_.vectors + 1) * sublanes <= block_.frame_rows;
  }

  // The plan for one register.
  struct Plan {
    VirtualId id = no_virtual;
    std::optional<LinearOperation> constant;  // that rematerializes it
    std::uint32_t slot = 0;                   // of the frame
  };

  void plan(VirtualId id) {
    done_[id] = true;
    Plan plan{id, std::nullopt, 0};
    if (is_constant(id)) {
      plan.constant = block_.operations[candidates_[id].writer];
      ++spills_.constants;
    } else {
      plan.slot = file_of(id) == File::s ? spills_.scalars++ : spills_.vectors++;
    }
    plans_.push_back(plan);
  }
  [[nodiscard]] File file_of(VirtualId id) const { return *block_.virtuals[id].file; }

  // Every read of a planned register gets its own register, filled just before; every write gets
  // one that is stored just after.
  void rewrite() {
    LinearBlock made = block_;
    made.operations.clear();
    std::vector<std::uint32_t> place(block_.operations.size() + 1);
    for (std::uint32_t i = 0; i < block_.operations.size(); ++i) {
      place[i] = static_cast<std::uint32_t>(made.operations.size());
      const LinearOperation& item = block_.operations[i];
      const bool concerned = std::any_of(
          item.registers.begin(), item.registers.end(),
          [this](VirtualId id) { return id != no_virtual && id < originals_ && done_[id]; });
      concerned ? append(made, item) : made.operations.push_back(item);
    }
    place.back() = static_cast<std::uint32_t>(made.operations.size());
    for (std::uint32_t& label : made.labels) label = place[label];
    block_ = std::move(made);
    plans_.clear();
  }

  void append(LinearBlock& made, LinearOperation item) const {
    const Effects effects = effects_of(item.operation);
    const std::uint8_t written = effects.writes ? effects.write.place : max_operands + 1;
    const Plan* stored = nullptr;
    for (const Plan& plan : plans_) {
      fill(made, item, plan, written);
      // A constant's operation stays although unread: the proof looks for it.
      if (effects.writes && item.registers[written] == plan.id && !plan.constant) stored = &plan;
    }
    if (stored != nullptr) item.registers[written] = fresh(made, stored->id);
    made.operations.push_back(item);
    if (stored == nullptr) return;
    made.operations.push_back(store(file_of(stored->id), stored->slot, item.registers[written]));
    made.operations.back().tag = std::min(item.tag + 1, last_tag());
  }
  void fill(LinearBlock& made, LinearOperation& item, const Plan& plan,
            std::uint8_t written) const {
    VirtualId copy = no_virtual;
    for (std::size_t p = 0; p < item.registers.size(); ++p) {
      if (item.registers[p] != plan.id || p == written) continue;
      if (copy == no_virtual) copy = fresh(made, plan.id);
      item.registers[p] = copy;
    }
    if (copy == no_virtual) return;
    made.operations.push_back(plan.constant ? again(*plan.constant, copy)
                                            : load(file_of(plan.id), plan.slot, copy));
    made.operations.back().tag = item.tag;
  }
  [[nodiscard]] std::uint32_t last_tag() const { return block_.operations.back().tag; }

  static VirtualId fresh(LinearBlock& block, VirtualId id) {
    VirtualRegister made = block.virtuals[id];
    made.copy_of = id;
    block.virtuals.push_back(made);
    return static_cast<VirtualId>(block.virtuals.size() - 1);
  }

  static LinearOperation again(const LinearOperation& source, VirtualId to) {
    LinearOperation made = source;
    made.registers[0] = to;
    made.added = true;
    made.remakes = source.tag;
    return made;
  }
  static LinearOperation made_of(Op op) {
    LinearOperation made;
    made.operation.op = op;
    made.added = true;
    const Instruction& row = instruction(op);
    for (std::size_t i = 0; i < row.operands.count; ++i) {
      made.operation.operands[i] = default_value(*row.operands.items[i]);
    }
    return made;
  }
  static void put(LinearOperation& item, std::uint8_t place, VirtualId id) {
    item.operation.operands[place] = {virtual_placeholder, 0, 0};
    item.registers[place] = id;
  }
  static OperandValue address(File file, std::uint32_t slot) {
    const auto number = static_cast<std::int32_t>(slot);
    if (file == File::s) return {stack_register, 0, -1 - number};
    return {frame_register, 0, number * static_cast<std::int32_t>(sublanes)};
  }
  static LinearOperation load(File file, std::uint32_t slot, VirtualId to) {
    LinearOperation made = made_of(file == File::s ? Op::sld : Op::vld);
    put(made, 0, to);
    made.operation.operands[1] = address(file, slot);
    return made;
  }
  static LinearOperation store(File file, std::uint32_t slot, VirtualId from) {
    LinearOperation made = made_of(file == File::s ? Op::sst : Op::vst);
    made.operation.operands[0] = address(file, slot);
    put(made, 1, from);
    return made;
  }

  LinearBlock block_;
  Spills& spills_;
  std::size_t originals_;
  bool changes_frame_;
  std::vector<bool> done_ = std::vector<bool>(originals_, false);
  std::vector<Candidate> candidates_;
  std::vector<Plan> plans_;  // of this round
};

}  // namespace

std::optional<LinearBlock> spilled(const LinearBlock& block, Spills& spills) {
  spills = {};
  return Spiller(block, spills).run();
}

}  // namespace tandem::schedule
