// Causal grouped-query attention against double precision.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "isa/parameters.hpp"
#include "tests/benchmarks/kernel.hpp"

namespace tandem::test {
namespace {

constexpr const char* path = "benchmarks/attention/attention.s";

struct Sizes {
  std::int64_t positions, heads, kv_heads, size;
};

struct Operand {
  std::vector<std::uint16_t> bits;
  std::int64_t heads;
  std::int64_t size;

  Operand(std::int64_t positions, std::int64_t head_count, std::int64_t head_size, double range,
          Generator& random)
      : bits(static_cast<std::size_t>(positions * head_count * head_size)),
        heads(head_count),
        size(head_size) {
    for (std::uint16_t& value : bits) value = to_bf16(random.real(-range, range));
  }
  [[nodiscard]] double at(std::int64_t position, std::int64_t head, std::int64_t i) const {
    return from_bf16(bits[static_cast<std::size_t>((position * heads + head) * size + i)]);
  }
  [[nodiscard]] TensorData tensor() const {
    const auto positions = static_cast<std::int64_t>(bits.size()) / heads / size;
    return make_tensor({positions, heads, size}, bits);
  }
};

// The row of weights that position t of a query head gives to positions 0..t.
std::vector<double> weights_of(const Operand& q, const Operand& k, std::int64_t t,
                               std::int64_t head, std::int64_t kv_head) {
  std::vector<double> weights;
  double largest = -1e300;
  for (std::int64_t s = 0; s <= t; ++s) {
    double dot = 0;
    for (std::int64_t i = 0; i < q.size; ++i) dot += q.at(t, head, i) * k.at(s, kv_head, i);
    weights.push_back(dot / std::sqrt(static_cast<double>(q.size)));
    largest = std::max(largest, weights.back());
  }
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - largest);
  for (double& weight : weights) weight /= sum;
  return weights;
}

// |o - expected| <= 2^-7 sum of p |v|: p rounded to bf16 (2^-8), the result rounded to bf16 (2^-8).
std::string difference(const Sizes& c, std::string_view preset, std::string_view model) {
  Generator random(static_cast<std::uint64_t>(c.positions * 31 + c.heads * 7 + c.size));
  const Operand q(c.positions, c.heads, c.size, 3, random);
  const Operand k(c.positions, c.kv_heads, c.size, 3, random);
  const Operand v(c.positions, c.kv_heads, c.size, 1, random);
  const Tensors outputs =
      run_kernel(path, preset, {{"q", q.tensor()}, {"k", k.tensor()}, {"v", v.tensor()}}, model);
  const auto result = elements_of<std::uint16_t>(outputs.at("result"));
  for (std::int64_t t = 0; t < c.positions; ++t) {
    for (std::int64_t head = 0; head < c.heads; ++head) {
      const std::int64_t kv_head = head / (c.heads / c.kv_heads);
      const std::vector<double> weights = weights_of(q, k, t, head, kv_head);
      for (std::int64_t i = 0; i < c.size; ++i) {
        double expected = 0;
        double magnitude = 0;
        for (std::int64_t s = 0; s <= t; ++s) {
          const double term = weights[static_cast<std::size_t>(s)] * v.at(s, kv_head, i);
          expected += term;
          magnitude += std::fabs(term);
        }
        const double got =
            from_bf16(result[static_cast<std::size_t>((t * c.heads + head) * c.size + i)]);
        if (!(std::fabs(got - expected) <= 0x1.02p-7 * magnitude)) {
          return fmt::format("result[{}][{}][{}] is {}, expected {}", t, head, i, got, expected);
        }
      }
    }
  }
  return {};
}

void check(const Sizes& c, std::string_view preset, std::string_view model) {
  INFO(fmt::format("{} positions, {} heads, {} key heads of {} on {}, {}", c.positions, c.heads,
                   c.kv_heads, c.size, preset, model));
  std::string text;
  REQUIRE_NOTHROW(text = difference(c, preset, model));
  INFO(text);
  REQUIRE(text.empty());
}

TEST_CASE("attention agrees with double precision at every preset") {
  for (const Parameters& preset : presets) {
    for (const Sizes& sizes :
         {Sizes{1, 1, 1, 8}, Sizes{5, 2, 1, 2}, Sizes{16, 4, 2, 16}, Sizes{17, 2, 2, 7},
          Sizes{65, 6, 3, 10}, Sizes{33, 3, 1, 33}, Sizes{100, 2, 1, 48}, Sizes{130, 1, 1, 20}}) {
      check(sizes, preset.name, "golden");
    }
  }
}

TEST_CASE("attention runs in lockstep") {
  for (const std::string_view preset : lockstep_presets()) {
    check({19, 4, 2, 10}, preset, "lockstep");
    check({35, 2, 1, 33}, preset, "lockstep");
  }
}

TEST_CASE("attention refuses heads in no whole groups and what does not fit VMEM") {
  const auto zeros = [](std::int64_t positions, std::int64_t heads, std::int64_t size) {
    return make_tensor(
        {positions, heads, size},
        std::vector<std::uint16_t>(static_cast<std::size_t>(positions * heads * size)));
  };
  CHECK(trap_of_kernel(path, "small",
                       {{"q", zeros(4, 3, 8)}, {"k", zeros(4, 2, 8)}, {"v", zeros(4, 2, 8)}}) == 1);
  CHECK(trap_of_kernel(
            path, "nano",
            {{"q", zeros(1100, 1, 16)}, {"k", zeros(1100, 1, 16)}, {"v", zeros(1100, 1, 16)}}) ==
        2);
}

}  // namespace
}  // namespace tandem::test
