// Runs a program of benchmarks/ with tensors made by the test, on the golden model or in lockstep.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isa/launch/launch.hpp"
#include "runtime/models/machine.hpp"

namespace tandem::test {

using Tensors = std::map<std::string, TensorData>;

// The program's output tensors. Throws std::runtime_error with the verdict unless the run ended in
// a halt. `model` as `--on` calls it.
Tensors run_kernel(const std::string& path, std::string_view preset, const Tensors& inputs,
                   std::string_view model = "golden", const MachineOptions& machine = {});
// The explicit trap code with which the program refuses its inputs, on the golden model.
std::uint32_t trap_of_kernel(const std::string& path, std::string_view preset,
                             const Tensors& inputs);

// Numbers that are the same everywhere.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}
  std::uint64_t next() {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    return state_ ^= state_ << 17U;
  }
  // In [low, high).
  double real(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11U) * 0x1p-53;
  }
  std::int32_t integer(std::int32_t low, std::int32_t high) {
    return low + static_cast<std::int32_t>(next() % static_cast<std::uint64_t>(high - low));
  }

 private:
  std::uint64_t state_;
};

inline double from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}
// Towards zero, which is good enough to make inputs.
inline std::uint16_t to_bf16(double value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16U);
}

template <typename Element>
TensorData make_tensor(std::vector<std::int64_t> dimensions, const std::vector<Element>& elements) {
  TensorData data{std::move(dimensions), {}};
  data.bytes.resize(elements.size() * sizeof(Element));
  std::memcpy(data.bytes.data(), elements.data(), data.bytes.size());
  return data;
}

template <typename Element>
std::vector<Element> elements_of(const TensorData& data) {
  std::vector<Element> elements(data.bytes.size() / sizeof(Element));
  std::memcpy(elements.data(), data.bytes.data(), elements.size() * sizeof(Element));
  return elements;
}

// Presets on which kernels can be run in lockstep in this build.
std::vector<std::string_view> lockstep_presets();

}  // namespace tandem::test
