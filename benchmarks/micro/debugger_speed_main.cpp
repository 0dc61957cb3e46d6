// How long a step backwards takes at random places of a run of ten million bundles: the worst and
// the mean, in processor time and on the clock, on both models of the debugger.
//
//   debugger_speed [PRESET]        PRESET is small by default
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <map>
#include <random>
#include <string>

#include "assembler/assembler.hpp"
#include "cli/debug/session.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/run/program/program.hpp"
#include "host/installed.hpp"

namespace {

using namespace tandem;

constexpr int steps_measured = 100;

// Five bundles per iteration.
constexpr const char* scalar_text = R"(
start:  { s3 = mov 12345 ; s6 = mov 2000000 }
loop:   { s1 = add s1, 1 ; s2 = sld [s4] }
        { s3 = xor s3, s2 ; p1 = lt.s32 s1, s6 }
        { s5 = mul s3, 2654435 ; sst [s4], s3 }
        s4 = and s1, 1023
        @p1 br loop
        halt
)";

struct Times {
  double processor = 0;
  double clock = 0;
};

Times now() {
  timespec cpu{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
  const auto wall = std::chrono::steady_clock::now().time_since_epoch();
  return {static_cast<double>(cpu.tv_sec) + static_cast<double>(cpu.tv_nsec) * 1e-9,
          std::chrono::duration<double>(wall).count()};
}

Times since(const Times& start) {
  const Times end = now();
  return {end.processor - start.processor, end.clock - start.clock};
}

// bf16 numbers from -2 to 2.
TensorData matrix(std::int64_t rows, std::int64_t columns, std::uint32_t seed) {
  std::mt19937 random(seed);
  TensorData data{{rows, columns},
                  std::vector<std::uint8_t>(static_cast<std::size_t>(rows * columns * 2))};
  for (std::size_t i = 0; i < data.bytes.size(); i += 2) {
    const auto bits = random();
    data.bytes[i] = static_cast<std::uint8_t>(bits);
    data.bytes[i + 1] = static_cast<std::uint8_t>((bits >> 8U & 0x80U) | 0x3fU);
  }
  return data;
}

using Tensors = std::map<std::string, TensorData>;

void measure(const std::string& name, const Image& image, const Tensors& tensors,
             runtime::Model model) {
  runtime::DeviceOptions options;
  options.model = model;
  debug::Session session(
      debug::make_target(std::make_unique<runtime::NamedLaunch>(options, image, tensors)), {});
  const Times start = now();
  session.move_to(~std::uint64_t{0});
  const Times whole = since(start);
  const std::uint64_t bundles = session.timeline().position();
  Times worst{};
  double sum = 0;
  std::mt19937_64 random(1);
  for (int i = 0; i < steps_measured; ++i) {
    session.move_to(1 + random() % (bundles - 1));
    const Times before = now();
    session.reverse_step(1);
    const Times taken = since(before);
    worst.processor = std::max(worst.processor, taken.processor);
    worst.clock = std::max(worst.clock, taken.clock);
    sum += taken.processor;
  }
  fmt::print("{:<24}{:>9.1f}{:>9.2f}{:>11}{:>10.1f}{:>12.1f}{:>12.1f}{:>12.1f}\n", name,
             static_cast<double>(bundles) * 1e-6, whole.processor, session.timeline().snapshots(),
             static_cast<double>(session.timeline().snapshot_bytes()) / (1024.0 * 1024.0),
             sum / steps_measured * 1e3, worst.processor * 1e3, worst.clock * 1e3);
}

void measure_on_both(const std::string& name, const Image& image, const Tensors& tensors) {
  measure(name + ", golden", image, tensors, runtime::Model::golden);
  measure(name + ", cycle", image, tensors, runtime::Model::cycle);
}

void measure_scalar(const std::string& preset) {
  AssembleOptions options;
  options.preset = preset;
  const AssembleResult assembled = assemble(SourceText{"scalar.s", scalar_text}, options);
  const LinkInput input{"scalar.s", assembled.object};
  const Image image = make_image(link(std::span(&input, 1)).program);
  measure_on_both("scalar", image, {});
}

void measure_matmul(const std::string& preset, std::int64_t size) {
  AssembleOptions options;
  options.preset = preset;
  const Image image =
      make_image(load_program({installed_file("benchmarks/matmul/matmul_bf16.s")}, options));
  measure_on_both(fmt::format("matmul {}³", size), image,
                  {{"a", matrix(size, size, 1)}, {"b", matrix(size, size, 2)}});
}

// For ten million bundles: each multiplies 8 rows by L x L weights.
std::int64_t matmul_size(const Parameters& preset) {
  const double relative = static_cast<double>(preset.lanes) / 16;
  return static_cast<std::int64_t>(1856 * std::cbrt(relative * relative));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string preset = argc > 1 ? argv[1] : "small";
    const std::int64_t size = matmul_size(preset_named(preset));
    fmt::print("{:<24}{:>9}{:>9}{:>11}{:>10}{:>12}{:>12}{:>12}\n", preset, "M bundles", "run s",
               "snapshots", "MiB", "mean ms", "worst ms", "on clock ms");
    measure_scalar(preset);
    measure_matmul(preset, size);
  } catch (const UserError& error) {
    fmt::print(stderr, "debugger_speed: {}\n", error.message);
    return exit_usage;
  } catch (const LaunchError& error) {
    fmt::print(stderr, "debugger_speed: {}\n", error.message);
    return exit_usage;
  }
}
