#include "runtime/models/trap_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "isa/descriptor.hpp"
#include "isa/encoding.hpp"
#include "isa/golden/copy.hpp"

namespace tandem {

std::string_view descriptor_word_meaning(std::uint32_t word) {
  if (word == 0) return "version, spaces, flag, chip and reserved bits";
  if (word == descriptor_words) return "the descriptor's address, a multiple of 16 words";
  for (const DescriptorField& field : descriptor_fields) {
    if (field.word == word) return field.meaning;
  }
  return "no word of a descriptor";
}

namespace {

// The operation of the slot that trapped.
std::optional<Operation> trapped_operation(const GoldenModel& golden, const Image& image) {
  if (golden.trap().cause == TrapCause::none || golden.pc() >= image.text.size()) return {};
  const Slot slot = golden.trap().slot;
  return decode(slot, slot_bits(image.text[golden.pc()], slot));
}

std::string deadlock_note(const GoldenModel& golden, const Operation& wait) {
  if (golden.trap().detail >= sync_flags) return {};
  const OperandValue& n = wait.operands[1];
  const std::uint32_t wanted = n.extra != 0
                                   ? static_cast<std::uint32_t>(n.imm)
                                   : golden.state().scalars[static_cast<std::size_t>(n.value)];
  return fmt::format("f{} holds {}, the wait wants {}\n", golden.trap().detail,
                     static_cast<std::int32_t>(golden.state().flags[golden.trap().detail]),
                     static_cast<std::int32_t>(wanted));
}

// "rows of VMEM" and their number: the range that an operand may reach.
struct Reach {
  std::string_view what;
  std::uint64_t size = 0;
};

std::optional<Reach> reach_of(const Operand& operand, const Parameters& preset) {
  switch (operand.kind) {
    case OperandKind::smem:
    case OperandKind::descriptor: return Reach{"words of SMEM", preset.smem_words()};
    case OperandKind::vmem: return Reach{"rows of VMEM", preset.vmem_rows()};
    case OperandKind::vmem_word: return Reach{"words of VMEM", preset.vmem_words()};
    case OperandKind::accumulator: return Reach{"accumulators", accumulators};
    case OperandKind::weight_row: return Reach{"rows of weights, in steps of 8", preset.lanes};
    case OperandKind::flag: return Reach{"flags", sync_flags};
    default: return std::nullopt;
  }
}

std::string range_note(const GoldenModel& golden, const Operation& operation) {
  for (const Operand* operand : instruction(operation.op).operands) {
    const std::optional<Reach> reach = reach_of(*operand, golden.parameters());
    if (!reach) continue;
    return fmt::format("`{}` of `{}` is {}; there are 0 to {}, the {}\n", operand->name,
                       instruction(operation.op).mnemonic, golden.trap().detail, reach->size - 1,
                       reach->what);
  }
  return {};
}

std::string signed_text(__int128 value) {
  const bool negative = value < 0;
  const auto magnitude = static_cast<unsigned __int128>(negative ? -value : value);
  constexpr unsigned __int128 most = ~std::uint64_t{0};
  if (magnitude > most) return negative ? "below -2^64" : "above 2^64";
  return fmt::format("{}{:#x}", negative ? "-" : "", static_cast<std::uint64_t>(magnitude));
}

std::string side_text(std::string_view title, const golden::Copy& copy,
                      const golden::CopySide& side, std::uint64_t size) {
  const golden::BoundingBox box = golden::bounding_box(copy, side);
  std::string text =
      fmt::format("  {} {} at {:#x}", title, golden::memory_name(side.space), side.address);
  if (!copy.moves_nothing()) {
    text += fmt::format(", bytes {} to {}", signed_text(box.begin), signed_text(box.end));
  }
  return text + fmt::format("; {} has {:#x}\n", golden::memory_name(side.space), size);
}

// The descriptor, with both boxes and the memories that must contain them. The bundle has had no
// effect.
std::string copy_note(const GoldenModel& golden, const Operation& operation) {
  const State& state = golden.state();
  const OperandValue& place = operation.operands[0];
  const std::uint32_t address = state.scalars[static_cast<std::size_t>(place.value)] +
                                static_cast<std::uint32_t>(place.imm) * descriptor_words;
  if (address >= state.smem.size()) {
    return fmt::format("the descriptor's address is {}; there are 0 to {}, the words of SMEM\n",
                       address, state.smem.size() - 1);
  }
  if (address % descriptor_words != 0) {
    return fmt::format("the descriptor's address is {}, no multiple of {}\n", address,
                       descriptor_words);
  }
  golden::Copy copy;
  std::copy_n(state.smem.begin() + address, descriptor_words, copy.words.begin());
  const auto offset = [&](std::size_t operand) {
    return state.scalars[static_cast<std::size_t>(operation.operands[operand].value)];
  };
  golden::parse_descriptor(copy, offset(1), offset(2));
  const Parameters& preset = golden.parameters();
  const std::array<std::uint64_t, 4> sizes{golden.hbm().size(), preset.vmem_bytes,
                                           preset.smem_bytes, 0};
  std::string text =
      fmt::format("descriptor at SMEM word {}: runs of {} bytes", address, copy.length);
  for (std::size_t i = 0; i < copy.counts.size(); ++i) {
    if (copy.counts[i] == 1) continue;
    text += fmt::format(", x {} (strides {}, {})", copy.counts[i], copy.source.strides[i],
                        copy.destination.strides[i]);
  }
  text += fmt::format("; f{} += {}", copy.flag, static_cast<std::int32_t>(copy.amount));
  if (copy.remote) text += fmt::format(" of chip {}", copy.chip);
  if (copy.amount_here != 0)
    text += fmt::format("; f{} += {} here", copy.flag_here, copy.amount_here);
  text += '\n';
  for (const auto& [title, side] : {std::pair{"from", &copy.source}, {"to", &copy.destination}}) {
    const auto space = static_cast<std::size_t>(side->space);
    text += space < 3 ? side_text(title, copy, *side, sizes[space])
                      : fmt::format("  {} space {}, which does not exist\n", title, space);
  }
  return text;
}

}  // namespace

std::string trap_note(const GoldenModel& golden, const Image& image) {
  const std::optional<Operation> operation = trapped_operation(golden, image);
  if (!operation) return {};
  const bool copies = operation->op == Op::copy;
  switch (golden.trap().cause) {
    case TrapCause::deadlock: return deadlock_note(golden, *operation);
    case TrapCause::address_range:
      return copies ? copy_note(golden, *operation) : range_note(golden, *operation);
    case TrapCause::bad_descriptor: return copy_note(golden, *operation);
    case TrapCause::none:
    case TrapCause::illegal_encoding:
    case TrapCause::write_conflict:
    case TrapCause::jump_range:
    case TrapCause::explicit_trap:
    case TrapCause::machine_check: break;
  }
  return {};
}

}  // namespace tandem
