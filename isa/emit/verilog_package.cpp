// rtl/tpu_pkg.sv: everything the RTL knows about encodings, so that no opcode and no field position
// is written by hand there.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "isa/emit/emit.hpp"
#include "isa/encoding.hpp"
#include "isa/registers.hpp"
#include "isa/retire.hpp"
#include "isa/timing.hpp"

namespace tandem::emit {
namespace {

// Slots that decode alike share their functions.
struct SlotType {
  std::string_view name;
  Slot slot;
};

constexpr std::array<SlotType, 8> slot_types{{
    {"sa", Slot::sa},
    {"sb", Slot::sb},
    {"valu", Slot::va},
    {"ld", Slot::ld},
    {"st", Slot::st},
    {"mx", Slot::mx},
    {"xu", Slot::xu},
    {"dma", Slot::dma},
}};

std::string upper(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == ' ') {
      result += '_';
    } else {
      result += letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    }
  }
  return result;
}

std::string lower_name(std::string_view text) {
  std::string result(text);
  std::replace(result.begin(), result.end(), ' ', '_');
  return result;
}

std::vector<const Instruction*> rows_of(Slot slot) {
  std::vector<const Instruction*> rows;
  for (const Instruction& row : instructions) {
    if (slot_accepts(slot, row.group)) rows.push_back(&row);
  }
  return rows;
}

unsigned width_of(Slot slot) { return slot_layouts[static_cast<std::size_t>(slot)].width; }

std::string constant(std::string_view name, std::uint32_t value) {
  return fmt::format("  localparam int unsigned {} = {};\n", name, value);
}

std::string opcodes() {
  std::string text = "\n  // Opcodes.\n";
  for (const Instruction& row : instructions) {
    text += fmt::format("  localparam logic [7:0] OP_{} = 8'h{:02x};\n", upper(row.name), row.opcode);
  }
  return text;
}

std::string slots() {
  std::string text = "\n  // Slots: number, first bit in the bundle, width.\n";
  for (std::size_t i = 0; i < slot_count; ++i) {
    const std::string name = upper(slot_layouts[i].name);
    text += constant("SLOT_" + name, static_cast<std::uint32_t>(i));
    text += constant("SLOT_" + name + "_LSB", slot_layouts[i].lsb);
    text += constant("SLOT_" + name + "_W", slot_layouts[i].width);
  }
  return text;
}

std::string field(const std::string& name, BitField bits) {
  if (bits.width == 0) return {};
  return constant(name + "_LSB", bits.lsb) + constant(name + "_W", bits.width);
}

// Fields of every operand of a slot type: <TYPE>_<OPERAND>_LSB, _EXTRA_LSB, _IMM_LSB, and widths.
std::string fields() {
  std::string text = "\n  // Fields inside a slot.\n";
  text += field("OPCODE", opcode_field) + field("PRED", predicate_field);
  text += field("PRED_NEG", predicate_negate_field);
  for (const SlotType& type : slot_types) {
    std::set<std::string> done;
    for (const Instruction* row : rows_of(type.slot)) {
      for (const Operand* operand : row->operands) {
        const std::string name = fmt::format("{}_{}", upper(type.name), upper(operand->name));
        for (const std::string& lines :
             {field(name, operand->value), field(name + "_EXTRA", operand->extra),
              field(name + "_IMM", operand->imm)}) {
          if (done.insert(lines).second) text += lines;
        }
      }
    }
  }
  return text;
}

std::uint64_t mask_of(BitField bits) {
  return bits.width == 0 ? 0 : ((std::uint64_t{1} << bits.width) - 1) << bits.lsb;
}

std::string slice(BitField bits) {
  return bits.width == 1 ? fmt::format("s[{}]", bits.lsb)
                         : fmt::format("s[{}:{}]", bits.lsb + bits.width - 1, bits.lsb);
}

// What the legality of one operand adds to a row's case branch.
struct Legality {
  std::uint64_t used = 0;
  std::string choices;  // "used = used | ..." for forms
  std::string checks;   // "ok = ok & ..."
};

void add_operand(Legality& legality, const Operand& operand, unsigned width) {
  legality.used |= mask_of(operand.extra);
  if (operand.kind == OperandKind::scalar_imm) {
    legality.choices += fmt::format(" used = used | ({} ? {}'h{:x} : {}'h{:x});",
                                    slice(operand.extra), width, mask_of(operand.imm), width,
                                    mask_of(operand.value));
    return;
  }
  legality.used |= mask_of(operand.value) | mask_of(operand.imm);
  if (operand.kind == OperandKind::part) {
    std::string any;
    for (unsigned code = 0; code < 8; ++code) {
      if (((operand.allowed >> code) & 1U) == 0) continue;
      any += fmt::format("{}{} == 3'd{}", any.empty() ? "" : " || ", slice(operand.extra), code);
    }
    legality.checks += fmt::format(" ok = ok & ({});", any);
  } else if (operand.kind == OperandKind::vsource) {
    legality.checks += fmt::format(" ok = ok & !({} == 2'd3 && s[{}]);", slice(operand.extra),
                                   operand.value.lsb + operand.value.width - 1);
  } else if (operand.kind == OperandKind::flag) {
    legality.checks += fmt::format(" ok = ok & ({} < 8'd{});", slice(operand.value), sync_flags);
  } else if (operand.kind == OperandKind::csr) {
    legality.checks += fmt::format(" ok = ok & csr_readable({});", slice(operand.value));
  }
}

std::string legal_function(const SlotType& type) {
  const unsigned width = width_of(type.slot);
  std::string text = fmt::format(
      "\n  // Whether the encoding of a slot of type {} is legal (an empty slot is).\n"
      "  function automatic logic {}_legal(input logic [{}:0] s);\n"
      "    logic [{}:0] used;\n    logic ok;\n    ok = 1'b1;\n    used = {}'h0;\n"
      "    case (s[7:0])\n      8'h00: used = {}'h0;\n",
      type.name, type.name, width - 1, width - 1, width, width);
  for (const Instruction* row : rows_of(type.slot)) {
    Legality legality;
    legality.used = mask_of(opcode_field) | mask_of(predicate_field) | mask_of(predicate_negate_field);
    for (const Operand* operand : row->operands) add_operand(legality, *operand, width);
    text += fmt::format("      OP_{}: begin used = {}'h{:x};{}{} end\n", upper(row->name), width,
                        legality.used, legality.choices, legality.checks);
  }
  return text + fmt::format(
                    "      default: ok = 1'b0;\n    endcase\n"
                    "    {}_legal = ok & ((s & ~used) == {}'h0);\n  endfunction\n",
                    type.name, width);
}

char file_letter(OperandKind kind) {
  switch (kind) {
    case OperandKind::preg:
      return 'p';
    case OperandKind::mreg:
    case OperandKind::mask:
      return 'm';
    case OperandKind::vreg:
    case OperandKind::vsource:
    case OperandKind::part:
      return 'v';
    case OperandKind::sreg:
    case OperandKind::scalar_imm:
    case OperandKind::smem:
    case OperandKind::vmem:
    case OperandKind::vmem_word:
    case OperandKind::descriptor:
    case OperandKind::accumulator:
    case OperandKind::weight_row:
      return 's';
    case OperandKind::target:
    case OperandKind::constant:
    case OperandKind::csr:
    case OperandKind::flag:
    case OperandKind::stride:
    case OperandKind::rows:
    case OperandKind::option:
      return 0;
  }
  return 0;
}

bool writes_register(const Operand& operand) {
  return operand.access == Access::write &&
         (operand.kind == OperandKind::sreg || operand.kind == OperandKind::preg ||
          operand.kind == OperandKind::mreg || operand.kind == OperandKind::vreg);
}

std::string destination_functions(const SlotType& type) {
  const unsigned width = width_of(type.slot);
  std::string files;
  std::string indices;
  for (const Instruction* row : rows_of(type.slot)) {
    for (const Operand* operand : row->operands) {
      if (!writes_register(*operand)) continue;
      const std::string opcode = upper(row->name);
      files += fmt::format("      OP_{}: {}_dest_file = FILE_{};\n", opcode, type.name,
                           static_cast<char>(file_letter(operand->kind) - 'a' + 'A'));
      const unsigned pad = 6U - operand->value.width;
      indices += fmt::format("      OP_{}: {}_dest_index = {};\n", opcode, type.name,
                             pad == 0 ? slice(operand->value)
                                      : fmt::format("{{{}'d0, {}}}", pad, slice(operand->value)));
    }
  }
  if (files.empty()) return {};
  return fmt::format(
      "\n  function automatic logic [2:0] {0}_dest_file(input logic [{1}:0] s);\n"
      "    case (s[7:0])\n{2}      default: {0}_dest_file = FILE_NONE;\n    endcase\n  endfunction\n"
      "  function automatic logic [5:0] {0}_dest_index(input logic [{1}:0] s);\n"
      "    case (s[7:0])\n{3}      default: {0}_dest_index = 6'd0;\n    endcase\n  endfunction\n",
      type.name, width - 1, files, indices);
}

// Under which condition a row reads registers through an operand; empty when it does not.
std::string read_condition(const Operand& operand, char file) {
  if (writes_register(operand)) return {};
  if (operand.kind == OperandKind::vsource && (file == 's' || file == 'v')) {
    return fmt::format("{}({} == 2'd3)", file == 's' ? "" : "!", slice(operand.extra));
  }
  if (file_letter(operand.kind) != file) return {};
  if (operand.kind == OperandKind::scalar_imm) return fmt::format("!{}", slice(operand.extra));
  return "1'b1";
}

// <type>_reads_<file>_<operand>(s): the operand names a register of that file which is read.
std::string read_functions(const SlotType& type) {
  std::map<std::pair<char, unsigned>, std::pair<std::string, std::string>> functions;
  for (const char file : {'s', 'p', 'm', 'v'}) {
    for (const Instruction* row : rows_of(type.slot)) {
      for (const Operand* operand : row->operands) {
        const std::string condition = read_condition(*operand, file);
        if (condition.empty()) continue;
        auto& [name, cases] = functions[{file, operand->value.lsb}];
        if (name.empty()) name = lower_name(operand->name);
        cases += fmt::format("      OP_{}: hit = {};\n", upper(row->name), condition);
      }
    }
  }
  std::string text;
  for (const auto& [key, function] : functions) {
    const std::string name = fmt::format("{}_reads_{}_{}", type.name, key.first, function.first);
    text += fmt::format(
        "\n  // Register number at [{}+:].\n"
        "  function automatic logic {}(input logic [{}:0] s);\n    logic hit;\n"
        "    case (s[7:0])\n{}      default: hit = 1'b0;\n    endcase\n    {} = hit;\n"
        "  endfunction\n",
        key.second, name, width_of(type.slot) - 1, function.second, name);
  }
  return text;
}

std::string csr_functions() {
  std::string readable;
  std::string is_volatile;
  std::string numbers = "\n  // Registers: host address / 4 and CSR number.\n";
  for (const Register& row : registers()) {
    numbers += fmt::format("  localparam logic [9:0] REG_{} = 10'd{};\n", upper(row.name), row.number);
    if (!row.program_readable) continue;
    readable += fmt::format("      32'd{}: csr_readable = 1'b1;\n", row.number);
    if (row.is_volatile) is_volatile += fmt::format("      10'd{}: csr_volatile = 1'b1;\n", row.number);
  }
  return numbers +
         "\n  function automatic logic csr_readable(input logic [31:0] number);\n    case (number)\n" +
         readable +
         "      default: csr_readable = 1'b0;\n    endcase\n  endfunction\n"
         "\n  function automatic logic csr_volatile(input logic [9:0] number);\n    case (number)\n" +
         is_volatile + "      default: csr_volatile = 1'b0;\n    endcase\n  endfunction\n";
}

std::string codes() {
  std::string text = "\n  // Codes.\n";
  constexpr std::array spaces{"NONE", "SREG", "PREG", "MREG",     "VREG",
                              "SMEM", "VMEM", "ACC",  "FLAG_ADD", "FLAG_SET"};
  static_assert(spaces.size() == static_cast<std::size_t>(Space::flag_set) + 1);
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    text += fmt::format("  localparam logic [3:0] SPACE_{} = 4'd{};\n", spaces[i], i);
  }
  constexpr std::array parts{"F32", "LO", "HI", "", "B0", "B1", "B2", "B3"};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (*parts[i] == 0) continue;
    text += fmt::format("  localparam logic [2:0] PART_{} = 3'd{};\n", parts[i], i);
  }
  constexpr std::array forms{"VECTOR", "LO", "HI", "SCALAR"};
  for (std::size_t i = 0; i < forms.size(); ++i) {
    text += fmt::format("  localparam logic [1:0] FORM_{} = 2'd{};\n", forms[i], i);
  }
  constexpr std::array files{"S", "P", "M", "V"};  // RegisterFile, plus NONE
  for (std::size_t i = 0; i < files.size(); ++i) {
    text += fmt::format("  localparam logic [2:0] FILE_{} = 3'd{};\n", files[i], i);
  }
  text += "  localparam logic [2:0] FILE_NONE = 3'd7;\n";
  for (unsigned cause = 0; cause <= static_cast<unsigned>(TrapCause::machine_check); ++cause) {
    text += fmt::format("  localparam logic [7:0] TRAP_{} = 8'd{};\n",
                        upper(trap_name(static_cast<TrapCause>(cause))), cause);
  }
  for (const CounterRow& row : stall_causes()) {
    text += fmt::format("  localparam logic [4:0] CAUSE_{} = 5'd{};\n", upper(row.name), row.number);
  }
  for (const CounterRow& row : counted_events()) {
    text += constant("EVENT_" + upper(row.name), row.number);
  }
  text += constant("CAUSES", static_cast<std::uint32_t>(stall_causes().size()));
  text += constant("EVENTS", static_cast<std::uint32_t>(counted_events().size()));
  return text;
}

std::string sizes() {
  std::string text = "  // Sizes and timing.\n";
  text += constant("SUBLANES", sublanes) + constant("SREGS", scalar_registers);
  text += constant("PREGS", predicate_registers) + constant("VREGS", vector_registers);
  text += constant("MREGS", mask_registers) + constant("ACCS", accumulators);
  text += constant("FLAGS", sync_flags) + constant("VMEM_BANKS", vmem_banks);
  text += constant("BUNDLE_BYTES", bundle_bytes);
  text += constant("DESCRIPTOR_WORDS", descriptor_words);
  text += constant("BURST_LIMIT_BYTES", static_cast<std::uint32_t>(burst_limit_bytes));
  for (const TimingRow& row : timing_table) text += constant("T_" + upper(row.name), row.cycles);
  return text;
}

}  // namespace

std::string verilog_package() {
  std::string text =
      "// Generated by tandem_emit from the tables of isa/; do not edit.\n"
      "/* verilator lint_off UNUSED */      // each user takes some of the constants\n"
      "/* verilator lint_off CASEINCOMPLETE */\n"
      "package tpu_pkg;\n";
  text += sizes() + slots() + fields() + opcodes() + codes() + csr_functions();
  for (const SlotType& type : slot_types) {
    text += legal_function(type) + destination_functions(type) + read_functions(type);
  }
  return text + "endpackage\n";
}

}  // namespace tandem::emit
