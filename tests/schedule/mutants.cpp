#include "tests/schedule/mutants.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/branches/if_convert.hpp"
#include "schedule/list/dependence.hpp"
#include "schedule/loops/expand_loop.hpp"
#include "schedule/loops/loop_graph.hpp"
#include "schedule/registers/live_ranges.hpp"

namespace tandem::test {
namespace {

using namespace schedule;  // NOLINT: a test file

constexpr std::array<std::pair<Group, std::string_view>, 9> groups{{{Group::scalar, "scalar"},
                                                                    {Group::control, "control"},
                                                                    {Group::smem, "smem"},
                                                                    {Group::valu, "valu"},
                                                                    {Group::load, "load"},
                                                                    {Group::store, "store"},
                                                                    {Group::matrix, "matrix"},
                                                                    {Group::cross, "cross"},
                                                                    {Group::dma, "dma"}}};

Group group_of(const LinearBlock& block, std::uint32_t operation) {
  return instruction(block.operations[operation].operation.op).group;
}

// Edges from one group to another: forgotten, or as if both fitted one bundle.
Mutant region_edges(std::size_t from, std::size_t to, bool forget) {
  Mutant made{fmt::format("{} from {} to {}", forget ? "no dependence" : "no distance",
                          groups[from].second, groups[to].second),
              {}};
  made.faults.dependences = [=](const LinearBlock& block, const Region& region,
                                DependenceGraph& graph) {
    for (std::uint32_t node = 0; node < graph.operations; ++node) {
      if (group_of(block, region.first + node) != groups[from].first) continue;
      std::vector<Dependence>& edges = graph.next[node];
      const auto meant = [&](const Dependence& edge) {
        return edge.to < graph.operations &&
               group_of(block, region.first + edge.to) == groups[to].first;
      };
      for (Dependence& edge : edges) {
        if (!meant(edge)) continue;
        if (forget) --graph.predecessors[edge.to];
        edge.distance = 0;
      }
      if (forget) edges.erase(std::remove_if(edges.begin(), edges.end(), meant), edges.end());
    }
  };
  return made;
}

Mutant loop_edges(std::size_t from, std::size_t to, bool around) {
  Mutant made{fmt::format("no dependence {} from {} to {}", around ? "around a loop" : "in a loop",
                          groups[from].second, groups[to].second),
              {}};
  made.faults.loop = [=](const LinearBlock& block, LoopGraph& graph) {
    const auto meant = [&](const LoopEdge& edge) {
      return (edge.omega != 0) == around &&
             group_of(block, graph.region.first + edge.from) == groups[from].first &&
             group_of(block, graph.region.first + edge.to) == groups[to].first;
    };
    graph.edges.erase(std::remove_if(graph.edges.begin(), graph.edges.end(), meant),
                      graph.edges.end());
  };
  return made;
}

Mutant moved_in_time(std::uint32_t which, std::int32_t by) {
  Mutant made{fmt::format("loop operations {} mod 5 stand {} cycles off", which, by), {}};
  made.faults.modulo = [=](ModuloSchedule& plan) {
    for (std::uint32_t i = which; i + 1 < plan.times.size(); i += 5) {
      const std::int64_t time = std::int64_t{plan.times[i]} + by;
      if (time >= 0) plan.times[i] = static_cast<std::uint32_t>(time);
    }
  };
  return made;
}

Mutant names(std::string_view what, const std::function<void(ValueNames&)>& change) {
  Mutant made{std::string(what), {}};
  made.faults.expansion = [=](Expansion& plan) {
    for (ValueNames& value : plan.names) change(value);
  };
  return made;
}

Mutant lives(File file, std::string_view what, const std::function<void(LiveSegment&)>& change) {
  Mutant made{fmt::format("lives of {} {}", file_letter(file), what), {}};
  made.faults.lives = [=](const Bundled& code, std::vector<LiveSegment>& segments) {
    for (LiveSegment& segment : segments) {
      if (code.virtuals[segment.id].file == file) change(segment);
    }
  };
  return made;
}

// Changes every third operation that can be changed, from the first, second or third on.
Mutant issued(std::string_view what, std::uint32_t from,
              const std::function<bool(BundledOperation&)>& change) {
  Mutant made{fmt::format("{}, {} mod 3", what, from), {}};
  made.faults.allocated = [=](Bundled& code) {
    std::uint32_t number = 0;
    for (BundledOperation& placed : code.operations) {
      BundledOperation copy = placed;
      if (!change(copy)) continue;
      if (number++ % 3 == from) placed = copy;
    }
  };
  return made;
}

bool next_register(BundledOperation& placed, File file, bool written) {
  Operation& operation = placed.item.operation;
  const Effects effects = effects_of(operation);
  const auto move = [&](const RegisterUse& use) {
    if (use.file != file || use.place == predicate_place) return false;
    const auto count = static_cast<std::int32_t>(register_count(file));
    std::int32_t& number =
        file == File::a ? operation.operands[use.place].imm : operation.operands[use.place].value;
    number = number % (count - 1) + 1;
    return number != use.index;
  };
  if (written) return effects.writes && move(effects.write);
  for (const RegisterUse& use : effects.reads()) {
    if (use.file == file) return move(use);
  }
  return false;
}

// Two of a group with one slot never share a bundle, at any distance.
bool has_one_slot(Group group) {
  std::size_t count = 0;
  for (std::size_t slot = 0; slot < slot_count; ++slot) {
    count += slot_accepts(static_cast<Slot>(slot), group) ? 1U : 0U;
  }
  return count == 1;
}

void add_edges(std::vector<Mutant>& all) {
  for (std::size_t from = 0; from < groups.size(); ++from) {
    for (std::size_t to = 0; to < groups.size(); ++to) {
      all.push_back(region_edges(from, to, true));
      if (from != to || !has_one_slot(groups[from].first)) {
        all.push_back(region_edges(from, to, false));
      }
      all.push_back(loop_edges(from, to, true));
      all.push_back(loop_edges(from, to, false));
    }
  }
}

void add_loops(std::vector<Mutant>& all) {
  for (std::uint32_t which = 0; which < 5; ++which) {
    for (const std::int32_t by : {-7, -3, -2, -1, 1, 2, 5, 9}) {
      all.push_back(moved_in_time(which, by));
    }
  }
  all.push_back(names("one name too few", [](ValueNames& value) {
    if (value.count > 1) --value.count;
  }));
  all.push_back(names("one name for all", [](ValueNames& value) { value.count = 1; }));
  all.push_back(
      names("nothing wanted behind the loop", [](ValueNames& value) { value.wanted = false; }));
}

void add_lives(std::vector<Mutant>& all) {
  for (const File file : {File::s, File::p, File::m, File::v, File::a}) {
    all.push_back(lives(file, "end a bundle early", [](LiveSegment& segment) {
      if (segment.last > segment.first) --segment.last;
    }));
    all.push_back(lives(file, "begin a bundle late", [](LiveSegment& segment) {
      if (segment.last > segment.first) ++segment.first;
    }));
    all.push_back(
        lives(file, "last one bundle", [](LiveSegment& segment) { segment.last = segment.first; }));
    all.push_back(lives(file, "end half way", [](LiveSegment& segment) {
      segment.last = (segment.first + segment.last) / 2;
    }));
  }
}

void add_issues(std::vector<Mutant>& all) {
  for (std::uint32_t from = 0; from < 3; ++from) {
    for (const File file : {File::s, File::p, File::m, File::v, File::a}) {
      for (const bool written : {false, true}) {
        all.push_back(issued(
            fmt::format("next {} register {}", file_letter(file), written ? "written" : "read"),
            from, [=](BundledOperation& placed) { return next_register(placed, file, written); }));
      }
    }
    all.push_back(issued("predicate the other way round", from, [](BundledOperation& placed) {
      Operation& operation = placed.item.operation;
      operation.negate = !operation.negate;
      return operation.predicate != 0;
    }));
    all.push_back(issued("done always", from, [](BundledOperation& placed) {
      Operation& operation = placed.item.operation;
      const bool predicated = operation.predicate != 0;
      operation.predicate = 0;
      operation.negate = false;
      return predicated;
    }));
    all.push_back(issued("to the label before", from, [](BundledOperation& placed) {
      if (placed.item.target == no_label || placed.item.target == 0) return false;
      --placed.item.target;
      return true;
    }));
    all.push_back(issued("address one off", from, [](BundledOperation& placed) {
      const MemoryUse use = effects_of(placed.item.operation).memory;
      if (use.space == LocalMemory::none) return false;
      ++placed.item.operation.operands[use.place].imm;
      return true;
    }));
    all.push_back(issued("constant one off", from, [](BundledOperation& placed) {
      if (placed.item.operation.op != Op::mov || placed.item.operation.operands[1].extra == 0) {
        return false;
      }
      ++placed.item.operation.operands[1].imm;
      return true;
    }));
    all.push_back(issued("lost, another in its place", from, [](BundledOperation& placed) {
      if (instruction(placed.item.operation.op).group != Group::valu) return false;
      placed.item.operation.op = Op::vxor;
      return true;
    }));
  }
}

Mutant converted(std::string_view what, const std::function<void(IfConverted&)>& change) {
  Mutant made{std::string(what), {}};
  made.faults.converted = change;
  return made;
}

// Branches back under the predicate that the branch out had: the same register, at the loop's end.
void flip_branch_back(LinearBlock& block, std::uint32_t out) {
  for (std::uint32_t i = out; i < block.operations.size(); ++i) {
    LinearOperation& item = block.operations[i];
    if (item.target == no_label || item.operation.predicate == 0) continue;
    if (block.labels[item.target] > i) continue;
    item.operation.negate = !item.operation.negate;
    return;
  }
}

// Changes every third predicated operation, from the first, second or third on.
void add_conversions(std::vector<Mutant>& all) {
  for (std::uint32_t from = 0; from < 3; ++from) {
    const auto each = [=](std::string_view what,
                          const std::function<void(LinearOperation&)>& change) {
      return converted(fmt::format("{}, {} mod 3", what, from), [=](IfConverted& made) {
        std::uint32_t number = 0;
        for (LinearOperation& item : made.block.operations) {
          if (made.branches.empty() || item.operation.predicate == 0 || item.target != no_label) {
            continue;
          }
          if (number++ % 3 == from) change(item);
        }
      });
    };
    all.push_back(each("converted to the opposite predicate", [](LinearOperation& item) {
      item.operation.negate = !item.operation.negate;
    }));
    all.push_back(each("converted without a predicate", [](LinearOperation& item) {
      item.operation.predicate = 0;
      item.operation.negate = false;
      item.registers[predicate_place] = no_virtual;
    }));
  }
  all.push_back(converted("a branch back under the opposite predicate", [](IfConverted& made) {
    for (const std::uint32_t branch : made.branches) flip_branch_back(made.block, branch);
  }));
  all.push_back(converted("every register counts as guarded", [](IfConverted& made) {
    for (VirtualRegister& entry : made.block.virtuals) entry.guarded = true;
  }));
  all.push_back(converted("a branch is gone in secret", [](IfConverted& made) {
    if (!made.branches.empty()) made.branches.pop_back();
  }));
  all.push_back(converted("labels one operation late", [](IfConverted& made) {
    for (std::uint32_t& label : made.block.labels) {
      if (label + 1 < made.block.operations.size() && !made.branches.empty()) ++label;
    }
  }));
}

}  // namespace

std::vector<Mutant> all_mutants() {
  std::vector<Mutant> all;
  add_edges(all);
  add_loops(all);
  add_lives(all);
  add_issues(all);
  add_conversions(all);
  return all;
}

}  // namespace tandem::test
