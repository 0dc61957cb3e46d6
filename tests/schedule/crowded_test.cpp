#include "tests/schedule/crowded.hpp"

#include <catch2/catch.hpp>

namespace tandem::test {

// A load, and two stores of its result 4 cycles later; the next load waits for both.
const std::vector<Follows> load_and_two_stores{
    {0, 1, 4, 0}, {0, 2, 4, 0}, {1, 0, 1, 1}, {2, 0, 1, 1}};

TEST_CASE("two stores that a round leaves one cycle for are too many for it") {
  const std::vector<Group> groups{Group::load, Group::store, Group::store};
  CHECK(crowded(groups, load_and_two_stores, 5));
  CHECK_FALSE(crowded(groups, load_and_two_stores, 6));
}

TEST_CASE("operations of two slots may share a cycle") {
  const std::vector<Group> groups{Group::load, Group::valu, Group::valu};
  CHECK_FALSE(crowded(groups, load_and_two_stores, 5));
}

TEST_CASE("operations of several iterations meet in a row") {
  // The second store is 5 cycles after the first: in its row, an iteration later.
  const std::vector<Follows> edges{{0, 1, 5, 0}, {1, 0, 5, 2}};
  CHECK(crowded({Group::store, Group::store}, edges, 5));
  CHECK_FALSE(crowded({Group::store, Group::load}, edges, 5));
  CHECK_FALSE(crowded({Group::store, Group::store}, edges, 6));
}

}  // namespace tandem::test
