// Matrix multiplies against sums in double precision.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "isa/parameters.hpp"
#include "tests/benchmarks/kernel.hpp"

namespace tandem::test {
namespace {

struct Sizes {
  std::int64_t m, k, n;
};

std::vector<double> values_of(const std::vector<std::uint16_t>& bits) {
  std::vector<double> values(bits.size());
  std::transform(bits.begin(), bits.end(), values.begin(), from_bf16);
  return values;
}

std::vector<std::uint16_t> random_bf16(std::int64_t count, Generator& random) {
  std::vector<std::uint16_t> values(static_cast<std::size_t>(count));
  for (std::uint16_t& value : values) value = to_bf16(random.real(-1, 1));
  return values;
}

// |c - sum| <= 2^-8 |sum| for the rounding to bf16, plus k 2^-24 sum |a b| for the additions.
std::string bf16_difference(const Sizes& size, std::string_view preset, std::string_view model) {
  Generator random(static_cast<std::uint64_t>(size.m * 10007 + size.k * 101 + size.n));
  const auto a_bits = random_bf16(size.m * size.k, random);
  const auto b_bits = random_bf16(size.k * size.n, random);
  const Tensors outputs = run_kernel(
      "benchmarks/matmul/matmul_bf16.s", preset,
      {{"a", make_tensor({size.m, size.k}, a_bits)}, {"b", make_tensor({size.k, size.n}, b_bits)}},
      model);
  const auto c = values_of(elements_of<std::uint16_t>(outputs.at("c")));
  const auto a = values_of(a_bits);
  const auto b = values_of(b_bits);
  if (c.size() != static_cast<std::size_t>(size.m * size.n)) return "C has another size";
  for (std::int64_t i = 0; i < size.m; ++i) {
    for (std::int64_t j = 0; j < size.n; ++j) {
      double sum = 0;
      double magnitude = 0;
      for (std::int64_t k = 0; k < size.k; ++k) {
        const double product = a[static_cast<std::size_t>(i * size.k + k)] *
                               b[static_cast<std::size_t>(k * size.n + j)];
        sum += product;
        magnitude += std::fabs(product);
      }
      const double got = c[static_cast<std::size_t>(i * size.n + j)];
      const double tolerance =
          0x1.01p-8 * std::fabs(sum) + static_cast<double>(size.k) * 0x1p-24 * magnitude;
      if (!(std::fabs(got - sum) <= tolerance)) {
        return fmt::format("c[{}][{}] is {}, expected {} +- {}", i, j, got, sum, tolerance);
      }
    }
  }
  return {};
}

// c is within half a step of the exact product with the scale, clamped; 2^-23 of it for the fp32
// product.
std::string s8_difference(const Sizes& size, std::string_view preset, std::string_view model) {
  Generator random(static_cast<std::uint64_t>(size.m * 7 + size.k * 1009 + size.n));
  const auto bytes = [&](std::int64_t count) {
    std::vector<std::int8_t> values(static_cast<std::size_t>(count));
    for (std::int8_t& value : values) value = static_cast<std::int8_t>(random.integer(-128, 128));
    return values;
  };
  const auto a = bytes(size.m * size.k);
  const auto b = bytes(size.k * size.n);
  std::vector<float> scale(static_cast<std::size_t>(size.n));
  // Most results in range, some saturate.
  const double typical = 1.0 / (90.0 * std::sqrt(static_cast<double>(size.k) + 1));
  for (float& value : scale) value = static_cast<float>(random.real(0.2, 2.5) * typical);
  const Tensors outputs = run_kernel("benchmarks/matmul/matmul_s8.s", preset,
                                     {{"a", make_tensor({size.m, size.k}, a)},
                                      {"b", make_tensor({size.k, size.n}, b)},
                                      {"scale", make_tensor({size.n}, scale)}},
                                     model);
  const auto c = elements_of<std::int8_t>(outputs.at("c"));
  if (c.size() != static_cast<std::size_t>(size.m * size.n)) return "C has another size";
  for (std::int64_t i = 0; i < size.m; ++i) {
    for (std::int64_t j = 0; j < size.n; ++j) {
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < size.k; ++k) {
        sum += a[static_cast<std::size_t>(i * size.k + k)] *
               b[static_cast<std::size_t>(k * size.n + j)];
      }
      const double exact = static_cast<double>(sum) * double{scale[static_cast<std::size_t>(j)]};
      const double expected = std::clamp(exact, -128.0, 127.0);
      const double got = c[static_cast<std::size_t>(i * size.n + j)];
      if (!(std::fabs(got - expected) <= 0.5 + 0x1p-23 * std::fabs(exact))) {
        return fmt::format("c[{}][{}] is {}, expected {}", i, j, got, expected);
      }
    }
  }
  return {};
}

using Difference = std::string (*)(const Sizes&, std::string_view, std::string_view);

void check_sizes(Difference difference, std::string_view preset, std::string_view model,
                 const std::vector<Sizes>& sizes) {
  for (const Sizes& size : sizes) {
    INFO(fmt::format("{} x {} x {} on {}, {}", size.m, size.k, size.n, preset, model));
    std::string text;
    REQUIRE_NOTHROW(text = difference(size, preset, model));
    INFO(text);
    REQUIRE(text.empty());
  }
}

const std::vector<Sizes> ragged{{1, 1, 1},    {8, 16, 16},  {3, 5, 7},     {17, 33, 65},
                                {64, 64, 64}, {100, 1, 50}, {1, 300, 3},   {129, 130, 131},
                                {5, 2, 259},  {300, 77, 9}, {33, 260, 40}, {257, 31, 33}};

TEST_CASE("the bf16 multiply agrees with double precision at every preset") {
  for (const Parameters& preset : presets) {
    check_sizes(bf16_difference, preset.name, "golden", ragged);
  }
}

TEST_CASE("the bf16 multiply takes inner sizes of several chunks") {
  check_sizes(bf16_difference, "nano", "golden", {{40, 700, 20}});
  check_sizes(bf16_difference, "small", "golden", {{300, 1025, 70}});
  check_sizes(bf16_difference, "full", "golden", {{130, 4100, 12}});
}

TEST_CASE("the s8 multiply agrees with exact sums at every preset") {
  for (const Parameters& preset : presets) {
    check_sizes(s8_difference, preset.name, "golden", ragged);
  }
  check_sizes(s8_difference, "nano", "golden", {{40, 700, 20}});
  check_sizes(s8_difference, "small", "golden", {{140, 1601, 70}});
}

TEST_CASE("matrix multiplies run in lockstep") {
  for (const std::string_view preset : lockstep_presets()) {
    check_sizes(bf16_difference, preset, "lockstep", {{17, 33, 65}, {70, 40, 35}});
    check_sizes(s8_difference, preset, "lockstep", {{17, 33, 65}, {35, 70, 40}});
  }
}

TEST_CASE("the multiply refuses matrices that do not fit together") {
  const Tensors inputs{{"a", make_tensor({2, 3}, std::vector<std::uint16_t>(6))},
                       {"b", make_tensor({3, 2}, std::vector<std::uint16_t>(6))}};
  CHECK_NOTHROW(run_kernel("benchmarks/matmul/matmul_bf16.s", "small", inputs));
  Tensors wrong = inputs;
  wrong["b"] = make_tensor({4, 2}, std::vector<std::uint16_t>(8));
  CHECK_THROWS(run_kernel("benchmarks/matmul/matmul_bf16.s", "small", wrong));
}

}  // namespace
}  // namespace tandem::test
