#include "runtime/models/trap_note.hpp"

#include <fmt/format.h>

#include <array>

#include "isa/encoding.hpp"

namespace tandem {
namespace {

constexpr std::array<std::string_view, descriptor_words + 1> words{
    "version, spaces, flag and reserved bits",
    "amount added to the flag",
    "source address, low word",
    "source address, high word",
    "destination address, low word",
    "destination address, high word",
    "length of a run in bytes",
    "count of dimension 1",
    "source stride of dimension 1",
    "destination stride of dimension 1",
    "count of dimension 2",
    "source stride of dimension 2",
    "destination stride of dimension 2",
    "count of dimension 3",
    "source stride of dimension 3",
    "destination stride of dimension 3",
    "the descriptor's address, a multiple of 16 words",
};

}  // namespace

std::string_view descriptor_word_meaning(std::uint32_t word) {
  return word < words.size() ? words[word] : "no word of a descriptor";
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
