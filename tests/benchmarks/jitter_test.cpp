// The same outputs for any memory latency: every program in lockstep under eight seeds of jitter.
#include <catch2/catch.hpp>

#include "tests/benchmarks/kernel.hpp"

namespace tandem::test {
namespace {

constexpr std::uint32_t seeds = 8;

TensorData random_bf16(std::vector<std::int64_t> shape, std::uint64_t seed) {
  Generator random(seed);
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  std::vector<std::uint16_t> values(static_cast<std::size_t>(count));
  for (std::uint16_t& value : values) value = to_bf16(random.real(-1, 1));
  return make_tensor(std::move(shape), values);
}

void check(const std::string& path, const Tensors& inputs) {
  for (const std::string_view preset : lockstep_presets()) {
    const Tensors expected = run_kernel(path, preset, inputs);
    for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
      MachineOptions machine;
      machine.memory.jitter = 61;
      machine.memory.seed = seed;
      machine.reset_seed = seed;
      Tensors outputs;
      INFO(path << " on " << preset << ", seed " << seed);
      REQUIRE_NOTHROW(outputs = run_kernel(path, preset, inputs, "lockstep", machine));
      for (const auto& [name, tensor] : expected) CHECK(outputs.at(name).bytes == tensor.bytes);
    }
  }
}

TEST_CASE("latency changes nothing in the matrix multiplies") {
  check("benchmarks/matmul/matmul_bf16.s",
        {{"a", random_bf16({21, 50}, 1)}, {"b", random_bf16({50, 37}, 2)}});
  std::vector<std::int8_t> bytes(21 * 50);
  Generator random(3);
  for (std::int8_t& value : bytes) value = static_cast<std::int8_t>(random.integer(-128, 128));
  check("benchmarks/matmul/matmul_s8.s", {{"a", make_tensor({21, 50}, bytes)},
                                          {"b", make_tensor({50, 21}, bytes)},
                                          {"scale", make_tensor({21}, std::vector(21, 0.001F))}});
}

TEST_CASE("latency changes nothing in softmax and attention") {
  std::vector<float> x(27 * 40);
  Generator random(4);
  for (float& value : x) value = static_cast<float>(random.real(-5, 5));
  check("benchmarks/softmax/softmax.s", {{"x", make_tensor({27, 40}, x)}});
  check("benchmarks/attention/attention.s", {{"q", random_bf16({20, 4, 9}, 5)},
                                             {"k", random_bf16({20, 2, 9}, 6)},
                                             {"v", random_bf16({20, 2, 9}, 7)}});
}

TEST_CASE("latency changes nothing in the scalar programs") {
  check("benchmarks/scalar/sort.s",
        {{"values", make_tensor({7}, std::vector<std::int32_t>{5, -3, 9, 0, 5, 5, -8})}});
  check("benchmarks/scalar/search.s",
        {{"text", make_tensor({9}, std::vector<char>{1, 2, 1, 2, 1, 2, 3, 1, 2})},
         {"pattern", make_tensor({3}, std::vector<char>{1, 2, 1})},
         {"matches", make_tensor({5}, std::vector<std::int32_t>(5, -1))}});
}

}  // namespace
}  // namespace tandem::test
