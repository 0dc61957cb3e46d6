// Directives that only the disassembler needs, and `.error`.
#include <array>
#include <vector>

#include "assembler/bundle.hpp"
#include "assembler/directives/directives.hpp"
#include "assembler/expressions/expression.hpp"
#include "assembler/files.hpp"
#include "assembler/linear/linear.hpp"
#include "assembler/macro.hpp"
#include "assembler/statement.hpp"
#include "assembler/words.hpp"

namespace tandem::assembly {
namespace {

// `.lines off`: from here on only .loc sets where bundles come from. `.lines on` restores the
// default.
bool lines(Context& context, Lexer& lexer, const Span& /*name*/) {
  const std::string_view word = lexer.token().text();
  if (word != "on" && word != "off") return report_expected(context, lexer, "on or off");
  context.automatic_lines = word == "on";
  lexer.advance();
  return true;
}

bool line_number(Context& context, Lexer& lexer, std::uint32_t& line) {
  std::int64_t number = 0;
  if (!parse_integer(context, lexer, "line", 1, 0xffff'ffff, number)) return false;
  line = static_cast<std::uint32_t>(number);
  return true;
}

// A name that lives as long as the assembly.
bool kept_string(Context& context, Lexer& lexer, std::string_view& kept) {
  std::string text;
  if (!parse_string(context, lexer, text)) return false;
  kept = context.names.emplace_back(std::move(text));
  return true;
}

const SlotLayout* slot_named(std::string_view name) {
  for (const SlotLayout& layout : slot_layouts) {
    if (layout.name == name) return &layout;
  }
  return nullptr;
}

// The slot whose operation `.loc` describes; nullptr: the whole bundle.
bool loc_slot(Context& context, Lexer& lexer, const Span& name, const SlotLayout*& slot) {
  if (!lexer.token().is(TokenKind::identifier)) return true;
  slot = slot_named(lexer.token().text());
  if (slot == nullptr) return true;
  if (context.linear != nullptr) {
    return context.reporter.error(Code::not_in_linear, name, "a block has no slots", slot->name);
  }
  lexer.advance();
  return expect(context, lexer, TokenKind::comma, "`,` and the line");
}

// The rest after the first line: its file, the calls that led there, the name of the operation.
bool loc_rest(Context& context, Lexer& lexer, std::vector<SourceStep>& chain,
              std::string_view& operation) {
  while (lexer.accept(TokenKind::comma)) {
    if (lexer.token().text() == "operation") {
      lexer.advance();
      return kept_string(context, lexer, operation);
    }
    SourceStep& step = chain.back();
    if (lexer.token().is(TokenKind::string) && step.file.empty()) {
      if (!kept_string(context, lexer, step.file)) return false;
      if (chain.size() == 1) context.explicit_file = step.file;
      continue;
    }
    if (step.file.empty() && chain.size() > 1) {
      return report_expected(context, lexer, "the file of the call");
    }
    SourceStep& call = chain.emplace_back();
    if (!line_number(context, lexer, call.line)) return false;
    if (!lexer.token().is(TokenKind::comma)) {
      return report_expected(context, lexer, "`,` and the file of the call");
    }
  }
  return true;
}

// `.loc [slot,] line [, "file" {, line, "file"}] [, operation "name"]`: where the next bundle, or
// the operation in this slot of it, comes from; the calls that led there, innermost first; the name
// of the operation that it is part of.
bool loc(Context& context, Lexer& lexer, const Span& name) {
  const SlotLayout* slot = nullptr;
  std::vector<SourceStep> chain(1);
  std::string_view operation;
  if (!loc_slot(context, lexer, name, slot)) return false;
  if (!line_number(context, lexer, chain[0].line)) return false;
  if (!loc_rest(context, lexer, chain, operation)) return false;
  if (chain.size() > max_source_depth) {
    return context.reporter.error(Code::nested_too_deep, name, "", max_source_depth);
  }
  if (context.explicit_file.empty()) context.explicit_file = lexer.buffer().name;
  if (chain[0].file.empty()) chain[0].file = context.explicit_file;
  const FrameId frame = context.source.frame(chain, operation);
  if (slot == nullptr) {
    context.explicit_frame = frame;
  } else {
    context.explicit_slots[static_cast<std::size_t>(slot - slot_layouts.data())] = frame;
  }
  return true;
}

bool not_in_linear(Context& context, const Span& name) {
  return context.reporter.error(Code::not_in_linear, name, "bundles go outside", text_of(name));
}

// `.bundle w0, w1, ... w15`: a bundle as sixteen words.
bool raw_bundle(Context& context, Lexer& lexer, const Span& name) {
  if (context.section != Place::text) {
    return context.reporter.error(Code::wrong_section, name, "", text_of(name), ".text");
  }
  if (context.linear != nullptr) return not_in_linear(context, name);
  const std::uint32_t line = lexer.line();
  Bundle bundle{};
  for (std::size_t i = 0; i < bundle.size(); ++i) {
    if (i != 0 && !expect(context, lexer, TokenKind::comma, "`,` and the next of 16 words")) {
      return false;
    }
    std::int64_t word = 0;
    if (!parse_integer(context, lexer, "word", 0, 0xffff'ffff, word)) return false;
    bundle[i] = static_cast<std::uint32_t>(word);
  }
  if (!charge_within(context, name, ExpansionCost::bundle)) return false;
  if (append_bundle(context, bundle, lexer.buffer(), line)) return true;
  return context.reporter.error(Code::too_large, name, "", "text", max_bundles, "bundles");
}

// `.reloc slot, expression`: the constant of the operation in this slot of the next bundle.
bool reloc(Context& context, Lexer& lexer, const Span& name) {
  if (context.linear != nullptr) return not_in_linear(context, name);
  const SlotLayout* slot = slot_named(lexer.token().text());
  if (slot == nullptr) return report_expected(context, lexer, "a slot");
  lexer.advance();
  if (!expect(context, lexer, TokenKind::comma, "`,`")) return false;
  const char* first = lexer.token().begin;
  Value value;
  if (!parse_expression(context, lexer, value)) return false;
  const std::uint64_t offset = context.object.text.size() * bundle_bytes + slot->lsb / 8U;
  context.fixups.push_back({offset, value, RelocationKind::operand, true, lexer.span_from(first)});
  return true;
}

// `.buffer kind, first, words [, "name"]`: the next buffer that `.touch` may refer to.
bool buffer(Context& context, Lexer& lexer, const Span& /*name*/) {
  constexpr std::int64_t most = std::int64_t{1} << 40U;
  const auto kind = find_buffer_kind(lexer.token().text());
  if (!kind) return report_expected(context, lexer, "vmem, hbm, tensor, constant or scratch");
  lexer.advance();
  std::int64_t first = 0;
  std::int64_t words = 0;
  if (!expect(context, lexer, TokenKind::comma, "`,` and the first word") ||
      !parse_integer(context, lexer, "first word", 0, most, first) ||
      !expect(context, lexer, TokenKind::comma, "`,` and the number of words") ||
      !parse_integer(context, lexer, "number of words", 0, most, words)) {
    return false;
  }
  PlannedBuffer made{*kind, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(words),
                     ""};
  if (lexer.accept(TokenKind::comma) && !parse_string(context, lexer, made.name)) return false;
  context.object.buffers.buffers.push_back(std::move(made));
  return true;
}

// A number from 1, in the order of `.buffer`; 0 for none, `spill` for the frame.
bool buffer_number(Context& context, Lexer& lexer, BufferId& id) {
  if (lexer.token().text() == "spill") {
    id = spill_buffer;
    lexer.advance();
    return true;
  }
  const auto count = static_cast<std::int64_t>(context.object.buffers.buffers.size());
  std::int64_t number = 0;
  if (!parse_integer(context, lexer, "buffer", 0, count, number)) return false;
  id = static_cast<BufferId>(number);
  return true;
}

// `.touch [slot,] read, written`: the buffers that the next operation, or the one in this slot of
// the next bundle, reads and writes; of a slot several times where it may touch all of them.
bool touch(Context& context, Lexer& lexer, const Span& name) {
  const SlotLayout* slot = nullptr;
  Touch said;
  if (!loc_slot(context, lexer, name, slot) || !buffer_number(context, lexer, said.reads) ||
      !expect(context, lexer, TokenKind::comma, "`,` and the buffer that is written") ||
      !buffer_number(context, lexer, said.writes)) {
    return false;
  }
  if (slot == nullptr && context.linear == nullptr) {
    return report_expected(context, lexer, "a linear block, or the slot of the operation");
  }
  if (slot == nullptr) {
    context.touch = said;
  } else {
    context.slot_touches[static_cast<std::size_t>(slot - slot_layouts.data())].push_back(said);
  }
  return true;
}

// `.touches vmem, smem [, read, written]...`: the buffers of all operations from here on except
// those with `.touch`, and what copies may read and write in HBM.
bool touches(Context& context, Lexer& lexer, const Span& /*name*/) {
  BufferId vmem = no_buffer;
  BufferId smem = no_buffer;
  if (context.linear == nullptr) return report_expected(context, lexer, "a linear block");
  if (!buffer_number(context, lexer, vmem) ||
      !expect(context, lexer, TokenKind::comma, "`,` and the buffer in SMEM") ||
      !buffer_number(context, lexer, smem)) {
    return false;
  }
  std::vector<Touch> given;
  while (lexer.accept(TokenKind::comma)) {
    Touch& touch = given.emplace_back();
    if (!buffer_number(context, lexer, touch.reads) ||
        !expect(context, lexer, TokenKind::comma, "`,` and the buffer that is written") ||
        !buffer_number(context, lexer, touch.writes)) {
      return false;
    }
  }
  context.linear->vmem_buffer = vmem;
  context.linear->smem_buffer = smem;
  context.linear->given.push_back(std::move(given));
  return true;
}

// `.error "message"`: for a macro that checks its arguments.
bool user_error(Context& context, Lexer& lexer, const Span& name) {
  std::string message;
  if (!parse_string(context, lexer, message)) return false;
  return context.reporter.error(Code::user_error, name, "", message);
}

}  // namespace

std::span<const DirectiveRow> debug_directives() {
  static constexpr DirectiveRow rows[] = {
      {".loc", loc},     {".touch", touch},      {".lines", lines},   {".bundle", raw_bundle},
      {".reloc", reloc}, {".error", user_error}, {".buffer", buffer}, {".touches", touches},
  };
  return rows;
}

}  // namespace tandem::assembly
