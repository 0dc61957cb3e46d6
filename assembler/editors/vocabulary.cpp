#include "assembler/editors/vocabulary.hpp"

#include <algorithm>

#include "assembler/directives/directives.hpp"
#include "assembler/expressions/functions.hpp"
#include "assembler/text/register_name.hpp"
#include "isa/image.hpp"
#include "isa/instructions.hpp"
#include "isa/registers/registers.hpp"
#include "isa/text/text.hpp"

namespace tandem::assembly {
namespace {

Words sorted(Words words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

Words sorted(const std::vector<std::string_view>& words) {
  return sorted(Words(words.begin(), words.end()));
}

Words mnemonics() {
  Words words;
  for (const Instruction& row : instructions) words.emplace_back(row.mnemonic);
  return sorted(std::move(words));
}

Words attributes_with_values() {
  Words words;
  for (const Instruction& row : instructions) {
    for (const Operand* operand : row.operands) {
      if (is_attribute(operand->kind) && operand->kind != OperandKind::option) {
        words.emplace_back(operand->name);
      }
    }
  }
  return sorted(std::move(words));
}

Words slots() {
  Words words;
  for (const SlotLayout& slot : slot_layouts) words.emplace_back(slot.name);
  return sorted(std::move(words));
}

Words types() {
  Words words{
#define ELEMENT(name, code, bytes, numpy, meaning) #name,
#include "isa/elements.def"
#undef ELEMENT
  };
  return sorted(std::move(words));
}

Words csrs() {
  Words words;
  for (const Register& row : registers()) {
    if (row.program_readable) words.push_back(row.name);
  }
  return sorted(std::move(words));
}

Words parts() {
  Words words;
  for (std::uint8_t code = 0; code < 8; ++code) {
    const std::string_view name = part_suffix(static_cast<Part>(code));
    if (name != "?") words.emplace_back(name);
  }
  return sorted(std::move(words));
}

}  // namespace

Vocabulary vocabulary() {
  return {mnemonics(),
          slots(),
          sorted(directive_names()),
          sorted(constant_names()),
          sorted(function_names()),
          types(),
          csrs(),
          attributes_with_values(),
          parts()};
}

Words types_that_are_no_registers(const Vocabulary& words) {
  Words others;
  for (const std::string& type : words.types) {
    NamedRegister known;
    if (!read_register(type, known) || !known.in_range()) others.push_back(type);
  }
  return others;
}

}  // namespace tandem::assembly
