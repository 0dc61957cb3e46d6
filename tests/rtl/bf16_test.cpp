// The MXU's bf16 product against isa/numerics.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "Vbf16_bench.h"
#include "isa/numerics/convert.hpp"
#include "tests/rtl/bench.hpp"

namespace tandem::bench {
namespace {

class Products : public Bench<Vbf16_bench> {
 public:
  // One activation against all 65536 weights.
  void check(uint16_t a) {
    auto& m = *this;
    m->a_i = a;
    for (unsigned high = 0; high < 256; ++high) {
      m->w_i = high;
      clock();
      for (unsigned low = 0; low < 256; ++low) {
        const auto w = static_cast<uint16_t>(high << 8 | low);
        const uint32_t expected = numerics::bf16_product(a, w);
        const uint32_t got = m->product_o[low];
        if (got == expected || differences++ != 0) continue;
        first = fmt::format("{:04x} * {:04x}: expected {:08x}, got {:08x}", a, w, expected, got);
      }
    }
  }

  uint64_t differences = 0;
  std::string first;
};

}  // namespace

TEST_CASE("bf16 products of corner activations equal the definition for every weight") {
  Products products;
  Random random(1);
  for (int i = 0; i < 256; ++i) products.check(static_cast<uint16_t>(corner_f32(random) >> 16));
  INFO(products.first);
  CHECK(products.differences == 0);
}

TEST_CASE("All bf16 products equal the definition", "[.nightly]") {
  Products products;
  for (uint32_t a = 0; a < 0x1'0000; ++a) products.check(static_cast<uint16_t>(a));
  INFO(products.first);
  CHECK(products.differences == 0);
}

}  // namespace tandem::bench
