// The model of a machine's area, checked on synthesised machines.
#include "report/area/area.hpp"

#include <catch2/catch.hpp>

#include "isa/machine.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

Area area_of(const char* machine) { return machine_area(*find_machine(machine).machine); }

}  // namespace

TEST_CASE("The model gives what Yosys counts at nano") {
  const Area nano = area_of("nano");
  CHECK(nano.gates == Approx(5'044'005).epsilon(0.01));
  CHECK(nano.flip_flops == Approx(50'024).epsilon(0.01));
  CHECK(nano.memory_bits == Approx(1'131'784).epsilon(0.01));
}

TEST_CASE("Memory bits are those of the memories") {
  // VMEM, SMEM, I-cache, vector registers and accumulators.
  const auto bits = [](double lanes, double vmem, double smem, double bundles) {
    return 8 * (vmem + smem) + 512 * bundles + 2 * 64 * 8 * 32 * lanes;
  };
  CHECK(area_of("full").memory_bits == Approx(bits(128, 16 << 20, 65536, 4096)).epsilon(0.01));
  CHECK(area_of("lanes=32,vmem=2MiB").memory_bits ==
        Approx(bits(32, 2 << 20, 65536, 1024)).epsilon(0.02));
}

TEST_CASE("Modules come largest first and add up to the machine") {
  const Parameters& edge = *find_machine("edge").machine;
  Area sum;
  double before = module_areas(edge).front().area.gates;
  CHECK(module_areas(edge).front().module == "tpu_mxu_array");
  for (const ModuleArea& module : module_areas(edge)) {
    CHECK(module.area.gates <= before);
    CHECK(module.area.gates >= 0);
    before = module.area.gates;
    sum += module.area;
  }
  CHECK(sum.gates == Approx(machine_area(edge).gates));
}
