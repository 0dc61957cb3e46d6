#include "assembler/disassembler/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace tandem::assembly {
namespace {

constexpr std::uint64_t words_a_line = 8;
constexpr std::uint64_t long_zeros = 64;  // bytes worth a .space

std::uint64_t zeros_at(const Object& object, std::uint64_t begin, std::uint64_t end) {
  const auto first = object.data.begin() + static_cast<std::ptrdiff_t>(begin);
  const auto last = object.data.begin() + static_cast<std::ptrdiff_t>(end);
  const auto other = std::find_if(first, last, [](std::uint8_t byte) { return byte != 0; });
  return static_cast<std::uint64_t>(other - first);
}

std::vector<std::uint32_t> words_at(const Object& object, std::uint64_t begin,
                                    std::uint64_t count) {
  std::vector<std::uint32_t> words(count);
  std::memcpy(words.data(), object.data.data() + begin, 4 * count);
  return words;
}

}  // namespace

std::vector<const Symbol*> symbols_of(const Object& object, Place place) {
  std::vector<const Symbol*> found;
  for (const Symbol& symbol : object.symbols) {
    if (symbol.place == place) found.push_back(&symbol);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Symbol* a, const Symbol* b) { return a->value < b->value; });
  return found;
}

std::string relocation_text(const Object& object, const Relocation& item,
                            const std::function<std::string(const std::string&)>& spell) {
  std::string text = spell(object.symbols[item.symbol].name);
  if (item.log2_scale != 0) text = fmt::format("({} << {})", text, item.log2_scale);
  if (item.negative) {
    text = fmt::format("{} - {}", item.addend, text);
  } else if (item.addend != 0) {
    text = fmt::format("{} + {}", text, item.addend);
  }
  switch (item.kind) {
    case RelocationKind::operand_lo:
    case RelocationKind::word32_lo: return fmt::format("lo({})", text);
    case RelocationKind::operand_hi:
    case RelocationKind::word32_hi: return fmt::format("hi({})", text);
    case RelocationKind::operand:
    case RelocationKind::word32:
    case RelocationKind::word64: break;
  }
  return text;
}

void write_smem(Notation& out, const Object& object, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t filled = std::min<std::uint64_t>(end, object.smem_contents.size());
  for (; begin < filled; begin += std::min(words_a_line, filled - begin)) {
    const std::uint64_t count = std::min(words_a_line, filled - begin);
    out.words(std::span(object.smem_contents).subspan(begin, count));
  }
  if (begin < end) out.space(end - begin);
}

void write_data(Notation& out, const Object& object, std::uint64_t begin, std::uint64_t end) {
  while (begin < end) {
    const std::uint64_t zeros = zeros_at(object, begin, end);
    if (zeros >= long_zeros) {
      out.space(zeros);
      begin += zeros;
    } else if (end - begin < 4) {
      out.bytes(std::span(object.data).subspan(begin, end - begin));
      begin = end;
    } else {
      const std::uint64_t count = std::min(words_a_line, (end - begin) / 4);
      out.words(words_at(object, begin, count));
      begin += 4 * count;
    }
  }
}

}  // namespace tandem::assembly
