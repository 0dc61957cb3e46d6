#include "isa/version.hpp"

#include "isa/descriptor.hpp"
#include "isa/instructions.hpp"

namespace tandem {
namespace {

// FNV-1a.
class Digest {
 public:
  void add(std::uint8_t byte) { value_ = (value_ ^ byte) * 0x0100'0193U; }
  void add(std::string_view text) {
    for (const char letter : text) add(static_cast<std::uint8_t>(letter));
    add(std::uint8_t{0});
  }
  void add(const BitField& field) {
    add(field.lsb);
    add(field.width);
  }
  [[nodiscard]] std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_ = 0x811c'9dc5U;
};

void add(Digest& digest, const Operand& operand) {
  digest.add(operand.name);
  digest.add(static_cast<std::uint8_t>(operand.kind));
  digest.add(static_cast<std::uint8_t>(operand.access));
  for (const BitField& field : {operand.value, operand.extra, operand.imm, operand.select}) {
    digest.add(field);
  }
  digest.add(static_cast<std::uint8_t>(operand.imm_signed));
  digest.add(operand.allowed);
}

std::uint32_t digest_of_tables() {
  Digest digest;
  for (const SlotLayout& slot : slot_layouts) {
    digest.add(slot.name);
    digest.add(static_cast<std::uint8_t>(slot.lsb / 8));
    digest.add(static_cast<std::uint8_t>(slot.width));
  }
  for (const Instruction& row : instructions) {
    digest.add(row.mnemonic);
    digest.add(row.opcode);
    digest.add(static_cast<std::uint8_t>(row.group));
    for (const Operand* operand : row.operands) add(digest, *operand);
  }
  for (const DescriptorField& field : descriptor_fields) {
    digest.add(field.name);
    digest.add(static_cast<std::uint8_t>(field.layout));
    digest.add(field.word);
    digest.add(field.lsb);
    digest.add(field.width);
  }
  return digest.value();
}

}  // namespace

std::uint32_t encoding_digest() {
  static const std::uint32_t digest = digest_of_tables();
  return digest;
}

}  // namespace tandem
