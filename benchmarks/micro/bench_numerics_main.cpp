// Speed of the host arithmetic, one thread: GMAC/s of the MXU kernels at every preset's lanes and
// ns an element of the array functions. Prints one line per measurement on stdout.
#include <chrono>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <fmt/format.h>

#include "isa/numerics/flush_scope.hpp"
#include "isa/numerics/host_matmul.hpp"
#include "isa/numerics/host_vector.hpp"

namespace {

using namespace tandem::numerics;

// Seconds for one call of `work`, over at least a fifth of a second.
double seconds_each(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  for (uint64_t calls = 16;; calls *= 4) {
    const auto start = Clock::now();
    for (uint64_t i = 0; i < calls; ++i) work();
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (seconds > 0.2) return seconds / static_cast<double>(calls);
  }
}

std::vector<uint32_t> normal_values(size_t n) {
  std::mt19937 random(1);
  std::vector<uint32_t> values(n);
  for (uint32_t& value : values) value = 0x3f00'0000 + (random() & 0x80ff'0000);
  return values;
}

void bench_multiply(size_t lanes, size_t rows) {
  const auto activations = normal_values(rows * lanes);
  const std::vector<uint16_t> weights(lanes * lanes, 0x3f81);
  const std::vector<uint32_t> s8_activations(rows * lanes, 3);
  const std::vector<uint16_t> s8_weights(lanes * lanes, 0xfffb);
  std::vector<uint32_t> sums(rows * lanes);
  std::vector<uint32_t> accumulator(rows * lanes);
  const auto macs = static_cast<double>(rows * lanes * lanes);
  const double bf16 = seconds_each([&] {
    mxu_sums_bf16(sums.data(), activations.data(), weights.data(), rows, lanes);
    mxu_accumulate_f32(accumulator.data(), sums.data(), sums.size());
  });
  const double s8 = seconds_each([&] {
    mxu_sums_s8(sums.data(), s8_activations.data(), s8_weights.data(), rows, lanes);
    mxu_accumulate_s32(accumulator.data(), sums.data(), sums.size());
  });
  fmt::print("multiply lanes {:3} rows {}: bf16 {:6.1f} GMAC/s, s8 {:6.1f} GMAC/s\n", lanes, rows,
             macs / bf16 * 1e-9, macs / s8 * 1e-9);
}

void report(const char* name, size_t n, const std::function<void()>& work) {
  fmt::print("{:24} {:7.3f} ns an element\n", name,
             seconds_each(work) / static_cast<double>(n) * 1e9);
}

void bench_arrays() {
  constexpr size_t n = 8 * 16;  // one register at small
  const auto a = normal_values(n);
  const auto b = normal_values(n);
  std::vector<uint32_t> result(n);
  const auto pair = [&](const char* name, auto function) {
    report(name, n, [&] { function(result.data(), a.data(), b.data(), n); });
  };
  const auto unary = [&](const char* name, auto function) {
    report(name, n, [&] { function(result.data(), a.data(), n); });
  };
  pair("f32_add_array", f32_add_array);
  pair("f32_mul_array", f32_mul_array);
  pair("f32_max_array", f32_max_array);
  pair("f32_lt_array", f32_lt_array);
  pair("bf16_pack_array", bf16_pack_array);
  unary("f32_floor_array", f32_floor_array);
  unary("f32_nearest_array", f32_nearest_array);
  unary("f32_from_s32_array", f32_from_s32_array);
  unary("f32_to_s32_nearest_array", f32_to_s32_nearest_array);
  unary("eup_exp2_array", eup_exp2_array);
  unary("eup_log2_array", eup_log2_array);
  unary("eup_rcp_array", eup_rcp_array);
  unary("eup_rsqrt_array", eup_rsqrt_array);
  unary("eup_tanh_array", eup_tanh_array);
  report("f32_lane_sums", n, [&] { f32_lane_sums(result.data(), a.data(), 8, n / 8); });
  report("f32_sublane_sums", n, [&] { f32_sublane_sums(result.data(), a.data(), 8, n / 8); });
}

}  // namespace

int main() {
  const FlushScope flush;
  for (const size_t lanes : {8, 16, 64, 128}) {
    for (const size_t rows : {8, 1}) bench_multiply(lanes, rows);
  }
  bench_arrays();
}
