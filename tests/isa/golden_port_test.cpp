// HBM that belongs to a platform: copies go through its port.
#include <catch2/catch.hpp>

#include "golden_support.hpp"
#include "isa/state/memory.hpp"

namespace tandem::test {
namespace {

// A platform's memory; from one address on it answers with bus errors.
class PlatformMemory final : public MemoryPort {
 public:
  bool read(std::uint64_t address, std::uint8_t* bytes, std::size_t count) override {
    if (!accepts(address, count)) return false;
    contents.read(address, {bytes, count});
    return true;
  }
  bool write(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) override {
    if (!accepts(address, count)) return false;
    contents.write(address, {bytes, count});
    return true;
  }

  SparseMemory contents{std::uint64_t{1} << 40U};
  std::uint64_t error_from = ~std::uint64_t{0};
  bool crossed_page = false;

 private:
  bool accepts(std::uint64_t address, std::size_t count) {
    crossed_page = crossed_page || address / 4096 != (address + count - 1) / 4096;
    return address + count <= error_from;
  }
};

GoldenOptions with(PlatformMemory& memory) {
  GoldenOptions options;
  options.memory = &memory;
  return options;
}

CopyDescriptor between(MemorySpace from, std::uint64_t source, MemorySpace to,
                       std::uint64_t destination, std::uint32_t length) {
  CopyDescriptor descriptor;
  descriptor.source_space = from;
  descriptor.source = source;
  descriptor.destination_space = to;
  descriptor.destination = destination;
  descriptor.length = length;
  return descriptor;
}

// HBM 0x100ff8 to HBM 0x203ffc, on to VMEM 64, back to HBM 0x300000: 8,200 bytes each time.
Program round_trip() {
  constexpr std::uint32_t length = 8200;
  Program program("nano");
  program.copy(between(MemorySpace::hbm, 0x100ff8, MemorySpace::hbm, 0x203ffc, length));
  program.wait(0, 1);
  program.copy(between(MemorySpace::hbm, 0x203ffc, MemorySpace::vmem, 64, length));
  program.wait(0, 2);
  program.copy(between(MemorySpace::vmem, 64, MemorySpace::hbm, 0x300000, length));
  program.wait(0, 3);
  program.halt();
  return program;
}

TEST_CASE("copies move a platform's memory through its port and leave the model's alone") {
  PlatformMemory memory;
  for (std::uint32_t word = 0; word < 2050; ++word) {
    memory.contents.write_word(0x100ff8 + std::uint64_t{word} * 4, word * 0x01010101 + 7);
  }
  Program program = round_trip();
  const auto model = program.run(with(memory));
  REQUIRE(model.status() == RunStatus::halted);
  for (std::uint32_t word = 0; word < 2050; ++word) {
    const std::uint32_t expected = word * 0x01010101 + 7;
    REQUIRE(memory.contents.read_word(0x203ffc + std::uint64_t{word} * 4) == expected);
    REQUIRE(model.state().vmem[16 + word] == expected);
    REQUIRE(memory.contents.read_word(0x300000 + std::uint64_t{word} * 4) == expected);
  }
  CHECK(model.hbm().touched_pages().empty());
  CHECK_FALSE(memory.crossed_page);
}

TEST_CASE("what a bus error was to bring is zero and the program goes on") {
  PlatformMemory memory;
  for (std::uint64_t word = 0; word < 4; ++word) memory.contents.write_word(8192 + 4 * word, 99);
  memory.error_from = 8192;
  Program program("nano");
  program.copy(between(MemorySpace::hbm, 8192, MemorySpace::vmem, 0, 16));
  program.wait(0, 1);
  program.halt();
  const auto model = program.run(with(memory));
  CHECK(model.status() == RunStatus::halted);
  for (std::uint32_t word = 0; word < 4; ++word) CHECK(model.state().vmem[word] == 0);
}

TEST_CASE("the text may lie elsewhere, and is protected there") {
  Program program("nano");
  program.smem(0, between(MemorySpace::smem, 0, MemorySpace::hbm, 0x40000, 4).words());
  program.bundle({op::copy(Descriptor(0), s(0), s(0))});
  program.halt();
  Image image;
  image.preset = &program.parameters();
  image.text = program.text();
  Launch launch;
  launch.image = &image;
  launch.text_address = 0x40000;
  GoldenModel model(launch);
  CHECK(model.run(100) == RunStatus::trapped);
  CHECK(model.trap() == Trap{TrapCause::address_range, Slot::dma, 5});
  launch.text_address = 0x50000;
  GoldenModel elsewhere(launch);
  CHECK(elsewhere.run(100) == RunStatus::halted);
}

}  // namespace
}  // namespace tandem::test
