// Copies by way of VMEM, over random boxes, rooms and presets: which words the rows hold that come
// and go.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "compiler/moves/stage.hpp"

namespace tandem {
namespace {

namespace moves = compiler::moves;

using Random = std::mt19937;
using Numbers = llvm::SmallVector<std::int64_t>;

std::int64_t any_of(Random& random, std::initializer_list<std::int64_t> choices) {
  return choices.begin()[random() % choices.size()];
}

// Strides of a dense buffer with these sizes, of which the dimensions are in a random order.
Numbers shuffled_strides(Random& random, const Numbers& sizes) {
  llvm::SmallVector<unsigned> order(sizes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), random);
  Numbers strides(sizes.size(), 0);
  std::int64_t stride = 1;
  for (const unsigned i : order) {
    strides[i] = stride;
    stride *= sizes[i] + any_of(random, {0, 0, 0, 1, 8});
  }
  return strides;
}

// The offsets of the words that the dimensions in a row reach, sorted.
Numbers row_words(const moves::Dimensions& dimensions, const Numbers& block,
                  const moves::Side& side, bool is_target) {
  Numbers words{side.first};
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const std::int64_t stride = is_target ? dimensions[i].target : dimensions[i].source;
    if (!side.in_row[i] || stride == 0) continue;
    const Numbers before = words;
    for (std::int64_t at = 1; at < block[i]; ++at) {
      for (const std::int64_t word : before) words.push_back(word + at * stride);
    }
  }
  std::sort(words.begin(), words.end());
  return words;
}

void check_block(const moves::Dimensions& dimensions, const Numbers& block,
                 const moves::Staging& staging, std::int64_t lanes) {
  const auto source = moves::side_of(dimensions, block, staging.source, false, lanes);
  const auto target = moves::side_of(dimensions, block, staging.target, true, lanes);
  CHECK(source.words <= staging.source.words);
  CHECK(target.words <= staging.target.words);
  if (source.staged) {
    const Numbers words = row_words(dimensions, block, source, false);
    CHECK((words.front() >= 0 && words.back() < source.span));
  }
  if (target.staged) {
    Numbers whole(static_cast<std::size_t>(target.span));
    std::iota(whole.begin(), whole.end(), 0);
    CHECK((row_words(dimensions, block, target, true) == whole));
  }
}

TEST_CASE("a row that is written holds the words of its block, and no other") {
  Random random(1);
  int staged = 0;
  for (int i = 0; i < 4000; ++i) {
    const Parameters& machine = *find_preset(i % 2 == 0 ? "nano" : "small");
    const std::int64_t lanes = machine.lanes;
    Numbers sizes(2 + random() % 3);
    for (std::int64_t& size : sizes) size = any_of(random, {2, 3, 4, 7, 8, 16, 24, 32, 64});
    const auto dimensions = moves::dimensions_of(sizes, shuffled_strides(random, sizes),
                                                 shuffled_strides(random, sizes));
    const moves::Outside outside;
    const std::int64_t room = any_of(random, {256, 1024, 1638, 4096, 16384});
    const auto staging = moves::staging_of(dimensions, outside, outside, room, machine);
    if (!staging) continue;
    ++staged;
    const Numbers block(staging->block);
    CHECK(staging->source.words + staging->target.words <= room);
    check_block(dimensions, block, *staging, lanes);
    Numbers last;  // the rest of each dimension
    for (const auto [dimension, size] : llvm::zip(dimensions, block)) {
      last.push_back(dimension.size % size == 0 ? size : dimension.size % size);
    }
    check_block(dimensions, last, *staging, lanes);
  }
  CHECK(staged > 500);
}

}  // namespace
}  // namespace tandem
