// Sections, the space they reserve, and the symbols they export.
#include <bit>

#include "assembler/directives/directives.hpp"
#include "assembler/elf/sections.hpp"
#include "assembler/expressions/expression.hpp"
#include "assembler/files.hpp"
#include "assembler/statement.hpp"
#include "assembler/words.hpp"

namespace tandem::assembly {
namespace {

template <Place place>
bool enter(Context& context, Lexer& /*lexer*/, const Span& /*name*/) {
  context.section = place;
  return true;
}

// Largest size of the current section, in its unit.
std::int64_t section_limit(Context& context) {
  switch (context.section) {
    case Place::vmem: return context.parameters().vmem_rows();
    case Place::smem: return context.parameters().smem_words();
    case Place::data: return static_cast<std::int64_t>(max_data_bytes);
    case Place::bss: return std::int64_t{1} << 40U;
    case Place::text:
    case Place::undefined:
    case Place::absolute:
    case Place::tensor: break;
  }
  return 0;
}

std::uint64_t section_size(const Context& context) {
  switch (context.section) {
    case Place::vmem: return context.object.vmem_rows;
    case Place::smem: return context.object.smem_words;
    case Place::data: return context.object.data.size();
    case Place::bss: return context.object.bss_bytes;
    case Place::text:
    case Place::undefined:
    case Place::absolute:
    case Place::tensor: break;
  }
  return 0;
}

std::string_view section_unit(Place section) {
  if (section == Place::vmem) return "rows";
  return section == Place::smem ? "words" : "bytes";
}

bool not_in_text(Context& context, const Span& name) {
  if (context.section != Place::text) return true;
  return context.reporter.error(Code::wrong_section, name, "an empty bundle is written `{}`",
                                text_of(name), ".data, .bss, .vmem or .smem");
}

bool grow(Context& context, const Span& where, std::uint64_t amount, std::uint8_t fill = 0) {
  if (!has_room(context, where, amount)) return false;
  const std::uint64_t size = section_size(context) + amount;
  Object& object = context.object;
  if (context.section == Place::vmem) object.vmem_rows = static_cast<std::uint32_t>(size);
  if (context.section == Place::smem) object.smem_words = static_cast<std::uint32_t>(size);
  if (context.section == Place::bss) object.bss_bytes = size;
  if (context.section == Place::data) object.data.resize(size, fill);
  return true;
}

// `.space count` in rows, words or bytes; in .data also `.space count, fill`.
bool space(Context& context, Lexer& lexer, const Span& name) {
  if (!not_in_text(context, name)) return false;
  const char* first = lexer.token().begin;
  std::int64_t count = 0;
  std::int64_t fill = 0;
  if (!parse_integer(context, lexer, "size", 0, section_limit(context), count)) return false;
  const Span where = lexer.span_from(first);
  if (context.section == Place::data && lexer.accept(TokenKind::comma) &&
      !parse_integer(context, lexer, "fill byte", 0, 255, fill)) {
    return false;
  }
  return grow(context, where, static_cast<std::uint64_t>(count), static_cast<std::uint8_t>(fill));
}

template <typename T>
void raise(T& alignment, std::int64_t wanted) {
  alignment = std::max(alignment, static_cast<T>(wanted));
}

// `.align n`: to a multiple of n rows, words or bytes; n is a power of two.
bool align(Context& context, Lexer& lexer, const Span& name) {
  if (!not_in_text(context, name)) return false;
  const char* first = lexer.token().begin;
  std::int64_t alignment = 0;
  if (!parse_integer(context, lexer, "alignment", 1, 4096, alignment)) return false;
  if (!std::has_single_bit(static_cast<std::uint64_t>(alignment))) {
    return context.reporter.error(Code::not_power_of_two, lexer.span_from(first), "", alignment);
  }
  Object& object = context.object;
  if (context.section == Place::vmem) raise(object.vmem_alignment, alignment);
  if (context.section == Place::smem) raise(object.smem_alignment, alignment);
  if (context.section == Place::bss) raise(object.bss_alignment, alignment);
  if (context.section == Place::data) raise(object.data_alignment, alignment);
  const auto mask = static_cast<std::uint64_t>(alignment) - 1;
  return grow(context, name, (0 - section_size(context)) & mask);
}

// `.global a, b`
bool global(Context& context, Lexer& lexer, const Span& /*name*/) {
  do {
    if (!lexer.token().is(TokenKind::identifier)) return report_expected(context, lexer, "a name");
    if (!check_new_name(context, lexer.span())) return false;
    SymbolEntry& entry = context.symbols[context.symbols.intern(lexer.token().text())];
    if (entry.defined.buffer == nullptr) entry.defined = lexer.span();
    entry.global = true;
    lexer.advance();
  } while (lexer.accept(TokenKind::comma));
  return true;
}

// `.extern a, b`
bool import(Context& context, Lexer& lexer, const Span& /*name*/) {
  do {
    if (!lexer.token().is(TokenKind::identifier)) return report_expected(context, lexer, "a name");
    if (!check_new_name(context, lexer.span())) return false;
    SymbolEntry& entry = context.symbols[context.symbols.intern(lexer.token().text())];
    if (entry.kind != SymbolKind::unknown && entry.kind != SymbolKind::imported) {
      return context.reporter.error(Code::already_defined, lexer.span(), defined_where(entry),
                                    entry.name);
    }
    entry.kind = SymbolKind::imported;
    entry.global = true;
    entry.defined = lexer.span();
    lexer.advance();
  } while (lexer.accept(TokenKind::comma));
  return true;
}

// `.entry label` or `.entry number`
bool entry(Context& context, Lexer& lexer, const Span& name) {
  const char* first = lexer.token().begin;
  if (context.has_entry) {
    return context.reporter.error(Code::entry_twice, name, "");
  }
  context.has_entry = true;
  if (!parse_expression(context, lexer, context.entry)) return false;
  context.entry_where = lexer.span_from(first);
  return true;
}

// `.arguments`: the program finds its argument block in SMEM.
bool arguments(Context& context, Lexer& /*lexer*/, const Span& /*name*/) {
  context.object.arguments_in_smem = true;
  return true;
}

// `.producer "name and version"`
bool producer(Context& context, Lexer& lexer, const Span& /*name*/) {
  const Span where = lexer.span();
  if (!parse_string(context, lexer, context.object.producer)) return false;
  if (is_producer(context.object.producer)) return true;
  context.object.producer.clear();
  return context.reporter.error(Code::bad_producer, where, "");
}

}  // namespace

bool has_room(Context& context, const Span& where, std::uint64_t amount) {
  const auto limit = static_cast<std::uint64_t>(section_limit(context));
  if (section_size(context) + amount <= limit) return true;
  return context.reporter.error(Code::too_large, where, "", "section", limit,
                                section_unit(context.section));
}

std::span<const DirectiveRow> section_directives() {
  static constexpr DirectiveRow rows[] = {
      {".text", enter<Place::text>},
      {".data", enter<Place::data>},
      {".bss", enter<Place::bss>},
      {".vmem", enter<Place::vmem>},
      {".smem", enter<Place::smem>},
      {".space", space},
      {".align", align},
      {".global", global},
      {".extern", import},
      {".entry", entry},
      {".arguments", arguments},
      {".start_copy", start_copy_directive},
      {".producer", producer},
  };
  return rows;
}

}  // namespace tandem::assembly
