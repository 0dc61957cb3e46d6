// The memory side: visibility between machines and host, DMI, bus errors.
#include <catch2/catch.hpp>

#include "support.hpp"

namespace tandem::test {
namespace {

constexpr std::uint64_t flag_address = 0x200000;
constexpr std::uint64_t data_address = 0x210000;
constexpr std::uint64_t result_address = 0x220000;

// Polls the flag until it is not zero, then copies four words of data to the result.
std::string consumer() {
  return "        s20 = mov 0\nagain:  s20 = add s20, 1\n" +
         // The wait inside counts copies, so its constant is made a register's.
         copy_in(flag_address, 64, 4, 1) + "fadd f0, -1\n" +
         "        s5 = sld [64]\n        p1 = eq s5, 0\n        @p1 br again\n" +
         copy_in(data_address, 68, 16, 1) + copy_out(68, result_address, 16, 2) + "halt\n";
}

// Writes four words of data, then the flag.
std::string producer() {
  std::string code = "idle 3000\n";
  for (unsigned i = 0; i < 4; ++i) {
    code += "s6 = mov " + std::to_string(1000 + i) + "\nsst [" + std::to_string(64 + i) + "], s6\n";
  }
  return code + copy_out(64, data_address, 16, 1) + copy_out(64, flag_address, 4, 2) + "halt\n";
}

std::vector<std::uint32_t> words_at(Platform& platform, std::uint64_t address) {
  std::vector<std::uint32_t> words(4);
  platform.host.read(address, words.data(), 16);
  return words;
}

TEST_CASE("a running machine sees what the host writes") {
  for (const TpuConfig& config : all_machines()) {
    for (const bool dmi : {true, false}) {
      simulate(config, [&config, dmi](Platform& platform) {
        platform.memory.allow_dmi(dmi);
        Driver tpu = platform.driver(0);
        tpu.load(program(consumer()), text_address, {});
        tpu.start();
        platform.host.pass(4000 * config.period);
        const std::vector<std::uint32_t> data{11, 22, 33, 44};
        platform.host.write(data_address, data.data(), 16);
        CHECK(tpu.read(reg::status) == bit::status_running);
        platform.host.write_word(flag_address, 1);
        CHECK(tpu.wait().status == bit::status_halted);
        CHECK(words_at(platform, result_address) == data);
      });
    }
  }
}

TEST_CASE("a running machine sees what another machine writes") {
  for (const TpuConfig& config : all_machines()) {
    simulate(config, [](Platform& platform) {
      Driver reader = platform.driver(0);
      Driver writer = platform.driver(1);
      reader.load(program(consumer()), text_address, {});
      writer.load(program(producer()), 0x40000, {});
      reader.start();
      writer.start();
      CHECK(writer.wait().status == bit::status_halted);
      CHECK(reader.wait().status == bit::status_halted);
      CHECK(words_at(platform, result_address) ==
            std::vector<std::uint32_t>{1000, 1001, 1002, 1003});
    });
  }
}

TEST_CASE("granted memory is used directly until it is taken back") {
  for (const TpuConfig& config : all_machines()) {
    simulate(config, [](Platform& platform) {
      Driver tpu = platform.driver(0);
      tpu.load(program(copy_in(data_address, 64, 4096, 1) + "halt\n"), text_address, {});
      const auto transactions = [&] {
        const std::uint64_t before = platform.memory.transactions();
        tpu.start();
        CHECK(tpu.wait().status == bit::status_halted);
        return platform.memory.transactions() - before;
      };
      CHECK(transactions() == 1);  // the one that hinted at DMI
      CHECK(transactions() == 0);
      platform.memory.allow_dmi(false);
      CHECK(transactions() > 1);
      platform.memory.allow_dmi(true);
      CHECK(transactions() == 1);
    });
  }
}

TEST_CASE("a bus error ends the run with a machine check and an interrupt") {
  // By kind of access: text, a copy's source, a copy's destination.
  for (const TpuConfig& config : all_machines()) {
    for (const std::uint64_t broken : {text_address, data_address, result_address}) {
      simulate(config, [broken](Platform& platform) {
        platform.memory.allow_dmi(false);
        Driver tpu = platform.driver(0);
        const std::string endless = "loop: br loop\n";
        tpu.load(program(copy_in(data_address, 64, 64, 1) + copy_out(64, result_address, 64, 2) +
                         endless),
                 text_address, {});
        platform.memory.break_at(broken, 32);
        tpu.start();
        const Ending ending = tpu.wait();
        CHECK(ending.status == (bit::status_trapped | bit::status_machine_check));
        CHECK(ending.trap_cause == 8);
        platform.memory.break_at(0, 0);
        tpu.load(program("halt\n"), text_address, {});
        tpu.start();
        CHECK(tpu.wait().status == bit::status_halted);
      });
    }
  }
}

TEST_CASE("copies beyond the memory are the program's trap when the host says so") {
  for (const TpuConfig& config : all_machines()) {
    simulate(config, [](Platform& platform) {
      Driver tpu = platform.driver(0);
      tpu.load(program(copy_in(example::memory_bytes, 64, 64, 1) + "halt\n"), text_address, {});
      tpu.start();
      const Ending ending = tpu.wait();
      CHECK(ending.status == bit::status_trapped);
      CHECK((ending.trap_cause & 0xffU) == 3);  // address_range
    });
  }
}

}  // namespace
}  // namespace tandem::test
