#include "runtime/models/trap_note.hpp"

#include <fmt/format.h>

#include "isa/descriptor.hpp"
#include "isa/encoding.hpp"

namespace tandem {

std::string_view descriptor_word_meaning(std::uint32_t word) {
  if (word == 0) return "version, spaces, flag and reserved bits";
  if (word == descriptor_words) return "the descriptor's address, a multiple of 16 words";
  for (const DescriptorField& field : descriptor_fields) {
    if (field.word == word) return field.meaning;
  }
  return "no word of a descriptor";
}

std::string deadlock_note(const GoldenModel& golden, const Image& image) {
  if (golden.trap().cause != TrapCause::deadlock || golden.pc() >= image.text.size()) return {};
  const auto wait = decode(Slot::dma, slot_bits(image.text[golden.pc()], Slot::dma));
  if (!wait || golden.trap().detail >= sync_flags) return {};
  const OperandValue& n = wait->operands[1];
  const std::uint32_t wanted = n.extra != 0
                                   ? static_cast<std::uint32_t>(n.imm)
                                   : golden.state().scalars[static_cast<std::size_t>(n.value)];
  return fmt::format("f{} holds {}, the wait wants {}\n", golden.trap().detail,
                     static_cast<std::int32_t>(golden.state().flags[golden.trap().detail]),
                     static_cast<std::int32_t>(wanted));
}

}  // namespace tandem
