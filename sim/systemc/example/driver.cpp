#include "sim/systemc/example/driver.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace tandem::example {
namespace {

constexpr std::uint64_t page = 4096;

using ArgumentEntry = std::array<std::uint32_t, 16>;

std::uint32_t element_bytes(Element type) {
  switch (type) {
    case Element::f32:
    case Element::s32: return 4;
    case Element::bf16: return 2;
    case Element::s8: return 1;
  }
  return 0;
}

ArgumentEntry argument_entry(const Argument& argument) {
  ArgumentEntry entry{};
  entry[0] = static_cast<std::uint32_t>(argument.address);
  entry[1] = static_cast<std::uint32_t>(argument.address >> 32U);
  entry[2] = static_cast<std::uint32_t>(argument.type);
  entry[3] = static_cast<std::uint32_t>(argument.dimensions.size());
  std::fill_n(entry.begin() + 4, 4, 1);
  std::copy(argument.dimensions.begin(), argument.dimensions.end(), entry.begin() + 4);
  const std::uint32_t row = argument.dimensions.empty() ? 1 : argument.dimensions.back();
  const std::uint32_t pitch = (row * element_bytes(argument.type) + 3) / 4 * 4;
  std::uint64_t bytes = pitch;
  for (std::size_t axis = 0; axis + 1 < argument.dimensions.size(); ++axis) {
    bytes *= argument.dimensions[axis];
  }
  entry[8] = pitch;
  entry[9] = static_cast<std::uint32_t>(bytes);
  entry[10] = static_cast<std::uint32_t>(bytes >> 32U);
  return entry;
}

}  // namespace

std::vector<std::uint32_t> argument_block(const std::vector<Argument>& arguments) {
  std::vector<std::uint32_t> block;
  for (const Argument& argument : arguments) {
    const ArgumentEntry entry = argument_entry(argument);
    block.insert(block.end(), entry.begin(), entry.end());
  }
  return block;
}

void Driver::load(const Program& program, std::uint64_t address,
                  const std::vector<Argument>& arguments) {
  if (!program.data.empty() && address != program.text.address) {
    throw std::runtime_error("driver: a program with data only runs where it was linked");
  }
  host_.write(address, program.text.bytes.data(), program.text.bytes.size());
  std::uint64_t end = address + program.text.bytes.size();
  for (const Segment& segment : program.data) {
    host_.write(segment.address, segment.bytes.data(), segment.bytes.size());
    end = std::max(end, segment.address + segment.bytes.size());
  }
  const std::uint64_t block_address = (end + page - 1) / page * page;
  const std::vector<std::uint32_t> block = argument_block(arguments);
  if (!block.empty()) host_.write(block_address, block.data(), block.size() * 4);
  write_pair(reg::text_lo, address);
  write(reg::text_bundles, static_cast<std::uint32_t>(program.text.bytes.size() / bytes_of_bundle));
  write(reg::entry_pc, program.entry_pc);
  write_pair(reg::arg_lo, block_address);
  write_pair(reg::hbm_lo, memory_bytes_);
}

void Driver::start() {
  write(reg::interrupt_enable, bit::halt_interrupt | bit::trap_interrupt);
  write(reg::control, bit::start);
}

Ending Driver::wait() {
  host_.wait_for_interrupt(machine_);
  write(reg::interrupt_pending, read(reg::interrupt_pending));
  Ending ending;
  ending.status = read(reg::status);
  ending.trap_cause = read(reg::trap_cause);
  ending.cycles = read(reg::cycles_lo) | std::uint64_t{read(reg::cycles_hi)} << 32U;
  return ending;
}

void Driver::write_pair(std::uint64_t offset, std::uint64_t value) {
  write(offset, static_cast<std::uint32_t>(value));
  write(offset + 4, static_cast<std::uint32_t>(value >> 32U));
}

}  // namespace tandem::example
