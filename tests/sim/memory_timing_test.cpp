// The memory model: timing as documented, contents as written.
#include "sim/memory/memory_timing.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "cosim/verilated/memory_device.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr MemoryTimingParameters plain{40, 12, 0, 4, 1};

// Cycle of the next read response at or after `cycle`.
std::uint64_t next_response(MemoryDevice& device, std::uint64_t cycle) {
  while (!device.drive(cycle).response_valid) ++cycle;
  return cycle;
}

}  // namespace

TEST_CASE("a first access opens its page and a second finds it open") {
  MemoryPortTiming port(plain);
  CHECK(port.request(100, 0x1000, 1) == 100 + 40 + 12);
  CHECK(port.request(200, 0x1040, 1) == 200 + 40);
  CHECK(port.request(300, 0x1000 + 4096 * memory_banks, 1) == 300 + 40 + 12);
  CHECK(port.request(400, 0x1000, 1) == 400 + 40 + 12);  // the other page closed this one
  CHECK(port.requests() == 4);
}

TEST_CASE("bursts share one bus, one beat a cycle, in order") {
  MemoryPortTiming port(plain);
  const std::uint64_t first = port.request(0, 0, 16);
  CHECK(port.request(1, 64, 1) == first + 16);
}

TEST_CASE("jitter depends on the seed and stays within its limit") {
  MemoryTimingParameters jittery = plain;
  jittery.jitter = 7;
  MemoryPortTiming a(jittery);
  MemoryPortTiming same(jittery);
  jittery.seed = 2;
  MemoryPortTiming other(jittery);
  bool differs = false;
  for (std::uint64_t cycle = 0; cycle < 100'000; cycle += 1000) {
    const std::uint64_t at = a.request(cycle, 0, 1);
    CHECK(at >= cycle + 40);
    CHECK(at <= cycle + 40 + 12 + 7);
    CHECK(same.request(cycle, 0, 1) == at);
    differs = other.request(cycle, 0, 1) != at || differs;
  }
  CHECK(differs);
}

TEST_CASE("a device gives back what was written under its strobes") {
  MemoryDevice device(presets[0], plain, 1U << 16U);
  std::uint32_t data[8];
  for (std::uint32_t i = 0; i < 8; ++i) data[i] = 0x11111111U * (i + 1);
  CHECK(!device.drive(0).data_ready);  // no write was granted yet
  device.take_write(0, 64, 1);
  CHECK(device.drive(1).data_ready);
  const std::uint32_t strobes = 0xff00'f00fU;
  device.take_data(1, data, &strobes);
  CHECK(device.contents().read_word(64) == 0x11111111U);
  CHECK(device.contents().read_word(68) == 0);
  CHECK(device.contents().read_word(72) == 0);
  CHECK(device.contents().read_word(76) == 0x44444444U);
  CHECK(device.contents().read_word(64 + 24) == 0x77777777U);
  std::uint64_t cycle = 2;
  while (!device.drive(cycle).write_response_valid) ++cycle;
  CHECK(cycle == 52);

  device.take_read(60, 64, 2);
  CHECK(next_response(device, 61) == 112);
  CHECK(device.response()[3] == 0x44444444U);
  CHECK(next_response(device, 113) == 113);
  CHECK(device.response()[0] == 0);
}

TEST_CASE("write data are held back for a while behind each beat, as the seed says") {
  MemoryTimingParameters holding = plain;
  holding.write_hold = 5;
  MemoryWriteChannel a(holding);
  MemoryWriteChannel same(holding);
  a.take(0, 0, 100);
  same.take(0, 0, 100);
  CHECK(a.data_ready(0));  // nothing was taken yet
  std::set<std::uint64_t> gaps;
  std::uint64_t cycle = 0;
  for (int beat = 0; beat < 99; ++beat) {
    a.take_data(cycle);
    same.take_data(cycle);
    CHECK(a.data_expected());
    gaps.insert(a.data_from() - cycle);
    cycle = a.data_from();
    CHECK((cycle == 0 || !a.data_ready(cycle - 1)));
    CHECK(a.data_ready(cycle));
    CHECK(same.data_from() == cycle);
  }
  CHECK(gaps == std::set<std::uint64_t>{1, 2, 3, 4, 5, 6});
  a.take_data(cycle);
  CHECK_FALSE(a.data_expected());
}

TEST_CASE("a beat may take several cycles on the bus") {
  MemoryTimingParameters slow = plain;
  slow.beat = 3;
  MemoryPortTiming port(slow);
  const std::uint64_t first = port.request(0, 0, 16);
  CHECK(port.request(1, 64, 1) == first + 48);
  MemoryReadChannel reads(slow);
  reads.take(0, 0, 2, 0);
  CHECK_FALSE(reads.responds(first - 1));
  CHECK(reads.responds(first));
  CHECK(reads.beats_in_a_row() == 1);
  reads.respond();
  CHECK_FALSE(reads.responds(first + 2));
  CHECK(reads.responds(first + 3));
  MemoryWriteChannel writes(slow);
  writes.take(0, 0, 3);
  for (const std::uint64_t cycle : {0, 3, 6}) {
    CHECK((cycle == 0 || !writes.data_ready(cycle - 1)));
    CHECK(writes.data_ready(cycle));
    writes.take_data(cycle);
  }
  CHECK_FALSE(writes.responds(first + 5));
  CHECK(writes.responds(first + 6));
}

TEST_CASE("a full port takes no more requests") {
  MemoryDevice device(presets[0], plain, 1U << 16U);
  for (std::uint64_t i = 0; i < 4; ++i) {
    CHECK(device.drive(i).read_ready);
    device.take_read(i, 0, 1);
  }
  CHECK(!device.drive(4).read_ready);
}

TEST_CASE("a burst that breaks the port's contract answers with an error") {
  constexpr std::uint32_t beat = 32;  // bytes, nano
  const auto refused = [](std::uint64_t address, std::uint32_t beats) {
    MemoryDevice device(presets[0], plain, 1U << 16U);
    device.take_read(0, address, beats);
    std::uint64_t cycle = 1;
    MemoryDevice::Wires wires;
    while (!(wires = device.drive(cycle)).response_valid) ++cycle;
    return wires.error;
  };
  CHECK(!refused(4096 - 2 * beat, 2));
  CHECK(refused(4096 - 2 * beat, 3));
  CHECK(!refused(4096, 128));
  CHECK(refused(beat / 2, 1));
}

TEST_CASE("a burst outside of memory answers with an error and writes nothing") {
  MemoryDevice device(presets[0], plain, 1U << 16U);
  device.take_read(0, (1U << 16U) - 32, 2);
  std::uint64_t cycle = 1;
  MemoryDevice::Wires wires;
  while (!(wires = device.drive(cycle)).response_valid) ++cycle;
  CHECK(wires.error);
  device.take_write(100, 1U << 16U, 1);
  const std::uint32_t data[8] = {1, 2, 3};
  const std::uint32_t strobes = ~0U;
  device.take_data(101, data, &strobes);
  cycle = 102;
  while (!(wires = device.drive(cycle)).write_response_valid) ++cycle;
  CHECK(wires.error);
  CHECK(device.contents().touched_pages().empty());
}
