#include "schedule/list/dependence.hpp"

#include <algorithm>
#include <unordered_map>

#include "isa/analysis/unit_time.hpp"
#include "schedule/program/operands.hpp"

namespace tandem::schedule {
namespace {

constexpr std::uint32_t none = ~0U;

class Builder final : public GraphBuilder {
 public:
  Builder(const LinearBlock& block, const Region& region, Values& values, const Promises& promises,
          const Parameters& preset)
      : block_(block),
        region_(region),
        values_(values),
        lanes_(preset.lanes),
        vmem_(*this, promises),
        smem_(*this, promises),
        accumulators_(*this, promises) {
    graph_.operations = region.end - region.first;
    graph_.next.resize(graph_.operations);
    graph_.predecessors.resize(graph_.operations);
  }

  DependenceGraph run() {
    values_.begin_region(region_);
    for (node_ = 0; node_ < graph_.operations; ++node_) {
      item_ = &block_.operations[region_.first + node_];
      graph_.effects.push_back(effects_of(item_->operation));
      add(graph_.effects.back());
      values_.execute(*item_, graph_.effects.back());
    }
    if (region_.ends_in_control) everything_before(graph_.operations - 1);
    return std::move(graph_);
  }

  void edge(std::uint32_t from, std::uint32_t to, std::uint32_t distance) override {
    graph_.next[from].push_back({to, distance});
    ++graph_.predecessors[to];
  }
  std::uint32_t join() override {
    graph_.next.emplace_back();
    graph_.predecessors.push_back(0);
    return graph_.nodes() - 1;
  }

 private:
  struct RegisterState {
    std::uint32_t writer = none;
    std::uint32_t ready_after = 1;
    std::vector<std::uint32_t> readers;  // since the write
  };

  void add(const Effects& effects) {
    for (const RegisterUse& use : effects.reads()) {
      if (!is_place(*item_, use)) read(registers_[number_of(key_of(*item_, use))], effects);
    }
    // A value that a predicate may keep is read too: the order with the earlier write is enough for
    // that.
    if (effects.writes && !is_place(*item_, effects.write)) {
      write(registers_[number_of(key_of(*item_, effects.write))],
            result_cycles(effects, item_->operation, lanes_));
    }
    accumulator(effects);
    matrix(effects);
    memory(effects);
    flags(effects);
  }

  void read(RegisterState& state, const Effects& effects) {
    if (state.writer != none) {
      const bool forwarded = is_forwarded(graph_.effects[state.writer], effects);
      edge(state.writer, node_, forwarded ? 1 : state.ready_after);
    }
    state.readers.push_back(node_);
  }
  // A writer waits for a pending result, as a reader does; but multiplies follow each other, and
  // vector results of the ALU and of loads arrive in order.
  [[nodiscard]] std::uint32_t overwritten_after(const RegisterState& state) const {
    const Effects& writer = graph_.effects[state.writer];
    if (writer.multiplies) return 1;
    const bool in_order = writer.latency == Latency::valu || writer.latency == Latency::load;
    return in_order && writer.write.file != File::s ? state.ready_after - 1 : state.ready_after;
  }
  void write(RegisterState& state, std::uint32_t ready_after) {
    if (state.writer != none) edge(state.writer, node_, overwritten_after(state));
    for (const std::uint32_t reader : state.readers) {
      if (reader != node_) edge(reader, node_, 0);
    }
    state.readers.clear();
    state.writer = node_;
    state.ready_after = ready_after;
  }

  void accumulator(const Effects& effects) {
    for_each_accumulator(block_, *item_, [&](std::uint8_t place, bool writes) {
      MemoryAccess access;
      access.writes = writes;
      access.extent_known = true;
      access.address = values_.address(*item_, place);
      access.hull = hull_of(values_.range_of(access.address), 1, 1);
      accumulators_.access(node_, access, result_cycles(effects, item_->operation, lanes_));
    });
  }

  // The weights being filled: pushes write, a swap reads and clears. The active weights: a swap
  // writes, a multiply reads. Operations of a port stay in order, so the chain of each implies the
  // rest.
  void matrix(const Effects& effects) {
    if (effects.pushes) {
      if (push_ != none) edge(push_, node_, timing::push);
      if (swaps_.newest()) edge(*swaps_.newest(), node_, 1);
      if (swaps_.releasing()) edge(*swaps_.releasing(), node_, after_release());
      push_ = node_;
    }
    if (!effects.multiplies) return;
    if (multiply_ != none) edge(multiply_, node_, left_port_);
    if (effects.swaps) {
      if (push_ != none) edge(push_, node_, 1);
      swaps_.add(node_);
    }
    multiply_ = node_;
    left_port_ = unit_cycles(effects, item_->operation);
  }
  // How long after the swap that released the buffer the push of this node waits.
  [[nodiscard]] std::uint32_t after_release() {
    const Instruction& row = instruction(item_->operation.op);
    for (std::uint8_t place = 0; place < row.operands.count; ++place) {
      if (row.operands.items[place]->kind != OperandKind::weight_row) continue;
      const Symbolic at = values_.address(*item_, place);
      const bool known = at.root == 0 && at.anchor == 0 && at.offset >= 0;
      return push_after_release(effects_of(item_->operation).transposes,
                                known ? static_cast<std::uint32_t>(at.offset) : 0, lanes_);
    }
    return 1;
  }

  void memory(const Effects& effects) {
    const MemoryUse& use = effects.memory;
    if (use.space == LocalMemory::none) return;
    MemoryAccess access;
    access.writes = use.writes;
    access.extent_known = use.extent_known && !use.in_words;
    access.units = use.units;
    access.stride = use.stride;
    access.address = values_.address(*item_, use.place);
    access.in_frame = item_->added;
    access.hull = hull_of(values_.range_of(access.address), use, lanes_);
    if (use.extent_known) access.through = through(use.place);
    (use.space == LocalMemory::vmem ? vmem_ : smem_).access(node_, access);
    if (wait_ != none) edge(wait_, node_, 0);
  }

  [[nodiscard]] VirtualId through(std::uint8_t place) const { return item_->registers[place]; }

  // Copies and flags stay in order. A copy comes after every access before it, and reads its
  // descriptor. Accesses after it touch none of its memory before its wait, or the program is racy
  // as written, so they may come earlier. Nothing that follows a wait moves before it.
  void flags(const Effects& effects) {
    if (!effects.uses_flags()) return;
    if (flag_ != none) edge(flag_, node_, 1);
    flag_ = node_;
    if (effects.waits()) wait_ = node_;
    if (!effects.copies()) return;
    vmem_.before(node_);
    smem_.before(node_);
    if (wait_ != none) edge(wait_, node_, 0);
    descriptor();
  }
  void descriptor() {
    for_each_descriptor(*item_, [&](std::uint8_t place) {
      MemoryAccess access;
      access.extent_known = true;
      access.address = values_.address(*item_, place);
      access.units = descriptor_words;
      access.hull = hull_of(values_.range_of(access.address), descriptor_words, 1);
      smem_.access(node_, access);
    });
  }

  void everything_before(std::uint32_t last) {
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
      if (node != last && graph_.next[node].empty()) edge(node, last, 0);
    }
  }

  const LinearBlock& block_;
  Region region_;
  Values& values_;
  std::uint32_t lanes_;
  DependenceGraph graph_;
  const LinearOperation* item_ = nullptr;
  std::uint32_t node_ = 0;
  std::unordered_map<std::uint64_t, RegisterState> registers_;
  MemoryOrder vmem_;
  MemoryOrder smem_;
  MemoryOrder accumulators_;
  std::uint32_t push_ = none, multiply_ = none;
  SwapHistory<std::uint32_t> swaps_;
  std::uint32_t left_port_ = 1;
  std::uint32_t flag_ = none, wait_ = none;
};

}  // namespace

DependenceGraph dependences_of(const LinearBlock& block, const Region& region, Values& values,
                               const Promises& promises, const Parameters& preset) {
  return Builder(block, region, values, promises, preset).run();
}

std::vector<std::uint32_t> topological_order(const DependenceGraph& graph) {
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> left = graph.predecessors;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    if (left[node] == 0) order.push_back(node);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Dependence& edge : graph.next[order[i]]) {
      if (--left[edge.to] == 0) order.push_back(edge.to);
    }
  }
  return order;
}

}  // namespace tandem::schedule
