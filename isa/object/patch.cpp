#include "isa/object/patch.hpp"

#include <fmt/format.h>

#include <limits>

#include "isa/encoding.hpp"
#include "isa/object/operand_constant.hpp"

namespace tandem {
namespace {

const SlotLayout* slot_at(std::uint64_t offset, Slot& slot) {
  for (std::size_t i = 0; i < slot_count; ++i) {
    if (slot_layouts[i].lsb / 8U != offset % bundle_bytes) continue;
    slot = static_cast<Slot>(i);
    return &slot_layouts[i];
  }
  return nullptr;
}

}  // namespace

std::string patch_text(Object& object, std::uint64_t offset, std::int64_t number) {
  Slot slot{};
  const std::uint64_t pc = offset / bundle_bytes;
  if (pc >= object.text.size() || slot_at(offset, slot) == nullptr) return "there is no slot";
  Bundle& bundle = object.text[pc];
  std::optional<Operation> operation = decode(slot, slot_bits(bundle, slot));
  if (!operation) return "there is no legal operation";
  const Instruction& row = instruction(operation->op);
  const std::optional<std::size_t> index = relocatable_operand(row);
  if (!index) return fmt::format("`{}` has no constant", row.mnemonic);
  const Operand& operand = *row.operands.items[*index];
  switch (store_constant(operand, number, operation->operands[*index])) {
    case StoreResult::stored: set_slot_bits(bundle, slot, encode(*operation)); return {};
    case StoreResult::out_of_range: {
      const ConstantRange range = constant_range(operand);
      return fmt::format("`{}` of `{}` takes {} .. {}", operand.name, row.mnemonic, range.low,
                         range.high);
    }
    case StoreResult::not_multiple:
      return fmt::format("`{}` of `{}` takes multiples of {}; reserve it after `.align 16`",
                         operand.name, row.mnemonic, descriptor_words);
  }
  return {};
}

const Operand* patched_operand(const Object& object, std::uint64_t offset) {
  Slot slot{};
  const std::uint64_t pc = offset / bundle_bytes;
  if (pc >= object.text.size() || slot_at(offset, slot) == nullptr) return nullptr;
  const std::optional<Operation> operation = decode(slot, slot_bits(object.text[pc], slot));
  if (!operation) return nullptr;
  const Instruction& row = instruction(operation->op);
  const std::optional<std::size_t> index = relocatable_operand(row);
  return index ? row.operands.items[*index] : nullptr;
}

std::string_view wrong_space(const Operand& operand, Place place) {
  if (place == Place::undefined || place == Place::absolute) return {};
  switch (operand.kind) {
    case OperandKind::target: return place == Place::text ? "" : "a branch target";
    case OperandKind::smem: return place == Place::smem ? "" : "an address in SMEM";
    case OperandKind::descriptor: return place == Place::smem ? "" : "a descriptor in SMEM";
    case OperandKind::vmem:
    case OperandKind::vmem_word: return place == Place::vmem ? "" : "an address in VMEM";
    default: return {};
  }
}

std::string_view section_name(Place place) {
  switch (place) {
    case Place::text: return ".text";
    case Place::data: return ".data";
    case Place::bss: return ".bss";
    case Place::vmem: return ".vmem";
    case Place::smem: return ".smem";
    case Place::tensor: return "the argument block";
    case Place::undefined:
    case Place::absolute: break;
  }
  return "no section";
}

std::string patch_data(Object& object, std::uint64_t offset, RelocationKind kind,
                       std::int64_t number) {
  const unsigned bytes = kind == RelocationKind::word64 ? 8 : 4;
  if (offset > object.data.size() || object.data.size() - offset < bytes) {
    return "there is no such word";
  }
  if (bytes == 4 && (number < std::numeric_limits<std::int32_t>::min() ||
                     number > std::numeric_limits<std::uint32_t>::max())) {
    return "a word takes 32 bits; lo() and hi() give the halves of an address";
  }
  const auto bits = static_cast<std::uint64_t>(number);
  for (unsigned i = 0; i < bytes; ++i) {
    object.data[offset + i] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
  return {};
}

}  // namespace tandem
