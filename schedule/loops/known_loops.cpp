#include "schedule/loops/known_loops.hpp"

#include "schedule/loops/need.hpp"

namespace tandem::schedule {
namespace {

// Everything in a loop that the scheduler depends on.
std::vector<std::uint32_t> content_of(const LinearBlock& block, const LoopGraph& graph) {
  std::vector<std::uint32_t> content{graph.operations()};
  for (std::uint32_t i = 0; i < graph.operations(); ++i) {
    const Need need = need_of(block.operations[graph.region.first + i].operation, graph.effects[i]);
    content.insert(content.end(),
                   {static_cast<std::uint32_t>(need.group), static_cast<std::uint32_t>(need.unit),
                    need.cycles, graph.harmless[i] ? 1U : 0U});
  }
  content.push_back(static_cast<std::uint32_t>(graph.edges.size()));
  for (const LoopEdge& edge : graph.edges) {
    content.insert(content.end(), {edge.from, edge.to, edge.distance, edge.omega});
  }
  for (const LoopValue& value : graph.values) {
    content.push_back(value.writer);
    content.push_back(static_cast<std::uint32_t>(value.readers.size()));
    content.insert(content.end(), value.readers.begin(), value.readers.end());
  }
  return content;
}

}  // namespace

std::uint32_t KnownLoops::number_of(const LinearBlock& block, const LoopGraph& graph) {
  const auto next = static_cast<std::uint32_t>(numbers_.size());
  return numbers_.emplace(content_of(block, graph), next).first->second;
}

std::optional<ModuloSchedule> KnownLoops::schedule(const LinearBlock& block, const LoopGraph& graph,
                                                   std::uint32_t number, std::uint32_t interval,
                                                   std::uint32_t ahead, Lives lives, Work& work) {
  const std::tuple key{number, interval, ahead, lives};
  const auto known = outcomes_.find(key);
  // If less work is left than it took, the scheduler may find a different result.
  if (known != outcomes_.end() && known->second.spent < work.left()) {
    work.spend(known->second.spent);
    return known->second.schedule;
  }
  const std::uint64_t before = work.left();
  auto made = modulo_schedule(block, graph, interval, ahead, lives, work);
  if (!work.is_spent()) outcomes_.insert_or_assign(key, Outcome{made, before - work.left()});
  return made;
}

}  // namespace tandem::schedule
