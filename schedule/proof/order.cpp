// The order of effects on one path: every pair that may meet and does not issue in order anyway.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/memory/regions.hpp"
#include "schedule/proof/trace.hpp"

namespace tandem::schedule::proof {
namespace {

class Order {
 public:
  Order(const LinearBlock& block, const std::vector<Instance>& trace)
      : block_(block),
        trace_(trace),
        rounds_(static_cast<std::size_t>(std::count_if(
            trace.begin(), trace.end(),
            [&](const Instance& x) { return x.operation == trace.front().operation; }))) {}

  // Only operations that issue with or before one that they precede can have lost their order:
  // few, since schedules do not move operations far.
  std::string run() {
    std::vector<std::vector<std::size_t>> at_time;
    for (std::size_t later = 0; later < trace_.size(); ++later) {
      const std::uint32_t time = trace_[later].time;
      for (std::size_t t = time; t < at_time.size(); ++t) {
        for (const std::size_t earlier : at_time[t]) pair(trace_[earlier], trace_[later]);
        if (!trouble_.empty()) return trouble_;
      }
      if (time >= at_time.size()) at_time.resize(std::size_t{time} + 1);
      at_time[time].push_back(later);
    }
    return {};
  }

 private:
  static bool pins(const Effects& effects) {
    return is_barrier(effects.control) || effects.reads_time;
  }

  bool may_meet(const Touched& a, const Touched& b) const {
    if (a.space != b.space || (!a.writes && !b.writes)) return false;
    if (a.hull && b.hull && never_equal(*a.hull, *b.hull)) return false;
    if (is_promised(a.through, b.through)) return false;
    const bool comparable =
        a.exact && b.exact && a.at.base == b.at.base && a.at.anchor == b.at.anchor;
    if (!comparable) return true;
    for (std::int64_t i = 0; i < a.units; ++i) {
      for (std::int64_t j = 0; j < b.units; ++j) {
        const std::int64_t difference = a.at.offset + i * a.stride - b.at.offset - j * b.stride;
        if (static_cast<std::uint32_t>(difference) == 0) return true;
      }
    }
    return false;
  }
  bool is_promised(VirtualId a, VirtualId b) const {
    if (a == no_virtual || b == no_virtual) return false;
    return std::any_of(
        block_.disjoint.begin(), block_.disjoint.end(), [&](const Disjoint& promise) {
          return (promise.a == a && promise.b == b) || (promise.a == b && promise.b == a);
        });
  }

  void pair(const Instance& a, const Instance& b) {
    if (pins(*a.effects) || pins(*b.effects)) strictly(a, b, "time");
    for (const Touched& x : a.touched) {
      for (const Touched& y : b.touched) {
        if (may_meet(x, y)) x.writes ? strictly(a, b, "memory") : weakly(a, b, "memory");
      }
    }
    flags(a, b);
    weights(a, b);
    if (b.effects->control != Control::branch && ends_block(b.effects->control)) {
      weakly(a, b, "control");
    }
    if (a.effects->control == Control::branch) branch(a, b);
  }

  // Nothing after a branch, in the next iteration or the code below, may have issued before it: the
  // effects that the branch controls must not have happened.
  // Except a scalar result, which is nothing until something reads it.
  void branch(const Instance& a, const Instance& b) {
    const Operation& operation = block_.operations[b.operation].operation;
    if (instruction(operation.op).group != Group::scalar) strictly(a, b, "branch");
  }

  void flags(const Instance& a, const Instance& b) {
    if (a.effects->uses_flags() && b.effects->uses_flags()) strictly(a, b, "flags");
    if (b.effects->copies() && !is_promised(a, b)) {
      for (const Touched& x : a.touched) {
        if (x.space == LocalMemory::none || a.effects->copies()) continue;
        x.writes&& x.space == LocalMemory::smem ? strictly(a, b, "copy") : weakly(a, b, "copy");
      }
    }
    if (a.effects->waits() && !b.touched.empty() && b.touched[0].space != LocalMemory::none) {
      weakly(a, b, "wait");
    }
  }

  // Whether copies do not touch the memory of the iteration of `a`. On a path through several
  // iterations all have the same operations, repeated from the first on.
  bool is_promised(const Instance& a, const Instance& b) const {
    if (!is_loop()) return false;
    const auto iteration = [&](const Instance& x) {
      return static_cast<std::size_t>(&x - trace_.data()) / (trace_.size() / rounds_);
    };
    return iteration(b) - iteration(a) < block_.copies_apart_at(trace_.front().operation);
  }

  bool is_loop() const {
    const LabelId target = block_.operations[trace_.back().operation].target;
    return target != no_label && block_.labels[target] == trace_.front().operation;
  }

  void weights(const Instance& a, const Instance& b) {
    const bool swap = a.effects->swaps || b.effects->swaps;
    const bool filling =
        (a.effects->pushes || a.effects->swaps) && (b.effects->pushes || b.effects->swaps);
    const bool active = a.effects->multiplies && b.effects->multiplies;
    if (swap && (filling || active)) return strictly(a, b, "weights");
    if (!filling || !a.row || !b.row) return;
    const bool apart =
        a.row->base == b.row->base && a.row->anchor == b.row->anchor &&
        a.row->offset != b.row->offset &&
        block_.operations[a.operation].operation.op == block_.operations[b.operation].operation.op;
    if (!apart) strictly(a, b, "weights");
  }

  void strictly(const Instance& a, const Instance& b, const char* what) {
    if (a.time >= b.time) complain(a, b, what);
  }
  void weakly(const Instance& a, const Instance& b, const char* what) {
    if (a.time > b.time) complain(a, b, what);
  }
  void complain(const Instance& a, const Instance& b, const char* what) {
    const auto name = [&](const Instance& instance) {
      return instruction(block_.operations[instance.operation].operation.op).mnemonic;
    };
    trouble_ = fmt::format("order of {}: operation {} ({}) before operation {} ({})", what,
                           a.operation, name(a), b.operation, name(b));
  }

  const LinearBlock& block_;
  const std::vector<Instance>& trace_;
  std::size_t rounds_;  // iterations that the path goes through
  std::string trouble_;
};

}  // namespace

std::string check_order(const LinearBlock& block, const std::vector<Instance>& trace) {
  return Order(block, trace).run();
}

}  // namespace tandem::schedule::proof
