// Cycles a second of one machine: by itself, and inside a SystemC platform, loosely timed and
// cycle-exact. A bf16 matrix product at small; best of three; simulation only, without building the
// platform.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "cosim/verilated/rtl_core.hpp"
#include "sim/systemc/example/platform.hpp"

namespace tandem::example {
namespace {

constexpr std::uint64_t text_address = 0x10000;
constexpr std::uint64_t block_address = 0x80000;
constexpr std::uint64_t a_address = 0x100000;
constexpr std::uint64_t b_address = 0x200000;
constexpr std::uint64_t c_address = 0x300000;
constexpr int repeats = 3;

struct Case {
  const char* title;
  TpuTiming timing;
  unsigned quantum;  // periods
};

constexpr std::array<Case, 3> cases{{{"loose, quantum 1000", TpuTiming::loosely_timed, 1000},
                                     {"loose, quantum 10", TpuTiming::loosely_timed, 10},
                                     {"cycle-exact", TpuTiming::cycle_exact, 0}}};

std::vector<Argument> arguments(std::uint32_t size) {
  return {{a_address, Element::bf16, {size, size}},
          {b_address, Element::bf16, {size, size}},
          {c_address, Element::bf16, {size, size}}};
}

double seconds_of(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

// Cycles a second of one run on a platform.
double platform_speed(const TpuConfig& config, unsigned quantum, const Program& program,
                      std::uint32_t size) {
  sc_core::sc_curr_simcontext = new sc_core::sc_simcontext();  // one elaboration a context
  sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
  tlm::tlm_global_quantum::instance().set(quantum * config.period);
  double speed = 0;
  Platform platform("platform", config, [&](Platform& all) {
    Driver tpu = all.driver(0);
    tpu.load(program, text_address, arguments(size));
    const auto begin = std::chrono::steady_clock::now();
    tpu.start();
    const Ending ending = tpu.wait();
    const double seconds = seconds_of(std::chrono::steady_clock::now() - begin);
    if (ending.status != bit::status_halted) throw std::runtime_error("the program did not halt");
    speed = static_cast<double>(ending.cycles) / seconds;
  });
  sc_core::sc_start();
  return speed;
}

// A memory without a bus.
class PlainMemory final : public MemoryPort {
 public:
  bool read(std::uint64_t address, std::uint8_t* bytes, std::size_t count) override {
    if (address > contents.size() || count > contents.size() - address) return false;
    std::memcpy(bytes, contents.data() + address, count);
    return true;
  }
  bool write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) override {
    if (address > contents.size() || count > contents.size() - address) return false;
    std::memcpy(contents.data() + address, bytes, count);
    return true;
  }
  std::vector<std::uint8_t> contents = std::vector<std::uint8_t>(memory_bytes);
};

// The same without SystemC.
double plain_speed(const TpuConfig& config, const Program& program, std::uint32_t size) {
  PlainMemory memory;
  const auto core = config.core(config.options, memory);
  const auto write = [&core](std::uint64_t offset, std::uint64_t value) {
    core->write_register(static_cast<std::uint32_t>(offset / 4), static_cast<std::uint32_t>(value));
  };
  const std::vector<std::uint32_t> block = argument_block(arguments(size));
  memory.write(text_address, program.text.bytes.data(), program.text.bytes.size());
  memory.write(block_address, reinterpret_cast<const std::uint8_t*>(block.data()),
               block.size() * 4);
  write(reg::text_lo, text_address);
  write(reg::text_bundles, program.text.bytes.size() / bytes_of_bundle);
  write(reg::entry_pc, program.entry_pc);
  write(reg::arg_lo, block_address);
  write(reg::hbm_lo, memory_bytes);
  const auto begin = std::chrono::steady_clock::now();
  write(reg::control, bit::control_start);
  std::uint64_t cycles = 0;
  while (core->active()) cycles += core->advance(1'000'000);
  return static_cast<double>(cycles) / seconds_of(std::chrono::steady_clock::now() - begin);
}

template <typename Run>
double best_of(Run run) {
  double best = 0;
  for (int i = 0; i < repeats; ++i) best = std::max(best, run());
  return best;
}

// One row: the model inside, then kilocycles a second of each way to run it.
void row(const char* title, TpuCoreFactory core, const Program& program, std::uint32_t size) {
  TpuConfig config;
  config.core = core;
  config.options.preset = "small";
  std::printf("| %s, %u³ | %.0f |", title, size,
              best_of([&] { return plain_speed(config, program, size); }) / 1e3);
  for (const Case& how : cases) {
    config.timing = how.timing;
    const double speed =
        best_of([&] { return platform_speed(config, how.quantum, program, size); });
    std::printf(" %.0f |", speed / 1e3);
  }
  std::printf("\n");
}

void measure() {
  const Program program = read_program(TANDEM_EXAMPLE_PROGRAMS "/matmul_bf16.elf");
  std::printf("| kcycles/s at small | without SystemC |");
  for (const Case& how : cases) std::printf(" %s |", how.title);
  std::printf("\n|---|---|---|---|---|\n");
  row("cycle model inside", make_cycle_core, program, 256);
  row("RTL inside", make_rtl_core, program, 96);
}

}  // namespace
}  // namespace tandem::example

int sc_main(int, char**) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  try {
    tandem::example::measure();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "systemc_speed: %s\n", error.what());
    return 2;
  }
}
