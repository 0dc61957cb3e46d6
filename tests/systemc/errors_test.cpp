// Refusals and their errors.
#include <catch2/catch.hpp>

#include "cosim/verilated/rtl_core.hpp"
#include "support.hpp"

namespace tandem::test {
namespace {

using Catch::Matchers::Contains;

// The error that ends the simulation; "" when it ends well.
std::string error_of(const TpuConfig& config, const Platform::Job& job) {
  try {
    simulate(config, job);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("an unknown preset is refused by name") {
  for (const TpuCoreFactory make : {make_cycle_core, make_rtl_core}) {
    TpuConfig config;
    config.core = make;
    config.options.preset = "tiny";
    CHECK_THAT(error_of(config, [](Platform&) {}), Contains("'tiny'"));
  }
}

TEST_CASE("a memory that waits inside b_transport is refused") {
  for (const TpuConfig& config : all_machines()) {
    const std::string error = error_of(config, [](Platform& platform) {
      Driver tpu = platform.driver(0);
      tpu.load(program("halt\n"), text_address, {});
      platform.memory.allow_dmi(false);
      platform.memory.set_wait({5, sc_core::SC_NS});
      tpu.start();
      tpu.wait();
    });
    CHECK_THAT(error, Contains("/tandem/tpu/wait"));
  }
}

TEST_CASE("the cycle model refuses a copy that writes bytes twice for certain") {
  const TpuConfig config = machine("cycle", TpuTiming::loosely_timed);
  const std::string error = error_of(config, [](Platform& platform) {
    Driver tpu = platform.driver(0);
    // More bytes than the destination has, over and over the same; word 7 counts the runs.
    std::string code = copy_in(0x200000, 64, 16, 1);
    const std::string plain = "s31 = mov 1\nsst [7], s31\n";
    code.replace(code.find(plain), plain.size(), "s31 = mov 0x7fffffff\nsst [7], s31\n");
    tpu.load(program(code + "halt\n"), text_address, {});
    tpu.start();
    tpu.wait();
  });
  CHECK_THAT(error, Contains("/tandem/tpu/core"));
}

TEST_CASE("a text larger than the cycle model holds is refused") {
  const TpuConfig config = machine("cycle", TpuTiming::loosely_timed);
  const std::string error = error_of(config, [](Platform& platform) {
    Driver tpu = platform.driver(0);
    tpu.load(program("halt\n"), text_address, {});
    tpu.write(reg::text_bundles, ~0U);
    tpu.start();
    tpu.wait();
  });
  CHECK_THAT(error, Contains("texts of up to"));
}

}  // namespace
}  // namespace tandem::test
