// The meaning of time: docs/systemc.md, "Time".
#include <catch2/catch.hpp>

#include "support.hpp"

namespace tandem::test {
namespace {

// About as many cycles as asked for.
std::string idle(unsigned cycles) { return "idle " + std::to_string(cycles) + "\nhalt\n"; }

// When cycle 0 begins: after the access that starts the machine.
sc_core::sc_time written_start(Driver& tpu) {
  tpu.write(reg::control, bit::control_start);
  return sc_core::sc_time_stamp();
}

// An access takes a period, so its value is of a period before it returns.

TEST_CASE("simulated time of a run is its cycles times the period") {
  for (const TpuConfig& config : all_machines()) {
    for (const unsigned quantum : {0U, 1U, 7U, 100'000U}) {
      simulate(config, quantum, [&config](Platform& platform) {
        Driver tpu = platform.driver(0);
        tpu.load(program(idle(1000)), text_address, {});
        platform.host.pass(0.3 * config.period);
        tpu.write(reg::interrupt_enable, bit::interrupt_enable_halt);
        const sc_core::sc_time start = written_start(tpu);
        platform.host.wait_for_interrupt(0);
        const sc_core::sc_time end = sc_core::sc_time_stamp();
        const std::uint32_t cycles = tpu.read(reg::cycles_lo);
        CHECK(cycles > 500);
        // The interrupt follows the end by a cycle, as in the RTL.
        CHECK(end - start == (cycles + 1) * config.period);
      });
    }
  }
}

TEST_CASE("a cycle-exact machine shows each cycle at its time") {
  for (const std::string& inside : insides()) {
    const TpuConfig config = machine(inside, TpuTiming::cycle_exact);
    simulate(config, [&config](Platform& platform) {
      Driver tpu = platform.driver(0);
      tpu.load(program(idle(1000)), text_address, {});
      const sc_core::sc_time start = written_start(tpu);
      for (unsigned i = 0; i < 20; ++i) {
        platform.host.pass(33.7 * config.period);
        const sc_core::sc_time before = sc_core::sc_time_stamp();
        const std::uint32_t cycles = tpu.read(reg::cycles_lo);
        CHECK(sc_core::sc_time_stamp() - before <= 2 * config.period);
        CHECK(sc_core::sc_time_stamp() - start == (cycles + 1) * config.period);
      }
    });
  }
}

TEST_CASE("a machine that has run ahead answers for its own time") {
  for (const std::string& inside : insides()) {
    const TpuConfig config = machine(inside, TpuTiming::loosely_timed);
    simulate(config, 400, [&config](Platform& platform) {
      Driver tpu = platform.driver(0);
      tpu.load(program(idle(5000)), text_address, {});
      const sc_core::sc_time start = written_start(tpu);
      for (unsigned i = 0; i < 10; ++i) {
        platform.host.pass(333 * config.period);
        const std::uint32_t cycles = tpu.read(reg::cycles_lo);
        CHECK(sc_core::sc_time_stamp() - start == (cycles + 1) * config.period);
      }
    });
  }
}

TEST_CASE("both insides take the same cycles, in a second run too") {
  std::vector<std::vector<std::uint64_t>> cycles;
  for (const TpuConfig& config : all_machines()) {
    auto& mine = cycles.emplace_back();
    simulate(config, [&mine](Platform& platform) {
      for (std::size_t machine = 0; machine < example::machines; ++machine) {
        Driver tpu = platform.driver(machine);
        const std::string code = copy_in(0x200000, 64, 4096, 1) + copy_out(64, 0x300000, 4096, 2);
        tpu.load(program(code + "halt\n"), text_address, {});
        for (int run = 0; run < 2; ++run) {
          tpu.start();
          mine.push_back(tpu.wait().cycles);
        }
      }
    });
    CHECK(mine == std::vector<std::uint64_t>(4, mine.front()));
    CHECK(mine == cycles.front());
  }
}

TEST_CASE("delays that a memory annotates are reported once and change nothing") {
  if (!needs_rtl()) return;
  const TpuConfig config = machine("rtl", TpuTiming::loosely_timed);
  std::vector<std::uint64_t> cycles;
  sc_core::sc_report_handler::set_actions("/tandem/tpu/delay", sc_core::SC_DO_NOTHING);
  for (const double delay : {0.0, 50.0}) {
    simulate(config, [&](Platform& platform) {
      platform.memory.allow_dmi(false);
      platform.memory.set_delay({delay, sc_core::SC_NS});
      Driver tpu = platform.driver(0);
      tpu.load(program(copy_in(0x200000, 64, 4096, 1) + "halt\n"), text_address, {});
      const int before = sc_core::sc_report_handler::get_count("/tandem/tpu/delay");
      tpu.start();
      cycles.push_back(tpu.wait().cycles);
      const int reports = sc_core::sc_report_handler::get_count("/tandem/tpu/delay") - before;
      CHECK(reports == (delay == 0 ? 0 : 1));
    });
  }
  CHECK(cycles.at(0) == cycles.at(1));
}

}  // namespace
}  // namespace tandem::test
