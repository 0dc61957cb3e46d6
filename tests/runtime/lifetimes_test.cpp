// The check of lifetimes, on programs that declare the buffers they touch.
#include <fmt/format.h>
#include <array>
#include <catch2/catch.hpp>
#include <tuple>

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

TEST_CASE("a kernel touches no SMEM but what it has been given") {
  const auto kernel = [](const std::string& operation) {
    return launched(
        ".buffer scratch, 0, 64, \"f.py:1\"\n.buffer scratch, 32, 16, \"SMEM\"\n"
        ".arguments\n.smem\n.space 64\n.text\ns4 = mov 40\ns5 = mov 48\n" +
        operation + "halt\n");
  };
  CHECK(kernel(".touch sb, 2, 2\nsst [s4 + 7], s5\n").outcome == Outcome::halted);
  CHECK(kernel(".touch sb, 2, 2\ns6 = sld [s4 + 7]\n").outcome == Outcome::halted);
  CHECK(kernel("sst [s4 + 8], s5\n").outcome == Outcome::halted);  // of the program
  for (const auto& [operation, what] :
       {std::pair("sst [s4 + 8], s5",
                  "SMEM word 48 is written by a kernel that has been given "
                  "buffer 2 (scratch words 32 to 47) of SMEM"),
        std::pair("ssti [s5 + 1], 0", "SMEM word 49 is written"),
        std::pair("s6 = sld [s4 - 9]", "SMEM word 31 is read")}) {
    const LaunchResult result = kernel(std::string(".touch sb, 2, 2\n") + operation + "\n");
    CAPTURE(result.report);
    CHECK(result.outcome == Outcome::lifetime);
    CHECK(result.report.find(what) != std::string::npos);
  }
}

TEST_CASE("copies of a kernel touch no SMEM but what it has been given") {
  // A row of VMEM goes to word `to` of SMEM; the descriptor is at word `at`.
  const auto kernel = [](int at, int to) {
    std::string text =
        ".buffer scratch, 0, 64, \"f.py:1\"\n.buffer scratch, 32, 32, \"SMEM\"\n"
        ".arguments\n.smem\n.space 128\n.text\nv1 = vmov 3\n.touch st, 1, 1\nvst [0], v1\n";
    const std::array<int, 16> words{
        1 << 8 | 2 << 10 | 24 << 16, 1, 0, 0, 4 * to, 0, 32, 1, 0, 0, 1, 0, 0, 1, 0, 0};
    for (int i = 0; i < 16; ++i) text += fmt::format("ssti [{}], {}\n", at + i, words.at(i));
    // The one scalar access of the kernel says which words are its own.
    return launched(text + ".touch sb, 2, 2\ns4 = sld [32]\n" +
                    fmt::format(".touch dma, 1, 1\ncopy [{}], s0, s0\nwait f24, 1\nhalt\n", at));
  };
  CHECK(kernel(32, 48).outcome == Outcome::halted);
  const LaunchResult elsewhere = kernel(32, 64);
  CHECK(elsewhere.outcome == Outcome::lifetime);
  CHECK(elsewhere.report.find("SMEM word 64 is written by a kernel") != std::string::npos);
  const LaunchResult foreign = kernel(80, 48);
  CHECK(foreign.outcome == Outcome::lifetime);
  CHECK(foreign.report.find("SMEM word 80 is read by a kernel") != std::string::npos);
}

TEST_CASE("copies of a kernel touch no HBM but what it has been given") {
  // Words 0 to 15 and 16 to 31 of .bss are given, the first to read only; a row goes from VMEM to
  // HBM, or from HBM to VMEM.
  const auto kernel = [](bool writes, int word, const std::string& given) {
    const int bss = 0x11000;  // after one page of text
    std::string text =
        ".buffer scratch, 0, 64, \"f.py:1\"\n.buffer scratch, 32, 32, \"SMEM\"\n"
        ".buffer hbm, 0, 16, \"f.py:2 in\"\n.buffer hbm, 16, 16, \"f.py:3 out\"\n"
        ".bss\n.align 64\n.space 256\n.arguments\n.smem\n.space 128\n.text\n"
        "v1 = vmov 3\n.touch st, 1, 1\nvst [0], v1\n";
    const int vmem_first = 1 << 8;
    const int vmem_last = 1 << 10;
    const int hbm = bss + 4 * word;
    const std::array<int, 16> words{(writes ? vmem_first : vmem_last) | 24 << 16,
                                    1,
                                    writes ? 0 : hbm,
                                    0,
                                    writes ? hbm : 0,
                                    0,
                                    32,
                                    1,
                                    0,
                                    0,
                                    1,
                                    0,
                                    0,
                                    1,
                                    0,
                                    0};
    for (int i = 0; i < 16; ++i) text += fmt::format("ssti [{}], {}\n", 32 + i, words.at(i));
    return launched(text + ".touch sb, 2, 2\ns4 = sld [32]\n.touch dma, 1, 1\n" + given +
                    "copy [32], s0, s0\nwait f24, 1\nhalt\n");
  };
  const std::string given = ".touch dma, 3, 0\n.touch dma, 4, 4\n";
  for (const auto& [writes, word, what] :
       {std::tuple(true, 15,
                   "byte 0x1103c of HBM is written by a kernel that has been given buffer 4"),
        std::tuple(true, 16, ""), std::tuple(true, 24, ""),
        std::tuple(true, 25, "byte 0x11080 of HBM is written"), std::tuple(false, 0, ""),
        std::tuple(false, 8, ""), std::tuple(false, 24, ""),
        std::tuple(false, 26,
                   "byte 0x11080 of HBM is read by a kernel that has been given buffer 3")}) {
    const LaunchResult result = kernel(writes, word, given);
    CAPTURE(writes, word, result.report);
    CHECK((result.outcome == Outcome::lifetime) == (*what != 0));
    CHECK(result.report.find(what) != std::string::npos);
    // Without a word about HBM it is believed.
    CHECK(kernel(writes, word, "").outcome == Outcome::halted);
  }
}

TEST_CASE("lifetimes are checked on golden, of programs that say something") {
  CHECK_THROWS_AS(Device(checked(Model::cycle)), Error);
  Device device(checked());
  const ProgramHandle bare = device.load(assembled("halt\n"));
  CHECK_THROWS_AS(device.launch(*bare, {}), Error);
}

}  // namespace tandem::test
