#include "cosim/checker/pairing.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/archive/archive.hpp"

namespace tandem {
namespace {

// The partner of the event, if it has one.
std::optional<int> meet(Pairing<int>& pairing, Side side, int event) {
  std::optional<int> partner;
  pairing.meet(side, event, [&](int other) { partner = other; });
  return partner;
}

}  // namespace

TEST_CASE("events wait in order, however far one side is ahead") {
  Pairing<int> pairing;
  int given = 0;
  int taken = 0;
  for (const int lead : {1, 10'000, 3}) {  // beyond what is kept of those that are gone
    while (given < taken + lead) CHECK_FALSE(meet(pairing, Side::got, given++));
    while (taken < given - lead / 2) {
      REQUIRE(*pairing.waiting(Side::got) == taken);
      REQUIRE(meet(pairing, Side::expected, -1) == taken++);
    }
  }
  while (taken < given) REQUIRE(meet(pairing, Side::expected, -1) == taken++);
  CHECK(pairing.waiting(Side::got) == nullptr);
  CHECK(pairing.waiting(Side::expected) == nullptr);
}

TEST_CASE("events that wait are saved, those that are gone are not") {
  Pairing<int> pairing;
  for (const int number : {1, 2, 3}) CHECK_FALSE(meet(pairing, Side::got, number));
  CHECK(meet(pairing, Side::expected, 1) == 1);
  std::vector<std::uint8_t> bytes;
  ArchiveWriter writer(bytes);
  writer(pairing);
  CHECK(meet(pairing, Side::expected, 2) == 2);  // saving changes nothing

  Pairing<int> restored;
  CHECK_FALSE(meet(restored, Side::expected, 9));
  ArchiveReader reader(bytes);
  reader(restored);
  reader.finish();
  CHECK(meet(restored, Side::expected, 2) == 2);
  CHECK(meet(restored, Side::expected, 3) == 3);
  CHECK(restored.waiting(Side::got) == nullptr);
}

}  // namespace tandem
