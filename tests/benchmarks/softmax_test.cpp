// Softmax over rows against double precision.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "isa/parameters.hpp"
#include "tests/benchmarks/kernel.hpp"

namespace tandem::test {
namespace {

constexpr const char* path = "benchmarks/softmax/softmax.s";

// |y - softmax| <= 1e-5 softmax: x - max is at most 40 here, and an fp32 error of half a unit in
// (x - max) log2 e moves the result by that times ln 2.
std::string difference(std::int64_t rows, std::int64_t columns, std::string_view preset,
                       std::string_view model) {
  Generator random(static_cast<std::uint64_t>(rows * 1009 + columns));
  std::vector<float> x(static_cast<std::size_t>(rows * columns));
  for (float& value : x) value = static_cast<float>(random.real(-20, 20));
  const Tensors outputs = run_kernel(path, preset, {{"x", make_tensor({rows, columns}, x)}}, model);
  const auto y = elements_of<float>(outputs.at("y"));
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto begin = x.begin() + row * columns;
    const double largest = *std::max_element(begin, begin + columns);
    double sum = 0;
    for (auto at = begin; at != begin + columns; ++at) sum += std::exp(*at - largest);
    for (std::int64_t column = 0; column < columns; ++column) {
      const double expected = std::exp(begin[column] - largest) / sum;
      const double got = y[static_cast<std::size_t>(row * columns + column)];
      if (!(std::fabs(got - expected) <= 1e-5 * expected)) {
        return fmt::format("y[{}][{}] is {}, expected {}", row, column, got, expected);
      }
    }
  }
  return {};
}

void check(std::int64_t rows, std::int64_t columns, std::string_view preset,
           std::string_view model) {
  INFO(fmt::format("{} x {} on {}, {}", rows, columns, preset, model));
  std::string text;
  REQUIRE_NOTHROW(text = difference(rows, columns, preset, model));
  INFO(text);
  REQUIRE(text.empty());
}

TEST_CASE("softmax agrees with double precision at every preset") {
  for (const Parameters& preset : presets) {
    for (const std::int64_t rows : {1, 7, 8, 9, 40}) {
      for (const std::int64_t columns : {1, 2, 8, 15, 16, 17, 31, 33, 100, 257, 1000}) {
        check(rows, columns, preset.name, "golden");
      }
    }
  }
}

TEST_CASE("softmax runs in lockstep") {
  for (const std::string_view preset : lockstep_presets()) {
    check(19, 37, preset, "lockstep");
    check(8, 130, preset, "lockstep");
  }
}

TEST_CASE("softmax keeps rows of minus infinity but one and refuses rows that do not fit") {
  const float none = -std::numeric_limits<float>::infinity();
  const Tensors outputs = run_kernel(
      path, "small", {{"x", make_tensor({1, 4}, std::vector<float>{none, -3.0F, none, none})}});
  CHECK(elements_of<float>(outputs.at("y")) == std::vector<float>{0, 1, 0, 0});
  CHECK(trap_of_kernel(path, "nano", {{"x", make_tensor({1, 9000}, std::vector<float>(9000))}}) ==
        1);
}

}  // namespace
}  // namespace tandem::test
