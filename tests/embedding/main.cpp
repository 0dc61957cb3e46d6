// A program outside of Tandem's repository that runs an assembled kernel on a device of its own.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "runtime/device/device.hpp"

using namespace tandem::runtime;

int main(int argc, char** argv) try {
  if (argc != 2) return std::fputs("usage: embedded scale.elf\n", stderr), 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<std::uint8_t> elf(std::istreambuf_iterator<char>(file), {});

  Device device({.preset = "small", .model = Model::cycle});
  const ProgramHandle program = device.load(elf);
  const TensorHandle x = device.allocate(tandem::ElementType::f32, {100});
  const TensorHandle y = device.allocate(tandem::ElementType::f32, {100});
  std::vector<float> values(100, 20.5F);
  std::vector<std::uint8_t> bytes(400);
  std::memcpy(bytes.data(), values.data(), 400);
  device.write(*x, bytes);

  const LaunchResult result = device.launch(*program, std::vector{x, y});
  if (result.outcome != tandem::Outcome::halted)
    return std::fputs(result.report.c_str(), stderr), 1;
  device.read(*y, bytes);
  std::memcpy(values.data(), bytes.data(), 400);
  std::printf("y[99] = %g after %llu cycles\n", values[99],
              static_cast<unsigned long long>(result.cycles));
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}
