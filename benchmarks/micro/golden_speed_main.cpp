// How fast the golden and the cycle-exact model run on this machine, one thread: bundles/s on
// scalar code and GMAC/s on matrix multiply, golden's with detection of races and never-written
// data on and off.
#include <fmt/core.h>

#include <cstdint>
#include <ctime>
#include <span>
#include <string_view>

#include "isa/builder/object_builder.hpp"
#include "isa/golden/golden_model.hpp"
#include "isa/object/link.hpp"
#include "sim/time/cycle_model.hpp"

namespace {

using namespace tandem;

using namespace tandem::builder;  // NOLINT

struct Program {
  Image image;
};

Program linked(const ObjectBuilder& object) {
  const LinkInput input{"speed", object.finish()};
  return {make_image(link(std::span(&input, 1)).program)};
}

// A loop as compilers and people write them: arithmetic in both scalar slots, SMEM, a branch.
Program scalar_program(std::int32_t rounds) {
  ObjectBuilder object(*find_preset("small"));
  object.bundle({op::mov(s(3), 12345)});
  const SymbolValue loop = object.here();
  object.bundle({op::add(s(1), s(1), 1), op::sld(s(2), Smem(s(4)))});
  object.bundle({op::bit_xor(s(3), s(3), s(2)), op::lt_u32(p(1), s(1), rounds)});
  object.bundle({op::mul(s(5), s(3), 2654435), op::sst(Smem(s(4)), s(3))});
  object.bundle({op::br(loop).when(p(1)), op::bit_and(s(4), s(1), 1023)});
  object.bundle({op::halt()});
  return linked(object);
}

// The inner loop of a matrix multiply: 32 accumulators, activations loaded a bundle ahead, new
// weights in every iteration.
Program matmul_program(std::string_view preset, std::int32_t rounds) {
  ObjectBuilder object(*find_preset(preset));
  const auto lanes = static_cast<std::int32_t>(find_preset(preset)->lanes);
  object.bundle({op::vlane(v(1))});
  object.bundle({op::vcvt_f32_s32(v(1), v(1))});
  for (std::int32_t row = 0; row < 264; row += 8) object.bundle({op::vst(Vmem(row), v(1))});
  const SymbolValue loop = object.here();
  for (std::int32_t row = 0; row < lanes; row += 8) {
    object.bundle({op::mxpush(WeightRow(row), v(1).f32())});
  }
  for (std::int32_t i = 0; i < 32; ++i) {
    const Placed multiply =
        i == 0 ? op::mxmul_bf16(a(i), v(1).f32(), swapped) : op::mxmul_bf16(a(i), v(1).f32());
    object.bundle({multiply, op::vld(v(1), Vmem(8 * i)), op::add(s(2), s(2), 8)});
  }
  object.bundle({op::add(s(1), s(1), 1)});
  object.bundle({op::lt_u32(p(1), s(1), rounds)});
  object.bundle({op::br(loop).when(p(1))});
  object.bundle({op::halt()});
  return linked(object);
}

// Processor seconds of one run (so that other work on the machine counts little), and its bundles.
struct Timing {
  double seconds = 0;
  std::uint64_t bundles = 0;
  std::uint64_t cycles = 0;  // of the cycle-exact model
};

Timing measure(const Program& program, bool detect, bool records) {
  Launch launch;
  launch.image = &program.image;
  GoldenModel model(launch, {detect, detect, {}});
  RetireRecord record;
  const std::clock_t begin = std::clock();
  if (records) {
    while (model.step(&record) == RunStatus::running) {
    }
  } else {
    model.run(~std::uint64_t{0});
  }
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  if (model.status() != RunStatus::halted) fmt::print(stderr, "the program did not halt\n");
  return {seconds, model.bundles(), 0};
}

Timing measure_cycle_model(const Program& program) {
  Launch launch;
  launch.image = &program.image;
  CycleModel model(launch);
  const std::clock_t begin = std::clock();
  model.run(~std::uint64_t{0});
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  if (model.status() != RunStatus::halted) fmt::print(stderr, "the program did not halt\n");
  return {seconds, model.bundles(), model.cycle()};
}

void print_bundles(std::string_view name, const Timing& timing) {
  fmt::print("{:<34} {:8.1f} M bundles/s\n", name,
             static_cast<double>(timing.bundles) / timing.seconds * 1e-6);
}

void print_matmul(std::string_view preset, std::int32_t rounds, bool detect) {
  const Program program = matmul_program(preset, rounds);
  const Timing timing = measure(program, detect, false);
  const double lanes = program.image.preset->lanes;
  const double macs = 32.0 * rounds * 8 * lanes * lanes;
  fmt::print("matmul {:<8} detection {:<10} {:10.2f} GMAC/s\n", preset, detect ? "on" : "off",
             macs / timing.seconds * 1e-9);
}

// Golden and the cycle-exact model alternately, both with detection, and the cost of the account of
// time.
void print_pair(std::string_view name, const Program& program) {
  const Timing golden = measure(program, true, false);
  const Timing cycle = measure_cycle_model(program);
  fmt::print(
      "{:<16} golden {:7.1f} M bundles/s, cycle-exact {:7.1f} M bundles/s, {:7.1f} M cycles/s: "
      "{:4.2f} of golden's speed\n",
      name, static_cast<double>(golden.bundles) / golden.seconds * 1e-6,
      static_cast<double>(cycle.bundles) / cycle.seconds * 1e-6,
      static_cast<double>(cycle.cycles) / cycle.seconds * 1e-6, golden.seconds / cycle.seconds);
}

void print_pairs() {
  print_pair("scalar", scalar_program(5'000'000));
  print_pair("matmul nano", matmul_program("nano", 30'000));
  print_pair("matmul small", matmul_program("small", 20'000));
  print_pair("matmul edge", matmul_program("edge", 4'000));
  print_pair("matmul full", matmul_program("full", 1'500));
}

}  // namespace

int main(int count, char**) {
  if (count > 1) return print_pairs(), 0;  // any argument: the pairs alone
  const Program scalar = scalar_program(20'000'000);
  print_bundles("scalar, detection on", measure(scalar, true, false));
  print_bundles("scalar, detection off", measure(scalar, false, false));
  print_bundles("scalar, with records", measure(scalar_program(500'000), true, true));
  for (const bool detect : {true, false}) {
    print_matmul("nano", 100'000, detect);
    print_matmul("small", 50'000, detect);
    print_matmul("edge", 4'000, detect);
    print_matmul("full", 1'500, detect);
  }
  print_pairs();
}
