#include <catch2/catch.hpp>

#include <numeric>
#include <thread>

#include "isa/parameters.hpp"
#include "tests/runtime/support.hpp"

namespace tandem::test {
namespace {

using namespace runtime;

constexpr std::int64_t rows = 8;
constexpr std::int64_t nano_lanes = 8;
constexpr std::size_t tile = rows * nano_lanes;

DeviceOptions nano(Model model) {
  DeviceOptions options;
  options.preset = "nano";
  options.model = model;
  options.hbm_bytes = 64U << 20U;
  return options;
}

std::vector<std::int32_t> counted(std::int32_t first) {
  std::vector<std::int32_t> values(tile);
  std::iota(values.begin(), values.end(), first);
  return values;
}

// Whether this build can run the model; prints a message if not.
bool runs(Model model) {
  if (model == Model::golden || model == Model::cycle || has_rtl("nano")) return true;
  WARN("SKIPPED: no RTL library of preset nano");
  return false;
}

void launch_again_and_again(Model model) {
  Device device(nano(model));
  const ProgramHandle program = device.load(assembled(add_one_program()));
  TensorHandle x = device.allocate(ElementType::s32, {rows, nano_lanes});
  TensorHandle y = device.allocate(ElementType::s32, {rows, nano_lanes});
  device.write(*x, bytes_of(counted(5)));
  for (std::int32_t launch = 1; launch <= 3; ++launch) {
    const LaunchResult result = device.launch(*program, std::vector{x, y});
    INFO(result.report);
    REQUIRE(result.outcome == Outcome::halted);
    CHECK(contents<std::int32_t>(device, *y, tile) == counted(5 + launch));
    std::swap(x, y);
  }
}

void start_clears(Model model) {
  Device device(nano(model));
  const ProgramHandle rubbish = device.load(assembled(rubbish_program()));
  const ProgramHandle clean = device.load(assembled(clean_program()));
  for (int round = 0; round < 2; ++round) {
    const LaunchResult first = device.launch(*rubbish, {});
    INFO(first.report);
    REQUIRE(first.outcome == Outcome::halted);
    const LaunchResult second = device.launch(*clean, {});
    INFO(second.report);
    REQUIRE(second.outcome == Outcome::halted);
  }
}

}  // namespace

TEST_CASE("a program is loaded once and launched many times on tensors that are there") {
  const Model model = GENERATE(Model::golden, Model::cycle, Model::rtl, Model::lockstep);
  if (runs(model)) launch_again_and_again(model);
}

TEST_CASE("a start clears what the reference says, whatever ran before") {
  const Model model = GENERATE(Model::golden, Model::cycle, Model::rtl, Model::lockstep);
  if (runs(model)) start_clears(model);
}

TEST_CASE("a second launch takes as many cycles as the first, on RTL and cycle-exact model") {
  const Model model = GENERATE(Model::cycle, Model::rtl, Model::lockstep);
  if (!runs(model)) return;
  DeviceOptions options = nano(model);
  options.machine.memory.jitter = 7;
  Device device(options);
  const ProgramHandle program = device.load(assembled(add_one_program()));
  const TensorHandle x = device.allocate(ElementType::s32, {rows, nano_lanes});
  const TensorHandle y = device.allocate(ElementType::s32, {rows, nano_lanes});
  device.write(*x, bytes_of(counted(0)));
  const LaunchResult first = device.launch(*program, std::vector{x, y});
  const LaunchResult second = device.launch(*program, std::vector{x, y});
  CHECK(first.cycles > 0);
  CHECK(second.cycles == first.cycles);
}

TEST_CASE("what an earlier launch left counts as never written") {
  const std::string reads_v5 = "v6 = vadd.s32 v5, v5\n halt\n";
  const Model model = GENERATE(Model::golden, Model::cycle, Model::lockstep);
  if (!runs(model)) return;
  Device device(nano(model));
  REQUIRE(device.launch(*device.load(assembled(rubbish_program())), {}).outcome == Outcome::halted);
  const LaunchResult result = device.launch(*device.load(assembled(reads_v5)), {});
  CHECK(result.outcome == Outcome::uninitialised);
  CHECK(result.report.find("never-written") != std::string::npos);
}

TEST_CASE("a program that trapped does not keep others from running") {
  const Model model = GENERATE(Model::golden, Model::cycle, Model::rtl, Model::lockstep);
  if (!runs(model)) return;
  Device device(nano(model));
  const ProgramHandle traps = device.load(assembled("s4 = mov 3\n trap 9\n halt\n"));
  const ProgramHandle clean = device.load(assembled(clean_program()));
  const LaunchResult result = device.launch(*traps, {});
  CHECK(result.outcome == Outcome::trapped);
  CHECK(result.trap.detail == 9);
  CHECK(result.pc == 1);
  const LaunchResult after = device.launch(*clean, {});
  INFO(after.report);
  CHECK(after.outcome == Outcome::halted);
}

TEST_CASE("data of a program are fresh at each launch") {
  const std::string counts = R"(
        .include "benchmarks/common/common.inc"
        .data
        .align  4096
cell:   .u32    41
        .smem
        .align  16
bring:  .space  16
back:   .space  16
word:   .space  1
        .text
        descriptor bring, in_hbm, in_smem, 1
        store_word bring + copy_source, lo(cell)
        store_word bring + copy_target, word * 4
        store_word bring + copy_length, 4
        descriptor back, in_smem, in_hbm, 2
        store_word back + copy_source, word * 4
        store_word back + copy_target, lo(cell)
        store_word back + copy_length, 4
        copy_and_wait bring, f1
        s5 = sld [word]
        p1 = ne s5, 41
        @p1 trap 1
        s5 = add s5, 1
        sst [word], s5
        copy_and_wait back, f2
        halt
)";
  const Model model = GENERATE(Model::golden, Model::lockstep);
  if (!runs(model)) return;
  Device device(nano(model));
  const ProgramHandle program = device.load(assembled(counts));
  for (int launch = 0; launch < 3; ++launch) {
    const LaunchResult result = device.launch(*program, {});
    INFO(result.report);
    REQUIRE(result.outcome == Outcome::halted);
  }
}

TEST_CASE("rows of odd lengths are packed at the host and padded in HBM") {
  Device device(nano(Model::golden));
  const TensorHandle tensor = device.allocate(ElementType::bf16, {3, 5});
  std::vector<std::uint16_t> values(15);
  std::iota(values.begin(), values.end(), std::uint16_t{1});
  device.write(*tensor, bytes_of(values));
  CHECK(tensor->bytes() == 3 * 12);
  CHECK(contents<std::uint16_t>(device, *tensor, 15) == values);
  CHECK(contents<std::uint16_t>(device, *device.clone(*tensor), 15) == values);
}

TEST_CASE("memory is reused, and a full one says so") {
  Device device(nano(Model::golden));
  const std::uint64_t before = device.memory().used;
  {
    const TensorHandle large = device.allocate(ElementType::f32, {40, 256, 1024});
    CHECK_THROWS_AS(device.allocate(ElementType::f32, {40, 256, 1024}), Error);
    try {
      device.allocate(ElementType::f32, {40, 256, 1024});
    } catch (const Error& error) {
      CHECK(error.code == ErrorCode::out_of_memory);
      CHECK(error.message.find("41943040 bytes") != std::string::npos);
    }
  }
  CHECK(device.memory().used == before);
  CHECK_NOTHROW(device.allocate(ElementType::f32, {40, 256, 1024}));
  CHECK(device.memory().peak >= 40U << 20U);
}

TEST_CASE("a large program takes what tensors leave, and is refused where they are in the way") {
  // Of 64 MB programs have 16 at first.
  const auto large = assembled(add_one_program() + "        .bss\n        .space 30000000\n");
  Device device(nano(Model::golden));
  const TensorHandle x = device.allocate(ElementType::s32, {rows, nano_lanes});
  const TensorHandle y = device.allocate(ElementType::s32, {rows, nano_lanes});
  device.write(*x, bytes_of(counted(5)));
  const std::uint64_t capacity = device.memory().capacity;
  const ProgramHandle program = device.load(large);
  CHECK(device.memory().capacity < capacity);
  const LaunchResult result = device.launch(*program, std::vector{x, y});
  INFO(result.report);
  REQUIRE(result.outcome == Outcome::halted);
  CHECK(contents<std::int32_t>(device, *y, tile) == counted(6));

  Device full(nano(Model::golden));
  const TensorHandle held = full.allocate(ElementType::f32, {40, 256, 1024});
  try {
    full.load(large);
    FAIL("there is no room");
  } catch (const Error& error) {
    CHECK(error.code == ErrorCode::out_of_memory);
    CHECK(error.message.find("TANDEM_HBM") != std::string::npos);
  }
}

TEST_CASE("tensors of no elements and of none dimensions are tensors") {
  Device device(nano(Model::golden));
  const TensorHandle empty = device.allocate(ElementType::f32, {4, 0, 3});
  const TensorHandle scalar = device.allocate(ElementType::f32, {});
  CHECK(empty->placed().address != scalar->placed().address);
  device.write(*empty, {});
  device.write(*scalar, bytes_of(std::vector<float>{2.5F}));
  CHECK(contents<float>(device, *scalar, 1)[0] == 2.5F);
}

TEST_CASE("a launch refuses tensors that do not fit the declaration") {
  Device device(nano(Model::golden));
  Device other(nano(Model::golden));
  const ProgramHandle program = device.load(assembled(add_one_program()));
  const TensorHandle good = device.allocate(ElementType::s32, {rows, nano_lanes});
  const TensorHandle short_one = device.allocate(ElementType::s32, {rows, 4});
  const TensorHandle floats = device.allocate(ElementType::f32, {rows, nano_lanes});
  const TensorHandle foreign = other.allocate(ElementType::s32, {rows, nano_lanes});
  CHECK_THROWS_AS(device.launch(*program, std::vector{good}), Error);
  CHECK_THROWS_AS(device.launch(*program, std::vector{good, short_one}), Error);
  CHECK_THROWS_AS(device.launch(*program, std::vector{good, floats}), Error);
  CHECK_THROWS_AS(device.launch(*program, std::vector{good, foreign}), Error);
}

TEST_CASE("bad programs and presets are refused") {
  Device device(nano(Model::golden));
  CHECK_THROWS_AS(device.load(std::vector<std::uint8_t>{1, 2, 3}), Error);
  CHECK_THROWS_AS(device.load(assembled("halt\n", "small")), Error);
  DeviceOptions options = nano(Model::golden);
  options.preset = "tiny";
  CHECK_THROWS_AS(Device(options), Error);
}

TEST_CASE("an endless program ends when it is interrupted or meets the limit") {
  Device device(nano(Model::golden));
  const ProgramHandle endless = device.load(assembled("loop: br loop\n halt\n"));
  LaunchOptions options;
  options.limit = 1'000'000;
  CHECK(device.launch(*endless, {}, options).outcome == Outcome::running);
  std::atomic<bool> interrupt = false;
  options.limit = 0;
  options.interrupt = &interrupt;
  std::thread stopper([&interrupt] { interrupt = true; });
  CHECK(device.launch(*endless, {}, options).outcome == Outcome::running);
  stopper.join();
}

TEST_CASE("devices of one process run at once in threads of their own") {
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  const std::vector<std::uint8_t> elf = assembled(add_one_program());
  for (std::int32_t number = 0; number < 4; ++number) {
    threads.emplace_back([number, &good, &elf] {
      Device device(nano(number % 2 == 0 ? Model::golden : Model::cycle));
      const ProgramHandle program = device.load(elf);
      const TensorHandle x = device.allocate(ElementType::s32, {rows, nano_lanes});
      const TensorHandle y = device.allocate(ElementType::s32, {rows, nano_lanes});
      device.write(*x, bytes_of(counted(number)));
      for (int launch = 0; launch < 50; ++launch) device.launch(*program, std::vector{x, y});
      good += contents<std::int32_t>(device, *y, tile) == counted(number + 1) ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(good == 4);
}

}  // namespace tandem::test
