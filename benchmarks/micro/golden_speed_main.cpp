// How fast the golden and the cycle-exact model run on this machine, one thread: bundles/s on
// scalar code and GMAC/s on matrix multiply, golden's with detection of races and never-written
// data on and off.
#include <fmt/core.h>

#include <cstdint>
#include <ctime>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "isa/encoding.hpp"
#include "isa/golden/golden_model.hpp"
#include "sim/time/cycle_model.hpp"

namespace {

using namespace tandem;

struct SlotOperation {
  Slot slot;
  Operation operation;
};

SlotOperation op(Slot slot, Op which, std::initializer_list<OperandValue> operands,
                 std::uint8_t predicate = 0) {
  SlotOperation result{slot, Operation{which, predicate, false, {}}};
  const OperandList& rows = instruction(which).operands;
  for (std::size_t i = 0; i < rows.count; ++i) {
    result.operation.operands[i] = default_value(*rows.items[i]);
  }
  std::size_t i = 0;
  for (const OperandValue& value : operands) result.operation.operands[i++] = value;
  return result;
}

OperandValue reg(std::int32_t number) { return {number, 0, 0}; }
OperandValue constant(std::int32_t value) { return {0, 1, value}; }
OperandValue at(std::int32_t scalar, std::int32_t offset) { return {scalar, 0, offset}; }

struct Program {
  Image image;

  explicit Program(std::string_view preset) { image.preset = find_preset(preset); }
  void bundle(std::initializer_list<SlotOperation> operations) {
    Bundle bits{};
    for (const SlotOperation& item : operations) {
      set_slot_bits(bits, item.slot, encode(item.operation));
    }
    image.text.push_back(bits);
  }
  void branch(std::int32_t pc, std::uint8_t predicate) {
    bundle({op(Slot::sa, Op::br, {reg(pc)}, predicate)});
  }
  void halt() { bundle({op(Slot::sa, Op::halt, {})}); }
};

// A loop as compilers and people write them: arithmetic in both scalar slots, SMEM, a branch.
Program scalar_program(std::int32_t rounds) {
  Program program("small");
  program.bundle({op(Slot::sa, Op::mov, {reg(3), constant(12345)})});
  program.bundle({op(Slot::sa, Op::add, {reg(1), reg(1), constant(1)}),
                  op(Slot::sb, Op::sld, {reg(2), at(4, 0)})});
  program.bundle({op(Slot::sa, Op::bit_xor, {reg(3), reg(3), reg(2)}),
                  op(Slot::sb, Op::lt_u32, {reg(1), reg(1), constant(rounds)})});
  program.bundle({op(Slot::sa, Op::mul, {reg(5), reg(3), constant(2654435)}),
                  op(Slot::sb, Op::sst, {at(4, 0), reg(3)})});
  program.bundle({op(Slot::sa, Op::br, {reg(1)}, 1),
                  op(Slot::sb, Op::bit_and, {reg(4), reg(1), constant(1023)})});
  program.halt();
  return program;
}

// The inner loop of a matrix multiply: 32 accumulators, activations loaded a bundle ahead, every
// round new weights.
Program matmul_program(std::string_view preset, std::int32_t rounds) {
  Program program(preset);
  const auto lanes = static_cast<std::int32_t>(program.image.preset->lanes);
  program.bundle({op(Slot::va, Op::vlane, {reg(1)})});
  program.bundle({op(Slot::va, Op::vcvt_f32_s32, {reg(1), reg(1)})});
  for (std::int32_t row = 0; row < 264; row += 8)
    program.bundle({op(Slot::st, Op::vst, {at(0, row), reg(1)})});
  const auto loop = static_cast<std::int32_t>(program.image.text.size());
  for (std::int32_t row = 0; row < lanes; row += 8) {
    program.bundle({op(Slot::mx, Op::mxpush, {at(0, row), reg(1)})});
  }
  for (std::int32_t i = 0; i < 32; ++i) {
    program.bundle(
        {op(Slot::mx, Op::mxmul_bf16, {at(0, i), reg(1), reg(8), reg(0), reg(i == 0 ? 1 : 0)}),
         op(Slot::ld, Op::vld, {reg(1), at(0, 8 * i)}),
         op(Slot::sa, Op::add, {reg(2), reg(2), constant(8)})});
  }
  program.bundle({op(Slot::sa, Op::add, {reg(1), reg(1), constant(1)})});
  program.bundle({op(Slot::sa, Op::lt_u32, {reg(1), reg(1), constant(rounds)})});
  program.branch(loop, 1);
  program.halt();
  return program;
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

// Golden, whose detection is on in both, and the cycle-exact model in turn, and what the account of
// time costs.
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
