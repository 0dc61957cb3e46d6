#include "schedule/loops/loop_graph.hpp"

#include <algorithm>
#include <map>

#include "isa/analysis/unit_time.hpp"
#include "schedule/program/operands.hpp"

namespace tandem::schedule {
namespace {

constexpr std::uint32_t largest_loop = 400;  // operations
constexpr std::size_t most_accesses = 160;

// The effect of one operation on one register.
struct RegisterAccess {
  std::uint32_t node = 0;
  bool reads = false;
  bool writes = false;
  bool whole = false;  // none of the old value remains
};

struct LoopAccess {
  std::uint32_t node = 0;
  bool writes = false;
  bool known = false;  // the address advances by `step` per iteration
  std::uint32_t root = 0;
  std::uint32_t anchor = 0;
  std::int64_t first = 0;  // lowest and highest place touched in an iteration
  std::int64_t last = 0;
  std::int64_t units = 1;   // places, `stride` apart
  std::int64_t stride = 1;  // not negative
  std::int64_t step = 0;
  std::uint32_t visible_after = 1;
  MaybeRange hull;  // of all iterations
  bool in_frame = false;
  bool of_copy = false;  // of its descriptor
  VirtualId through = no_virtual;
};

class Builder {
 public:
  Builder(const LinearBlock& block, const Region& region, Values& values, const Promises& promises,
          const Parameters& preset)
      : block_(block), values_(values), promises_(promises), lanes_(preset.lanes) {
    graph_.region = region;
  }

  std::optional<LoopGraph> run(Refusal& refusal) {
    const std::uint32_t count = graph_.region.end - graph_.region.first;
    if (count > largest_loop) {
      return refuse(refusal, "more operations than are pipelined", largest_loop);
    }
    find_steps();
    for (node_ = 0; node_ < count; ++node_) {
      item_ = &block_.operations[graph_.region.first + node_];
      graph_.effects.push_back(effects_of(item_->operation));
      const Effects& effects = graph_.effects.back();
      registers(effects);
      memory(effects);
      values_.execute(*item_, effects);
    }
    for (auto& [key, accesses] : registers_) order_register(key, accesses);
    for (auto& [space, accesses] : memories_) {
      if (accesses.size() > most_accesses) {
        return refuse(refusal, "more accesses of a memory than are pipelined",
                      accesses[most_accesses].node);
      }
      order_memory(accesses);
    }
    matrix();
    flags();
    find_harmless();
    return std::move(graph_);
  }

 private:
  std::nullopt_t refuse(Refusal& refusal, const char* why, std::uint32_t node) const {
    refusal = {why, graph_.region.first + node};
    return std::nullopt;
  }

  void edge(std::uint32_t from, std::uint32_t to, std::uint32_t distance, std::uint32_t omega) {
    graph_.edges.push_back({from, to, distance, omega});
  }

  // The amounts by which scalars advance in an iteration: 0 when nothing in the loop writes them, a
  // constant when they are added to once; others are unknown from one iteration to the next.
  void find_steps() {
    values_.begin_region(graph_.region);
    std::map<VirtualId, std::pair<std::uint32_t, std::optional<std::int64_t>>> written;
    for (std::uint32_t i = graph_.region.first; i < graph_.region.end; ++i) {
      const LinearOperation& item = block_.operations[i];
      const Effects effects = effects_of(item.operation);
      if (!effects.writes || effects.write.file != File::s) continue;
      const VirtualId id = item.registers[effects.write.place];
      if (id == no_virtual) continue;
      auto& [count, step] = written[id];
      ++count;
      step = advance(item, id);
    }
    for (std::uint32_t i = graph_.region.first; i < graph_.region.end; ++i) {
      for (const VirtualId id : block_.operations[i].registers) {
        if (id == no_virtual || block_.virtuals[id].file != File::s) continue;
        const std::uint32_t root = values_.scalar({File::s, id, 0}).root;
        const auto found = written.find(id);
        if (found == written.end()) {
          steps_[root] = 0;
        } else if (found->second.first == 1 && found->second.second) {
          steps_[root] = *found->second.second;
        }
      }
    }
    steps_[0] = 0;
  }
  static std::optional<std::int64_t> advance(const LinearOperation& item, VirtualId id) {
    const Operation& operation = item.operation;
    const bool adds = operation.op == Op::add || operation.op == Op::sub;
    if (!adds || operation.predicate != 0 || operation.negate) return std::nullopt;
    if (item.registers[1] != id || operation.operands[2].extra == 0 || item.anchor != 0) {
      return std::nullopt;
    }
    const std::int64_t step = operation.operands[2].imm;
    return operation.op == Op::add ? step : -step;
  }

  void registers(const Effects& effects) {
    for (const RegisterUse& use : effects.reads()) {
      if (!is_place(*item_, use)) access_of(use).reads = true;
    }
    if (!effects.writes || is_place(*item_, effects.write)) return;
    RegisterAccess& access = access_of(effects.write);
    access.writes = true;
    access.whole = writes_whole(block_.virtuals, *item_, effects);
  }
  RegisterAccess& access_of(const RegisterUse& use) {
    std::vector<RegisterAccess>& list = registers_[number_of(key_of(*item_, use))];
    if (list.empty() || list.back().node != node_) list.push_back({node_, false, false, false});
    return list.back();
  }

  void order_register(std::uint64_t key, const std::vector<RegisterAccess>& accesses) {
    const auto writes = static_cast<std::size_t>(std::count_if(
        accesses.begin(), accesses.end(), [](const RegisterAccess& a) { return a.writes; }));
    if (writes == 0) return;
    const auto writer = std::find_if(accesses.begin(), accesses.end(),
                                     [](const RegisterAccess& a) { return a.writes; });
    const bool is_virtual = key < first_named_register;
    if (is_virtual && writes == 1 && writer->whole)
      return own_names(static_cast<VirtualId>(key), *writer, accesses);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      for (std::size_t j = 0; j < accesses.size(); ++j) {
        order_pair(accesses[i], accesses[j], i < j ? 0 : 1);
      }
    }
  }

  // Each iteration has its own register: only its readers have to wait.
  void own_names(VirtualId id, const RegisterAccess& writer,
                 const std::vector<RegisterAccess>& accesses) {
    LoopValue value{id, writer.node, {}};
    for (const RegisterAccess& access : accesses) {
      if (!access.reads) continue;
      value.readers.push_back(access.node);
      edge(writer.node, access.node, latency(writer.node, access.node),
           access.node > writer.node ? 0 : 1);
    }
    graph_.values.push_back(std::move(value));
  }

  void order_pair(const RegisterAccess& from, const RegisterAccess& to, std::uint32_t omega) {
    if (from.writes && to.reads) edge(from.node, to.node, latency(from.node, to.node), omega);
    if (from.writes && to.writes) edge(from.node, to.node, 1, omega);
    if (from.reads && to.writes && from.node != to.node) edge(from.node, to.node, 0, omega);
  }

  [[nodiscard]] std::uint32_t latency(std::uint32_t from, std::uint32_t to) const {
    const Effects& writer = graph_.effects[from];
    if (is_forwarded(writer, graph_.effects[to])) return 1;
    return result_cycles(writer, block_.operations[graph_.region.first + from].operation, lanes_);
  }

  void memory(const Effects& effects) {
    for_each_accumulator(block_, *item_, [&](std::uint8_t place, bool writes) {
      add_access(0, place, writes, true, 1, 1, result_cycles(effects, item_->operation, lanes_));
    });
    for_each_descriptor(*item_, [&](std::uint8_t place) {
      add_access(static_cast<int>(LocalMemory::smem), place, false, true, descriptor_words, 1, 1);
      memories_[static_cast<int>(LocalMemory::smem)].back().of_copy = true;
    });
    const MemoryUse& use = effects.memory;
    if (use.space == LocalMemory::none) return;
    add_access(static_cast<int>(use.space), use.place, use.writes,
               use.extent_known && !use.in_words, use.units, use.stride, 1);
    LoopAccess& access = memories_[static_cast<int>(use.space)].back();
    // A promise is about the rows that are reached, whatever the unit of the address.
    if (use.extent_known) {
      access.through = item_->registers[use.place];
    }
    if (use.in_words) {
      access.hull = hull_of(values_.range_of(values_.address(*item_, use.place)), use, lanes_);
    }
  }
  void add_access(int space, std::uint8_t place, bool writes, bool extent_known, std::int64_t units,
                  std::int64_t stride, std::uint32_t visible_after) {
    const Symbolic at = values_.address(*item_, place);
    LoopAccess access;
    access.node = node_;
    access.writes = writes;
    access.visible_after = visible_after;
    access.root = at.root;
    access.anchor = at.anchor;
    const std::int64_t span = (units - 1) * stride;
    access.first = at.offset + std::min<std::int64_t>(span, 0);
    access.last = at.offset + std::max<std::int64_t>(span, 0);
    access.units = units;
    access.stride = std::abs(stride);
    const auto step = steps_.find(at.root);
    access.in_frame = item_->added;
    if (extent_known) {
      access.hull = hull_of(values_.range_of(at), units, stride);
      if (space != 0) access.through = item_->registers[place];
    }
    access.known = extent_known && step != steps_.end();
    if (access.known) access.step = step->second;
    // Within an iteration equal roots are equal, whether or not they advance evenly.
    if (!extent_known) access.root = ~0U;
    memories_[space].push_back(access);
  }

  void order_memory(const std::vector<LoopAccess>& accesses) {
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      for (std::size_t j = 0; j < accesses.size(); ++j) {
        const LoopAccess& from = accesses[i];
        const LoopAccess& to = accesses[j];
        if ((!from.writes && !to.writes) || from.in_frame != to.in_frame) continue;
        if (apart(from.hull, to.hull) || promises_.apart(from.through, to.through)) continue;
        const auto omega = meeting(from, to, i < j ? 0 : 1);
        if (!omega) continue;
        const std::uint32_t distance = !from.writes ? 0 : to.writes ? 1 : from.visible_after;
        if (from.node != to.node || *omega != 0) edge(from.node, to.node, distance, *omega);
      }
    }
  }

  // The least number of iterations, from `lowest` on, after which `to` may touch what `from`
  // touched.
  static std::optional<std::uint32_t> meeting(const LoopAccess& from, const LoopAccess& to,
                                              std::uint32_t lowest) {
    const bool same_base = from.root == to.root && from.anchor == to.anchor && from.root != ~0U;
    if (lowest == 0) {
      if (!same_base || overlap(from, to, 0)) return 0;
      lowest = 1;
    }
    if (!same_base || !from.known || !to.known) return lowest;
    if (from.step == 0) return overlap(from, to, 0) ? std::optional(lowest) : std::nullopt;
    // Beyond this many iterations the two have passed each other for good.
    const std::int64_t reach =
        (std::abs(from.first - to.first) + from.last - from.first + to.last - to.first) /
            std::abs(from.step) +
        1;
    for (std::int64_t w = lowest; w <= reach; ++w) {
      if (overlap(from, to, from.step * w)) return static_cast<std::uint32_t>(w);
    }
    return std::nullopt;
  }
  // Place by place: rows far apart leave room between them for those of others.
  static bool overlap(const LoopAccess& from, const LoopAccess& to, std::int64_t moved) {
    if (from.first > to.last + moved || to.first + moved > from.last) return false;
    for (std::int64_t i = 0; i < from.units; ++i) {
      const std::int64_t apart = from.first + i * from.stride - to.first - moved;
      const bool on_row = to.stride == 0 ? apart == 0 : apart % to.stride == 0;
      if (on_row && apart >= 0 && apart <= to.last - to.first) return true;
    }
    return false;
  }

  void find_harmless() {
    graph_.harmless.assign(graph_.operations(), false);
    for (const LoopValue& value : graph_.values) {
      const Instruction& row = instruction(operation(value.writer).op);
      graph_.harmless[value.writer] = row.group == Group::scalar;
    }
  }

  // Pushes stay in order around the loop, and so do multiplies; swaps keep the two apart.
  void matrix() {
    std::vector<std::uint32_t> pushes, multiplies, swaps;
    for (std::uint32_t i = 0; i < graph_.operations(); ++i) {
      if (graph_.effects[i].pushes) pushes.push_back(i);
      if (graph_.effects[i].multiplies) multiplies.push_back(i);
      if (graph_.effects[i].swaps) swaps.push_back(i);
    }
    chain(pushes);
    chain(multiplies);
    for (const std::uint32_t swap : swaps) {
      for (const std::uint32_t push : pushes) {
        edge(push, swap, 1, push < swap ? 0 : 1);
        edge(swap, push, 1, swap < push ? 0 : 1);
      }
    }
    if (swaps.empty()) return;
    for (const std::uint32_t push : pushes) wait_for_release(push, swaps);
  }
  // The swap that released the buffer of a push may be one of an earlier iteration.
  void wait_for_release(std::uint32_t push, const std::vector<std::uint32_t>& swaps) {
    const auto count = static_cast<std::int64_t>(swaps.size());
    std::int64_t number = -1 - static_cast<std::int64_t>(swaps_since_release);
    for (const std::uint32_t swap : swaps) number += swap < push ? 1 : 0;
    std::uint32_t iterations = 0;
    for (; number < 0; number += count) ++iterations;
    const bool transposed = effects_of(operation(push)).transposes;
    edge(swaps[static_cast<std::size_t>(number)], push,
         push_after_release(transposed, pushed_row(push), lanes_), iterations);
  }
  // Copies and flags stay in order around the loop. No access moves before a wait that it follows,
  // or after a copy that it precedes, within the iterations about which nothing is promised.
  void flags() {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t i = 0; i < graph_.operations(); ++i) {
      if (graph_.effects[i].uses_flags()) nodes.push_back(i);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const bool wraps = i + 1 == nodes.size();
      edge(nodes[i], wraps ? nodes.front() : nodes[i + 1], 1, wraps ? 1 : 0);
    }
    for (const std::uint32_t node : nodes) {
      for (const auto& [space, accesses] : memories_) {
        if (space == 0) continue;
        for (const LoopAccess& access : accesses) order_with_flag(node, access);
      }
    }
  }
  void order_with_flag(std::uint32_t node, const LoopAccess& access) {
    const Effects& effects = graph_.effects[node];
    if (effects.waits()) edge(node, access.node, 0, access.node > node ? 0 : 1);
    if (!effects.copies() || access.of_copy || access.node == node) return;
    const std::uint32_t nearest = access.node < node ? 0 : 1;
    edge(access.node, node, access.writes ? 1 : 0,
         std::max(nearest, block_.copies_apart_at(graph_.region.first)));
  }

  void chain(const std::vector<std::uint32_t>& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const bool wraps = i + 1 == nodes.size();
      const std::uint32_t next = wraps ? nodes.front() : nodes[i + 1];
      edge(nodes[i], next, unit_cycles(graph_.effects[nodes[i]], operation(nodes[i])),
           wraps ? 1 : 0);
    }
  }
  [[nodiscard]] const Operation& operation(std::uint32_t node) const {
    return block_.operations[graph_.region.first + node].operation;
  }
  // The constant part only: with a register it may be any row, and the shortest wait is safe.
  [[nodiscard]] std::uint32_t pushed_row(std::uint32_t node) const {
    const Instruction& row = instruction(operation(node).op);
    for (std::size_t i = 0; i < row.operands.count; ++i) {
      if (row.operands.items[i]->kind != OperandKind::weight_row) continue;
      return static_cast<std::uint32_t>(operation(node).operands[i].imm);
    }
    return 0;
  }

  const LinearBlock& block_;
  Values& values_;
  const Promises& promises_;
  std::uint32_t lanes_;
  LoopGraph graph_;
  const LinearOperation* item_ = nullptr;
  std::uint32_t node_ = 0;
  std::map<std::uint32_t, std::int64_t> steps_;  // of a root
  std::map<std::uint64_t, std::vector<RegisterAccess>> registers_;
  std::map<int, std::vector<LoopAccess>> memories_;
};

}  // namespace

bool is_loop(const LinearBlock& block, const Region& region) {
  const LinearOperation& last = block.operations[region.end - 1];
  if (last.target == no_label || block.labels[last.target] != region.first) return false;
  if (effects_of(last.operation).control != Control::branch) return false;
  return last.operation.predicate != 0 && region.end - region.first > 1;
}

std::optional<LoopGraph> loop_graph(const LinearBlock& block, const Region& region, Values& values,
                                    const Promises& promises, const Parameters& preset,
                                    Refusal& refusal) {
  return Builder(block, region, values, promises, preset).run(refusal);
}

}  // namespace tandem::schedule
