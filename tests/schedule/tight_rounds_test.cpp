// Rounds that leave an interval no slack, against longest ways worked out one edge at a time.
#include "schedule/loops/tight_rounds.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <random>

#include "schedule/loops/bounds.hpp"

namespace tandem::test {

using namespace schedule;  // NOLINT: a test file

namespace {

constexpr std::int64_t none = -far_away;

LoopGraph graph_of(std::uint32_t operations, std::vector<LoopEdge> edges) {
  LoopGraph graph;
  graph.effects.resize(operations);
  graph.edges = std::move(edges);
  return graph;
}

// The longest way from an operation back to it: as many rounds of all edges as there are nodes.
std::int64_t longest_round(const LoopGraph& graph, std::uint32_t interval, std::uint32_t start) {
  std::vector<std::int64_t> longest(graph.operations(), none);
  longest[start] = 0;
  std::int64_t around = none;
  for (std::uint32_t i = 0; i <= graph.operations(); ++i) {
    for (const LoopEdge& edge : graph.edges) {
      if (longest[edge.from] == none) continue;
      const std::int64_t length =
          longest[edge.from] + edge.distance - std::int64_t{interval} * edge.omega;
      if (edge.to == start) around = std::max(around, length);
      if (edge.to != start) longest[edge.to] = std::max(longest[edge.to], length);
    }
  }
  return around;
}

LoopGraph random_graph(std::mt19937& random) {
  const std::uint32_t operations = 2 + random() % 12;
  std::vector<LoopEdge> edges;
  for (std::uint32_t count = random() % (3 * operations); count > 0; --count) {
    const std::uint32_t from = random() % operations;
    const std::uint32_t to = random() % operations;
    edges.push_back({from, to, static_cast<std::uint32_t>(random() % 6), to > from ? 0U : 1U});
  }
  return graph_of(operations, std::move(edges));
}

}  // namespace

TEST_CASE("tight rounds are those that longest ways tell") {
  std::mt19937 random(7);
  std::array<int, 2> seen{};
  for (int round = 0; round < 500; ++round) {
    const LoopGraph graph = random_graph(random);
    std::uint32_t interval = 1;
    std::vector<std::int64_t> heights;
    while (!relax_heights(graph, interval, heights)) ++interval;
    const std::uint32_t slack = random() % 5;
    Work work(1'000'000);
    const auto tight = on_tight_rounds(graph, interval, heights, slack, work);
    for (std::uint32_t node = 0; node < graph.operations(); ++node) {
      const bool wanted = longest_round(graph, interval, node) >= -std::int64_t{slack};
      REQUIRE(tight[node] == wanted);
      ++seen[wanted ? 1 : 0];
    }
  }
  CHECK(seen[0] > 500);
  CHECK(seen[1] > 500);
}

// A gradient's loop had a thousand operations in one order of accesses, and every search went
// through all of them: most of the time of a compilation.
TEST_CASE("the work is that of what is tight, not of the loop") {
  constexpr std::uint32_t operations = 4000;
  std::vector<LoopEdge> edges;
  for (std::uint32_t i = 0; i < operations; ++i) {
    edges.push_back({i, (i + 1) % operations, 1, i + 1 == operations ? 1U : 0U});
    for (std::uint32_t far = 2; far < 10; ++far) {
      if (i + far < operations) edges.push_back({i, i + far, 0, 0});
    }
  }
  edges.push_back({10, 5, 0, 1});
  const LoopGraph graph = graph_of(operations, std::move(edges));
  const std::uint32_t interval = 2 * operations;
  std::vector<std::int64_t> heights;
  REQUIRE(relax_heights(graph, interval, heights));
  Work work(100'000'000);
  const auto tight = on_tight_rounds(graph, interval, heights, 3, work);
  CHECK(std::count(tight.begin(), tight.end(), true) == 0);
  CHECK(100'000'000 - work.left() < 20 * operations);
}

}  // namespace tandem::test
