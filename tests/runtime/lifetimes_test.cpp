// The check of lifetimes, on programs that say which buffers they touch.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "runtime/error.hpp"
#include "tests/runtime/support.hpp"

namespace tandem::test {
namespace {

using namespace runtime;

DeviceOptions checked(Model model = Model::golden) {
  DeviceOptions options;
  options.preset = "nano";
  options.model = model;
  options.hbm_bytes = 64U << 20U;
  options.check_lifetimes = true;
  return options;
}

// Buffer 1 is rows 0 to 7; buffer 2 is written at `row`, and then buffer 1 is loaded.
std::string program(int row, const std::string& use) {
  return fmt::format(
      ".buffer vmem, 0, 64, \"f.py:1 first\"\n.buffer vmem, {}, 64, \"f.py:2 second\"\n"
      "v1 = vmov 3\n"
      ".touch st, 0, 1\nvst [0], v1\n"
      ".touch st, 0, 2\nvst [{}], v1\n"
      ".touch ld, 1, 0\nv2 = vld [0]\n{}halt\n",
      8 * row, row, use);
}

LaunchResult launched(const std::string& text) {
  Device device(checked());
  return device.launch(*device.load(assembled(text)), {});
}

}  // namespace

TEST_CASE("a word that another buffer has been given is reported where it is used") {
  const LaunchResult result = launched(program(7, "v3 = vadd.s32 v2, v2\n"));
  REQUIRE(result.outcome == Outcome::lifetime);
  CHECK(result.finding->pc == 3);
  CHECK(result.finding->origin_pc == 2U);
  CHECK(result.report.find("VMEM row 7, lane 7 is read as buffer 1 (vmem words 0 to 63) of f.py:1 "
                           "first, and holds buffer 2 (vmem words 56 to 119) of f.py:2 second") !=
        std::string::npos);
}

TEST_CASE("buffers apart are none, nor is what is loaded and not used") {
  CHECK(launched(program(8, "v3 = vadd.s32 v2, v2\n")).outcome == Outcome::halted);
  CHECK(launched(program(7, "")).outcome == Outcome::halted);
  CHECK(launched(program(7, "v3 = lrot v2, 1\n")).outcome == Outcome::halted);
}

TEST_CASE("what says nothing of buffers may write for anybody") {
  const std::string text =
      ".buffer vmem, 0, 64\nv1 = vmov 3\nvst [0], v1\n.touch ld, 1, 0\nv2 = vld [0]\n"
      "v3 = vadd.s32 v2, v2\nhalt\n";
  CHECK(launched(text).outcome == Outcome::halted);
}

TEST_CASE("a frame is a buffer like others") {
  const std::string text =
      ".buffer vmem, 0, 64, \"f.py:1\"\nv1 = vmov 3\n.touch st, 0, 1\nvst [0], v1\n"
      ".touch st, 0, spill\nvst [0], v1\n.touch ld, 1, 0\nv2 = vld [0]\nv3 = vadd.s32 v2, v2\n"
      "halt\n";
  const LaunchResult result = launched(text);
  REQUIRE(result.outcome == Outcome::lifetime);
  CHECK(result.report.find("holds the frame of the registers") != std::string::npos);
}

TEST_CASE("lifetimes are checked on golden, of programs that say something") {
  CHECK_THROWS_AS(Device(checked(Model::cycle)), Error);
  Device device(checked());
  const ProgramHandle bare = device.load(assembled("halt\n"));
  CHECK_THROWS_AS(device.launch(*bare, {}), Error);
}

}  // namespace tandem::test
