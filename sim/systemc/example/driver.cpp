#include "sim/systemc/example/driver.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "isa/launch/argument.hpp"

namespace tandem::example {
namespace {

constexpr std::uint64_t page = 4096;

using ArgumentEntry = std::array<std::uint32_t, argument_words>;
namespace field = argument_field;

std::uint32_t element_bytes(Element type) {
  switch (type) {
#define ELEMENT(name, code, bytes, numpy, meaning) \
  case Element::name:                              \
    return bytes;
#include "isa/elements.def"
#undef ELEMENT
  }
  return 0;
}

void put_pair(ArgumentEntry& entry, const ArgumentField& of, std::uint64_t value) {
  entry[of.word] = static_cast<std::uint32_t>(value);
  entry[of.word + 1] = static_cast<std::uint32_t>(value >> 32U);
}

ArgumentEntry argument_entry(const Argument& argument) {
  ArgumentEntry entry{};
  put_pair(entry, field::address, argument.address);
  entry[field::type.word] = static_cast<std::uint32_t>(argument.type);
  entry[field::rank.word] = static_cast<std::uint32_t>(argument.dimensions.size());
  const std::uint32_t most = field::sizes.words + field::more_sizes.words;
  for (std::uint32_t axis = 0; axis < most; ++axis) {
    const bool used = axis < argument.dimensions.size();
    entry[argument_size_word(axis)] = used ? argument.dimensions[axis] : 1;
  }
  const std::uint32_t row = argument.dimensions.empty() ? 1 : argument.dimensions.back();
  const std::uint32_t pitch = (row * element_bytes(argument.type) + 3) / 4 * 4;
  std::uint64_t bytes = pitch;
  for (std::size_t axis = 0; axis + 1 < argument.dimensions.size(); ++axis) {
    bytes *= argument.dimensions[axis];
  }
  entry[field::pitch.word] = pitch;
  put_pair(entry, field::bytes, bytes);
  entry[field::word_address.word] = static_cast<std::uint32_t>(argument.address / 4);
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
  write(reg::interrupt_enable, bit::interrupt_enable_halt | bit::interrupt_enable_trap);
  write(reg::control, bit::control_start);
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
