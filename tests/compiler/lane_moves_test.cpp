// How lanes are taken from lanes of another row: the result for random boxes gives the source of
// each lane, and there is none for unordered lanes.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "compiler/moves/lanes.hpp"

namespace tandem {
namespace {

using compiler::Jump;
using compiler::Lanes;
using compiler::Range;
using compiler::Way;
using Random = std::mt19937;

constexpr std::int64_t count = 128;

std::int64_t any_of(Random& random, std::initializer_list<std::int64_t> choices) {
  return choices.begin()[random() % choices.size()];
}

// The source lane of lane j, as defined in the header.
std::int64_t source_of(const Way& way, std::int64_t j) {
  switch (way.kind) {
    case Way::Kind::stay: return j;
    case Way::Kind::rotate: return j - way.offset;
    case Way::Kind::scale: return j * way.factor + way.offset;
    case Way::Kind::divide: return j / way.factor + way.offset;
    case Way::Kind::repeat: return j % way.factor + way.offset;
    case Way::Kind::reverse: return way.offset - j;
    case Way::Kind::swap: return (j / way.factor ^ way.offset) * way.factor + j % way.factor;
    case Way::Kind::jumps: break;
    case Way::Kind::none: return -1;
  }
  std::int64_t result = j * way.factor + way.offset;
  for (const Jump& jump : way.jumps) result += (j + jump.shift) / jump.period * jump.by;
  return result;
}

// The moves of a box of two or three dimensions between one row and another.
Lanes lanes_of_box(Random& random) {
  Lanes lanes{{static_cast<std::int64_t>(random() % 40), static_cast<std::int64_t>(random() % 40)}};
  std::int64_t to = any_of(random, {1, 1, 1, 2, 3});
  for (std::size_t left = 2 + random() % 2; left > 0; --left) {
    const std::int64_t size = any_of(random, {2, 3, 4, 5, 8, 16, 30, 32});
    const std::int64_t from = any_of(random, {0, 1, 1, 2, 3, 8, 16, 20, 32, 33, 64});
    const Lanes inner = lanes;
    for (std::int64_t i = 1; i < size; ++i) {
      for (const auto& [target, source] : inner) {
        lanes.emplace_back(target + i * to, source + i * from);
      }
    }
    to = to * size + any_of(random, {0, 0, 0, 1, 8});
  }
  // One row of the target, and one of the source.
  std::erase_if(lanes,
                [](const auto& pair) { return pair.first >= count || pair.second >= count; });
  return lanes;
}

TEST_CASE("lanes of a box come from where the way that is found says") {
  Random random(1);
  int found = 0;
  int jumps = 0;
  for (int i = 0; i < 4000; ++i) {
    const Lanes lanes = lanes_of_box(random);
    const Way way = compiler::way_of(lanes, count);
    if (way.kind == Way::Kind::none) continue;
    ++found;
    jumps += way.kind == Way::Kind::jumps ? 1 : 0;
    const bool is_right = std::all_of(lanes.begin(), lanes.end(), [&](const auto& pair) {
      return ((source_of(way, pair.first) - pair.second) % count + count) % count == 0;
    });
    CHECK(is_right);
    for (const Jump& jump : way.jumps) {
      CHECK((jump.period > 0 && jump.period <= count && jump.shift >= 0 && jump.shift < count));
    }
  }
  CHECK(found > 3000);
  CHECK(jumps > 1500);
}

TEST_CASE("a range has the lanes of the box, or none") {
  Random random(2);
  int found = 0;
  for (int i = 0; i < 4000; ++i) {
    const Lanes lanes = lanes_of_box(random);
    const Range range = compiler::range_of(lanes);
    if (range.step == 0) continue;
    ++found;
    std::set<std::int64_t> wanted;
    for (const auto& pair : lanes) wanted.insert(pair.first);
    std::set<std::int64_t> has;
    for (std::int64_t j = range.first; j < range.end; ++j) {
      if ((j - range.first) % range.step < range.run) has.insert(j);
    }
    CHECK(has == wanted);
  }
  CHECK(found > 2000);
}

TEST_CASE("lanes in no order have no way") {
  CHECK(
      compiler::way_of({{0, 5}, {1, 90}, {2, 17}, {3, 64}, {4, 2}, {5, 33}, {6, 0}}, count).kind ==
      Way::Kind::none);
  CHECK(compiler::range_of({{0, 0}, {1, 1}, {5, 5}, {9, 9}}).step == 0);
}

}  // namespace
}  // namespace tandem
