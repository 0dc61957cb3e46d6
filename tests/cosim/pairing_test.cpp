#include "cosim/checker/pairing.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "isa/archive/archive.hpp"

namespace tandem {

TEST_CASE("events wait in order, however far one side is ahead") {
  Pairing<int> pairing;
  int given = 0;
  int taken = 0;
  for (const int lead : {1, 10'000, 3}) {  // beyond what is kept of those that are gone
    while (given < taken + lead) CHECK_FALSE(pairing.meet(Side::got, given++));
    while (taken < given - lead / 2) {
      REQUIRE(*pairing.waiting(Side::got) == taken);
      REQUIRE(pairing.meet(Side::expected, -1) == taken++);
    }
  }
  while (taken < given) REQUIRE(pairing.meet(Side::expected, -1) == taken++);
  CHECK(pairing.waiting(Side::got) == nullptr);
  CHECK(pairing.waiting(Side::expected) == nullptr);
}

TEST_CASE("events that wait are saved, those that are gone are not") {
  Pairing<int> pairing;
  for (const int number : {1, 2, 3}) CHECK_FALSE(pairing.meet(Side::got, number));
  CHECK(pairing.meet(Side::expected, 1) == 1);
  std::vector<std::uint8_t> bytes;
  ArchiveWriter writer(bytes);
  writer(pairing);
  CHECK(pairing.meet(Side::expected, 2) == 2);  // saving changes nothing

  Pairing<int> restored;
  CHECK_FALSE(restored.meet(Side::expected, 9));
  ArchiveReader reader(bytes);
  reader(restored);
  reader.finish();
  CHECK(restored.meet(Side::expected, 2) == 2);
  CHECK(restored.meet(Side::expected, 3) == 3);
  CHECK(restored.waiting(Side::got) == nullptr);
}

}  // namespace tandem
