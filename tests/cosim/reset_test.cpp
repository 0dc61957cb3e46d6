// A machine's state before its reset is drawn from the reset seed, and has no effect after it,
// however few edges that lasts.
#include <catch2/catch.hpp>

#include <set>
#include <vector>

#include "cosim/verilated/rtl_machine.hpp"
#include "cosim/verilated/verilated_members.hpp"
#include "tests/cosim/presets.hpp"
#include "tests/cosim/text_program.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr std::uint64_t hbm_bytes = 0x20000;

class CountEvents final : public EventSink {
 public:
  void copy_done(const CopyDoneEvent&) override { ++count; }
  void issue(const IssueEvent&) override { ++count; }
  void copy_issue(const CopyIssueEvent&) override { ++count; }
  void write(const WriteEvent&) override { ++count; }

  unsigned count = 0;
};

void power_up(Machine& machine, std::uint32_t reset_seed) {
  machine.set_reset_seed(reset_seed);
  machine.power_up(hbm_bytes, 1);
}

std::vector<std::uint8_t> registers_when_powered_up(Machine& machine, std::uint32_t reset_seed) {
  power_up(machine, reset_seed);
  std::vector<std::uint8_t> bytes;
  ArchiveWriter archive(bytes);
  machine.save_registers(archive);
  return bytes;
}

}  // namespace

TEST_CASE("hidden state follows from the reset seed, whatever ran on the machine before") {
  if (!needs_rtl("nano")) return;
  const Parameters& nano = *find_preset("nano");
  const auto fresh = make_rtl_machine(nano, {});
  const std::vector<std::uint8_t> five = registers_when_powered_up(*fresh, 5);
  const auto used = make_rtl_machine(nano, {});
  const Image image = nano_image("h.s", "        { s1 = mov 1 }\n        halt\n");
  const Launch launch = make_launch(image, {}, hbm_bytes, 1);
  power_up_and_start(*used, launch);
  while (used->cycle(nullptr)) {
  }
  CHECK(registers_when_powered_up(*used, 6) != five);
  const std::vector<std::uint8_t> again = registers_when_powered_up(*used, 5);
  CHECK(first_difference(ArchiveReader(five), ArchiveReader(again)).empty());
}

TEST_CASE("nothing is under way behind one to four edges of reset, whatever the machine held") {
  for (const char* preset : {"nano", "small"}) {
    if (!needs_rtl(preset)) continue;
    std::set<std::uint64_t> lengths;
    for (std::uint32_t seed = 1; seed <= 64; ++seed) {
      INFO(preset << ", reset seed " << seed);
      const auto machine = make_rtl_machine(*find_preset(preset), {});
      power_up(*machine, seed);
      lengths.insert(machine->cycles());
      CountEvents events;
      for (int cycle = 0; cycle < 100; ++cycle) machine->cycle(&events);
      CHECK(events.count == 0);
      CHECK(machine->memory_beats() == 0);
      CHECK(machine->read_register(find_register("status")->number) == 0);
    }
    CHECK(lengths.size() == 4);
  }
}
