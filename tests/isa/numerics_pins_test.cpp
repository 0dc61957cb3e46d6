// The EUP's results as they are, to the last bit. The other tests allow the promised error, one or
// two ulp, so that a unit of one entry of a table goes unnoticed there; the RTL beside golden would
// notice, but both read tables of one generator. An intended change of a table must change this
// too.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>

#include "isa/numerics/eup.hpp"

using namespace tandem::numerics;

namespace {

struct Pin {
  const char* name;
  uint32_t (*function)(uint32_t);
  uint64_t hash;
};

constexpr std::array<Pin, 5> pins = {{
    {"exp2", eup_exp2, 0x498ce9f7c339d13cULL},
    {"log2", eup_log2, 0xa6621ac1dcba3cfeULL},
    {"rcp", eup_rcp, 0x321bd71912687705ULL},
    {"rsqrt", eup_rsqrt, 0x25d973f5bed2ddc7ULL},
    {"tanh", eup_tanh, 0xcd6abc4968641ff1ULL},
}};

// Every segment of every table many times over: signs, exponents around one, fractions apart by a
// number that divides no power of two.
uint64_t hash_of_results(uint32_t (*function)(uint32_t)) {
  constexpr uint32_t apart = 1021;
  uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a, a word at a time
  for (const uint32_t sign : {0U, 0x8000'0000U}) {
    for (uint32_t exponent = 115; exponent < 135; ++exponent) {
      for (uint32_t fraction = exponent; fraction < 0x80'0000; fraction += apart) {
        hash = (hash ^ function(sign | exponent << 23 | fraction)) * 0x100000001b3ULL;
      }
    }
  }
  return hash;
}

}  // namespace

TEST_CASE("EUP results are what they were, to the last bit") {
  for (const Pin& pin : pins) {
    INFO(pin.name);
    CHECK(hash_of_results(pin.function) == pin.hash);
  }
}
