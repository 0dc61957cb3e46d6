// A kernel is assembled by itself, inside a block like the program's own, and its operations are
// checked one by one. What only a run can show (computed addresses, flags that descriptors name) is
// found by golden's checks.
#include "compiler/functions/kernel_contract.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "assembler/text/labels.hpp"
#include "assembler/text/lexer.hpp"
#include "compiler/functions/library.hpp"
#include "isa/analysis/effects.hpp"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"

namespace tandem::compiler {
namespace {

constexpr std::int32_t first_flag = 24;
constexpr std::int32_t last_flag = 30;
// All others change or query the state around the kernel, or write lines that are not in the text.
constexpr std::array own_directives{".loc", ".lines", ".trips",   ".unroll",
                                    ".hot", ".cold",  ".disjoint"};
// For lines whose place is not given.
constexpr const char* unknown_place = "<kernel>";

// A name that cannot be in the text, whatever it contains: the code around the kernel uses it.
std::string foreign_name(const std::string& text) {
  return fmt::format("around_{:016x}", llvm::xxh3_64bits(text));
}

// The first directive that a kernel has no use for, "" for none: a text with `.ifdef`, `.set` or a
// macro means different things by itself and in its program. Without macros and repetitions, each
// directive begins its line, after labels.
std::string foreign_directive(llvm::StringRef text) {
  while (!text.empty()) {
    const auto [first, rest] = text.split('\n');
    std::string_view line = first;
    while (assembly::take_label(line)) continue;
    assembly::skip_blanks(line);
    const llvm::StringRef name = llvm::StringRef(line).take_while(assembly::is_identifier_part);
    if (name.starts_with(".") && !llvm::is_contained(own_directives, name)) return name.str();
    text = rest;
  }
  return "";
}

// A use of a register that was defined before the text follows it: the text is all in the block
// that it begins in, or this does not assemble.
std::string in_a_block(const std::string& text, unsigned inputs, unsigned outputs,
                       const std::string& frame) {
  const std::string around = foreign_name(text);
  std::string whole =
      fmt::format("        .lines off\n        .linear\n{}        .loc 1, \"{}\"\n", frame, around);
  const auto give = [&](const std::string& name) {  // the value is unknown
    whole += fmt::format("        %{} = sld [0]\n", name);
  };
  give("smem");
  give("vmem");
  for (unsigned i = 0; i < inputs; ++i) give(fmt::format("arg{}", i));
  for (unsigned i = 0; i < outputs; ++i) give(fmt::format("out{}", i));
  give(around);
  return fmt::format(
      "{}        .loc 1, \"{}\"\n{}\n        .loc 1, \"{}\"\n        ssti [%{}], 0\n        "
      ".endlinear\n",
      whole, unknown_place, text, around, around);
}

struct Assembled {
  std::optional<Object> object;
  std::string trouble;  // the reason for a failure
  bool reads_files = false;
};

Assembled assembled(const std::string& text, unsigned inputs, unsigned outputs,
                    const Parameters& machine) {
  Assembled found;
  AssembleOptions options = function_options(machine);
  options.schedule = schedule::Level::none;
  options.error_limit = 1;
  options.on_file = [&](const std::string&) { found.reads_files = true; };
  for (const char* frame : {"", "        .frame 256, 64\n"}) {
    AssembleResult result =
        assemble({unknown_place, in_a_block(text, inputs, outputs, frame)}, options);
    if (result.ok()) {
      found.object = std::move(result.object);
      break;
    }
    found.trouble = diagnostics_text(result.diagnostics);
  }
  return found;
}

// An address without a base register: not in memory that the kernel was given.
bool is_absolute(const Operation& operation, const MemoryUse& memory) {
  const Operand& operand = *instruction(operation.op).operands.items[memory.place];
  const auto base = source(operand, operation.operands[memory.place]);
  return base && base->file == RegisterFile::s && base->index == 0;
}

std::string foreign_flag(const Operation& operation) {
  const OperandList& operands = instruction(operation.op).operands;
  for (std::size_t i = 0; i < operands.count; ++i) {
    if (operands.items[i]->kind != OperandKind::flag) continue;
    const OperandValue& flag = operation.operands[i];
    const bool is_own = flag.value >= first_flag && flag.value <= last_flag;
    if (flag.extra == 0 && !is_own) return fmt::format("f{}", flag.value);
  }
  return "";
}

std::string breach_of(const Operation& operation) {
  const Effects effects = effects_of(operation);
  const std::string mnemonic(instruction(operation.op).mnemonic);
  if (effects.control == Control::halt) return "it ends the program (`halt`)";
  if (leaves(effects.control) || effects.control == Control::call) {
    return fmt::format("it goes elsewhere (`{}`): a kernel ends after its last line", mnemonic);
  }
  if (effects.memory.space != LocalMemory::none && is_absolute(operation, effects.memory)) {
    const bool rows = effects.memory.space == LocalMemory::vmem;
    return fmt::format("`{}` {} {} at a fixed address: its own {} `{}` gives", mnemonic,
                       effects.memory.writes ? "writes" : "reads", rows ? "VMEM" : "SMEM",
                       rows ? "rows are those that" : "words are those that",
                       rows ? "scratch_vmem" : "scratch_smem");
  }
  if (const std::string flag = foreign_flag(operation); !flag.empty()) {
    return fmt::format("`{}` of {}: its own flags are f{} to f{}", mnemonic, flag, first_flag,
                       last_flag);
  }
  return "";
}

// Without a label a branch goes to a fixed bundle of the program.
bool has_label(const Object& object, std::uint32_t pc) {
  return llvm::any_of(object.text_relocations, [pc](const Relocation& relocation) {
    return relocation.offset / sizeof(Bundle) == pc;
  });
}

// The line of the operation in this slot; empty for the code `around` the kernel.
std::optional<std::string> place_of(const SourceTable& source, std::uint32_t pc, std::size_t slot,
                                    const std::string& around) {
  std::optional<std::string> place;
  for (const SourceLocation& line : source.lines) {
    if (line.pc != pc || (line.slot != whole_bundle && line.slot != slot)) continue;
    const SourceFrame& frame = source.frame(line.frame);
    place = source.file_of(frame) == unknown_place ? "" : source.place_text(frame) + ": ";
    if (source.file_of(frame) == around) place.reset();
  }
  return place;
}

}  // namespace

Breach kernel_breach(const std::string& text, unsigned inputs, unsigned outputs,
                     const Parameters& machine) {
  const auto& [object, trouble, reads_files] = assembled(text, inputs, outputs, machine);
  if (reads_files) return {"", "it names files (`.include`, `.incbin`)"};
  // A text that assembles only within the program would go unchecked.
  if (!object) return {"", "by itself, in a block, it does not assemble\n" + trouble};
  if (const std::string name = foreign_directive(text); !name.empty()) {
    return {"", fmt::format("`{}`: a kernel has operations, labels and hints", name)};
  }
  if (std::string part = foreign_part(*object); !part.empty()) return {"", std::move(part)};
  const std::string around = foreign_name(text);
  for (std::uint32_t pc = 0; pc < object->text.size(); ++pc) {
    for (std::size_t slot = 0; slot < slot_count; ++slot) {
      const auto bits = slot_bits(object->text[pc], static_cast<Slot>(slot));
      const auto operation = is_empty(bits) ? std::nullopt : decode(static_cast<Slot>(slot), bits);
      const auto place = operation ? place_of(object->source, pc, slot, around) : std::nullopt;
      if (!place) continue;
      if (std::string what = breach_of(*operation); !what.empty()) return {*place, std::move(what)};
      if (effects_of(*operation).control == Control::branch && !has_label(*object, pc)) {
        return {*place, "it goes elsewhere (`br` to a number): its own labels are targets"};
      }
    }
  }
  return {};
}

}  // namespace tandem::compiler
