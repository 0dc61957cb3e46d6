#include "isa/machine.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

namespace tandem {
namespace {

using Catch::Matchers::Contains;

const Parameters& machine(std::string_view text) {
  const FoundMachine found = find_machine(text);
  INFO(found.complaint);
  REQUIRE(found.machine != nullptr);
  return *found.machine;
}

std::string complaint(std::string_view text) {
  const FoundMachine found = find_machine(text);
  CHECK(found.machine == nullptr);
  return found.complaint;
}

}  // namespace

TEST_CASE("presets are machines") {
  for (const Parameters& preset : presets) {
    CHECK(&machine(preset.name) == &preset);
    CHECK(&machine(fmt::format("lanes={},vmem={},smem={},icache={}", preset.lanes,
                               preset.vmem_bytes, preset.smem_bytes, preset.icache_bundles)) ==
          &preset);
  }
}

TEST_CASE("a machine has the sizes that it is asked for, and the others of its preset") {
  const Parameters& wide = machine("lanes=32,vmem=2MiB");
  CHECK(wide.lanes == 32);
  CHECK(wide.vmem_bytes == 2U << 20U);
  CHECK(wide.smem_bytes == find_preset(default_preset)->smem_bytes);
  CHECK(wide.icache_bundles == find_preset(default_preset)->icache_bundles);
  const Parameters& edge = machine("edge,smem=16KiB");
  CHECK(edge.lanes == 64);
  CHECK(edge.smem_bytes == 16U << 10U);
  CHECK(edge.icache_bundles == 2048);
}

TEST_CASE("a machine is one however it is written") {
  const Parameters& wide = machine("lanes=32,vmem=2MiB");
  CHECK(wide.name == "lanes=32,vmem=2MiB,smem=64KiB,icache=1024");
  for (const std::string_view text :
       {"vmem=2MiB,lanes=32", "lanes=32,vmem=2097152", "small,lanes=32,vmem=2048KiB",
        "lanes=32,vmem=2MiB,smem=64KiB,icache=1024"}) {
    CHECK(&machine(text) == &wide);
  }
  CHECK(target_operand(wide.name) == "\"lanes=32,vmem=2MiB,smem=64KiB,icache=1024\"");
  CHECK(target_operand("edge") == "edge");
}

TEST_CASE("timing is part of a run's machine, not of a program's") {
  const FoundMachine found = find_machine("lanes=32,hbm_beat=2,hbm_latency=80");
  REQUIRE(found.machine == find_machine("lanes=32").machine);
  CHECK(found.name() == "lanes=32,vmem=1MiB,smem=64KiB,icache=1024,hbm_latency=80,hbm_beat=2");
  CHECK(find_machine(found.name()).name() == found.name());
  CHECK(find_machine("full,hbm_beat=2").name() == "full,hbm_beat=2");
  CHECK(find_sizes("small,hbm_jitter=3").complaint ==
        "hbm_jitter is no size: timing belongs to a run, not to a program");
  CHECK(find_sizes("lanes=32").machine == found.machine);
  CHECK(complaint("hbm_beat=0") == "hbm_beat is a number from 1 to 1024, not '0'");
  CHECK(complaint("hbm_beat=2,hbm_beat=2") == "hbm_beat is given twice");
  CHECK(complaint("hbm_latency=4K") == "hbm_latency is a number from 0 to 100000, not '4K'");
}

TEST_CASE("what no machine can be is refused with what it can be") {
  CHECK(complaint("lanes=12") == "lanes is a power of two from 8 to 128, not '12'");
  CHECK(complaint("lanes=256") == "lanes is a power of two from 8 to 128, not '256'");
  CHECK(complaint("vmem=3MiB") == "vmem is a power of two from 16KiB to 16MiB, not '3MiB'");
  CHECK(complaint("vmem=99999999999999999999MiB") ==
        "vmem is a power of two from 16KiB to 16MiB, not '99999999999999999999MiB'");
  CHECK(complaint("icache=1KiB") == "icache is a power of two from 64 to 65536, not '1KiB'");
  CHECK(complaint("smem=-16KiB") == "smem is a power of two from 16KiB to 64KiB, not '-16KiB'");
  CHECK(complaint("lane=8") ==
        "a machine has no 'lane'; sizes are lanes, vmem, smem, icache, timings hbm_latency, "
        "hbm_beat, "
        "hbm_row_miss, hbm_jitter, hbm_outstanding, hbm_write_hold, link_latency, link_rate");
  CHECK(complaint("lanes=8,lanes=16") == "lanes is given twice");
  CHECK(complaint("lanes=8,vmem=2MiB") ==
        "lanes=8,vmem=2MiB,smem=64KiB,icache=1024 has 65536 rows of VMEM; a machine has 512 to "
        "32768");
  for (const std::string_view text :
       {"", "tiny", "lanes=8,small", "small,", ",lanes=8", "small,,"}) {
    CHECK_THAT(complaint(text), Contains("machines are nano, small, edge, full, or sizes as"));
  }
}

}  // namespace tandem
