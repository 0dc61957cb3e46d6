// The register socket and the interrupt line.
#include <catch2/catch.hpp>

#include "support.hpp"

namespace tandem::test {
namespace {

constexpr const char* endless = "loop: { s4 = add s4, 1 }\n      br loop\n";

// One transaction to the registers of machine 0, in any form.
struct Access {
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  std::uint64_t offset = 0;
  unsigned length = 4;
  bool byte_enables = false;
};
tlm::tlm_response_status response(Platform& platform, const Access& access) {
  std::array<unsigned char, 16> bytes{};
  std::array<unsigned char, 16> enables{};
  tlm::tlm_generic_payload payload;
  payload.set_command(access.command);
  payload.set_address(example::registers_base + access.offset);
  payload.set_data_ptr(bytes.data());
  payload.set_data_length(access.length);
  payload.set_streaming_width(access.length);
  if (access.byte_enables) {
    payload.set_byte_enable_ptr(enables.data());
    payload.set_byte_enable_length(access.length);
  }
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  platform.host.bus->b_transport(payload, delay);
  return payload.get_response_status();
}

TEST_CASE("registers read and keep what the register map says") {
  for (const TpuConfig& config : all_machines()) {
    simulate(config, [](Platform& platform) {
      Driver tpu = platform.driver(0);
      CHECK(tpu.read(reg::id) == 0x444e4154);
      CHECK(tpu.read(0x048) == 8);  // lanes of nano
      tpu.write(0x048, 99);
      CHECK(tpu.read(0x048) == 8);
      tpu.write(reg::entry_pc, 0x12345678);
      CHECK(tpu.read(reg::entry_pc) == 0x12345678);
      tpu.write(reg::interrupt_enable, ~0U);
      CHECK(tpu.read(reg::interrupt_enable) == 3);
      CHECK(tpu.read(reg::control) == 0);
      CHECK(tpu.read(0x05c) == 0);  // number 23 is not listed
      CHECK(platform.driver(1).read(reg::entry_pc) == 0);
    });
  }
}

TEST_CASE("accesses of anything but one aligned word are refused") {
  if (!needs_rtl()) return;
  simulate(machine("rtl", TpuTiming::cycle_exact), [](Platform& platform) {
    CHECK(response(platform, {}) == tlm::TLM_OK_RESPONSE);
    Access access;
    access.length = 2;
    CHECK(response(platform, access) == tlm::TLM_BURST_ERROR_RESPONSE);
    access.length = 8;
    CHECK(response(platform, access) == tlm::TLM_BURST_ERROR_RESPONSE);
    access = {};
    access.offset = 2;
    CHECK(response(platform, access) == tlm::TLM_BURST_ERROR_RESPONSE);
    access = {};
    access.byte_enables = true;
    CHECK(response(platform, access) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    access = {};
    access.command = tlm::TLM_IGNORE_COMMAND;
    CHECK(response(platform, access) == tlm::TLM_COMMAND_ERROR_RESPONSE);
    access = {};
    access.offset = 3 * example::registers_bytes;
    CHECK(response(platform, access) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
}

TEST_CASE("a debugger reads registers and writes none") {
  if (!needs_rtl()) return;
  simulate(machine("rtl", TpuTiming::loosely_timed), [](Platform& platform) {
    std::uint32_t value = 0;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(example::registers_base + reg::id);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    CHECK(platform.host.bus->transport_dbg(payload) == 4);
    CHECK(value == 0x444e4154);
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(example::registers_base + reg::entry_pc);
    CHECK(platform.host.bus->transport_dbg(payload) == 0);
    CHECK(platform.driver(0).read(reg::entry_pc) == 0);
  });
}

TEST_CASE("the interrupt is a level that follows enable and pending") {
  for (const TpuConfig& config : all_machines()) {
    simulate(config, [&config](Platform& platform) {
      const auto& line = platform.lines[0];
      const auto settle = [&] { platform.host.pass(2 * config.period); };
      Driver tpu = platform.driver(0);
      tpu.load(program("halt\n"), text_address, {});
      tpu.write(reg::control, bit::control_start);
      platform.host.pass(100'000 * config.period);
      CHECK(tpu.read(reg::status) == bit::status_halted);
      CHECK(tpu.read(reg::interrupt_pending) == bit::interrupt_enable_halt);
      CHECK_FALSE(line.read());
      tpu.write(reg::interrupt_enable, bit::interrupt_enable_trap);
      settle();
      CHECK_FALSE(line.read());
      tpu.write(reg::interrupt_enable, bit::interrupt_enable_halt);
      settle();
      CHECK(line.read());
      tpu.write(reg::interrupt_pending, bit::interrupt_enable_trap);
      settle();
      CHECK(line.read());
      tpu.write(reg::interrupt_pending, bit::interrupt_enable_halt);
      settle();
      CHECK_FALSE(line.read());
      CHECK(tpu.read(reg::interrupt_pending) == 0);
    });
  }
}

TEST_CASE("a start while running sets the error bit and nothing else") {
  for (const TpuConfig& config : all_machines()) {
    simulate(config, [](Platform& platform) {
      Driver tpu = platform.driver(0);
      tpu.load(program(endless), text_address, {});
      tpu.write(reg::control, bit::control_start);
      tpu.write(reg::control, bit::control_start);
      CHECK(tpu.read(reg::status) == (bit::status_running | bit::status_start_error));
      tpu.write(reg::status, bit::status_start_error);
      CHECK(tpu.read(reg::status) == bit::status_running);
    });
  }
}

TEST_CASE("a stop ends the run without halt or trap and the machine starts again") {
  for (const TpuConfig& config : all_machines()) {
    simulate(config, [&config](Platform& platform) {
      Driver tpu = platform.driver(0);
      tpu.load(program(endless), text_address, {});
      tpu.start();
      platform.host.pass(5000 * config.period);
      tpu.write(reg::control, bit::control_stop);
      platform.host.pass(3000 * config.period);
      CHECK(tpu.read(reg::status) == 0);
      CHECK(tpu.read(reg::interrupt_pending) == 0);
      const std::uint32_t cycles = tpu.read(reg::cycles_lo);
      CHECK(cycles >= 5000);
      CHECK(cycles < 5000 + 1000 + 100);  // the quantum, and operations in flight
      platform.host.pass(3000 * config.period);
      CHECK(tpu.read(reg::cycles_lo) == cycles);
      tpu.load(program("halt\n"), text_address, {});
      tpu.start();
      CHECK(tpu.wait().status == bit::status_halted);
    });
  }
}

}  // namespace
}  // namespace tandem::test
