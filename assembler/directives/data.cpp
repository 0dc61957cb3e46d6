// Bytes in .data, and words in .smem.
#include <array>
#include <bit>
#include <limits>

#include "assembler/directives/directives.hpp"
#include "assembler/expressions/expression.hpp"
#include "assembler/files.hpp"
#include "assembler/macro.hpp"
#include "assembler/statement.hpp"
#include "assembler/words.hpp"

namespace tandem::assembly {
namespace {

// Words may also be in .smem.
enum class Unit : std::uint8_t { other, word };

bool in_data(Context& context, const Span& name, Unit unit = Unit::other) {
  if (context.section == Place::data) return true;
  if (context.section == Place::smem && unit == Unit::word) return true;
  const bool reserves = context.section == Place::vmem || context.section == Place::bss;
  const char* hint = reserves ? "this section only reserves room, with .space; a copy can fill it"
                              : "write `.data` first";
  if (context.section == Place::smem) hint = "SMEM holds words: .u32, .s32, .f32 and .descriptor";
  return context.reporter.error(Code::wrong_section, name, hint, text_of(name), ".data");
}

void append(Context& context, std::uint64_t bits, unsigned bytes) {
  Object& object = context.object;
  if (context.section == Place::smem) {
    object.smem_contents.resize(object.smem_words++);  // room before it reads zero
    object.smem_contents.push_back(static_cast<std::uint32_t>(bits));
    return;
  }
  for (unsigned i = 0; i < bytes; ++i) {
    object.data.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
  }
}

// A list of values, each made by `item`.
template <typename Item>
bool list(Context& context, Lexer& lexer, const Span& name, Item item, Unit unit = Unit::other) {
  if (!in_data(context, name, unit)) return false;
  const std::uint64_t most = context.section == Place::smem ? 1 : 8;  // units of an item
  do {
    const char* first = lexer.token().begin;
    Value value;
    if (!parse_expression(context, lexer, value)) return false;
    const Span where = lexer.span_from(first);
    if (!has_room(context, where, most)) return false;
    item(value, where);  // an error is reported; later items may have errors of their own
  } while (lexer.accept(TokenKind::comma));
  return true;
}

bool need_constant(Context& context, const Value& value, const Span& where) {
  if (value.is_constant()) return true;
  return context.reporter.error(Code::not_constant, where,
                                "addresses go in .u32 (with lo() or hi()) or .u64");
}

template <unsigned bytes, bool is_signed>
bool integers(Context& context, Lexer& lexer, const Span& name) {
  return list(context, lexer, name, [&](const Value& value, const Span& where) {
    if (!need_constant(context, value, where)) return false;
    if (value.is_real) {
      return context.reporter.error(Code::not_integer, where, "", text_of(name));
    }
    constexpr std::int64_t span = std::int64_t{1} << (8 * bytes);
    const std::int64_t low = is_signed ? -span / 2 : 0;
    const std::int64_t high = is_signed ? span / 2 - 1 : span - 1;
    if (value.integer < low || value.integer > high) {
      return context.reporter.error(Code::out_of_range, where, "", text_of(name), value.integer,
                                    low, high);
    }
    append(context, static_cast<std::uint64_t>(value.integer), bytes);
    return true;
  });
}

bool place_symbolic(Context& context, const Value& value, const Span& where, unsigned bytes) {
  if (!takes_symbols(context, where)) return false;
  if (!charge_within(context, where, ExpansionCost::symbolic_word)) return false;
  const RelocationKind kind = bytes == 8 ? RelocationKind::word64 : RelocationKind::word32;
  context.fixups.push_back({context.object.data.size(), value, kind, false, where});
  append(context, 0, bytes);
  return true;
}

// 32 bits, signed or not: only the bits matter.
bool words(Context& context, Lexer& lexer, const Span& name) {
  return list(
      context, lexer, name,
      [&](const Value& value, const Span& where) {
        if (!value.is_constant()) return place_symbolic(context, value, where, 4);
        if (value.is_real) {
          return context.reporter.error(Code::not_integer, where, "real numbers go in .f32",
                                        text_of(name));
        }
        constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min();
        constexpr std::int64_t high = std::numeric_limits<std::uint32_t>::max();
        if (value.integer < low || value.integer > high) {
          return context.reporter.error(Code::out_of_range, where, "", text_of(name), value.integer,
                                        low, high);
        }
        append(context, static_cast<std::uint64_t>(value.integer), 4);
        return true;
      },
      Unit::word);
}

bool double_words(Context& context, Lexer& lexer, const Span& name) {
  return list(context, lexer, name, [&](const Value& value, const Span& where) {
    if (!value.is_constant()) return place_symbolic(context, value, where, 8);
    if (value.is_real) {
      return context.reporter.error(Code::not_integer, where, "", text_of(name));
    }
    append(context, static_cast<std::uint64_t>(value.integer), 8);
    return true;
  });
}

bool f32(Context& context, Lexer& lexer, const Span& name) {
  return list(
      context, lexer, name,
      [&](const Value& value, const Span& where) {
        if (!need_constant(context, value, where)) return false;
        append(context, fp32_bits(value.as_real()), 4);
        return true;
      },
      Unit::word);
}

bool bf16(Context& context, Lexer& lexer, const Span& name) {
  return list(context, lexer, name, [&](const Value& value, const Span& where) {
    if (!need_constant(context, value, where)) return false;
    append(context, bf16_bits(value.as_real()), 2);
    return true;
  });
}

void append_text(Context& context, std::string_view bytes) {
  context.object.data.insert(context.object.data.end(), bytes.begin(), bytes.end());
}

template <bool zero>
bool ascii(Context& context, Lexer& lexer, const Span& name) {
  if (!in_data(context, name)) return false;
  do {
    std::string text;
    if (!parse_string(context, lexer, text) || !has_room(context, name, text.size())) return false;
    append_text(context, text);
    if (zero) append(context, 0, 1);
  } while (lexer.accept(TokenKind::comma));
  return true;
}

// The size of a pipe is only known once it is read.
bool take_pipe(HostFile& file, std::string& bytes) {
  return file.size() || file.read_rest(max_data_bytes, bytes);
}

// `.incbin "file"`, `.incbin "file", offset`, `.incbin "file", offset, length`
bool incbin(Context& context, Lexer& lexer, const Span& name) {
  if (!in_data(context, name)) return false;
  const Span where = lexer.span();
  std::string path;
  std::string found_path;
  std::string bytes;
  if (!parse_string(context, lexer, path)) return false;
  if (!charge_within(context, where, ExpansionCost::file)) return false;
  const auto file = find_file(context, lexer.buffer().name, path, found_path);
  const auto unreadable = [&] {
    return report_unreadable(context, where, lexer.buffer().name, path, *file);
  };
  if (!file->ok() || !take_pipe(*file, bytes)) return unreadable();
  const auto size = static_cast<std::int64_t>(file->size().value_or(bytes.size()));
  std::int64_t offset = 0;
  if (lexer.accept(TokenKind::comma) &&
      !parse_integer(context, lexer, "offset in the file", 0, size, offset)) {
    return false;
  }
  std::int64_t length = size - offset;
  if (lexer.accept(TokenKind::comma) &&
      !parse_integer(context, lexer, "length", 0, size - offset, length)) {
    return false;
  }
  const auto wanted = static_cast<std::uint64_t>(length);
  if (!has_room(context, where, wanted) || !charge_within(context, where, wanted)) return false;
  const auto begin = static_cast<std::uint64_t>(offset);
  if (!file->size()) {
    bytes = bytes.substr(begin, wanted);
  } else if (!file->seek(begin) || !file->read(wanted, bytes)) {
    return unreadable();
  }
  append_text(context, bytes);
  return true;
}

}  // namespace

void append_word(Context& context, std::uint32_t word) { append(context, word, 4); }

bool takes_symbols(Context& context, const Span& where) {
  if (context.section != Place::smem) return true;
  return context.reporter.error(Code::not_constant, where, "words of .smem are numbers");
}

std::span<const DirectiveRow> data_directives() {
  static constexpr DirectiveRow rows[] = {
      {".u32", words},
      {".s32", words},
      {".f32", f32},
      {".bf16", bf16},
      {".s8", integers<1, true>},
      {".u8", integers<1, false>},
      {".s16", integers<2, true>},
      {".u16", integers<2, false>},
      {".u64", double_words},
      {".s64", double_words},
      {".ascii", ascii<false>},
      {".asciz", ascii<true>},
      {".incbin", incbin},
      {".descriptor", descriptor_directive},
  };
  return rows;
}

}  // namespace tandem::assembly
