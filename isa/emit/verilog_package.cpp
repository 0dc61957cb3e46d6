// rtl/packages/tpu_pkg.sv: everything the RTL knows about encodings, so that no opcode and no field
// position is written by hand there.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

#include "isa/descriptor.hpp"
#include "isa/emit/emit.hpp"
#include "isa/emit/verilog_text.hpp"
#include "isa/registers/registers.hpp"
#include "isa/state/retire.hpp"
#include "isa/timing.hpp"

namespace tandem::emit {
namespace {

std::string constant(std::string_view name, std::uint32_t value) {
  return fmt::format("  localparam int unsigned {} = {};\n", name, value);
}

// Names by code; "" for a code without a meaning.
template <std::size_t Count>
std::string coded(std::string_view type, unsigned width,
                  const std::array<std::string_view, Count>& names) {
  std::vector<Enumerator> values;
  for (std::size_t code = 0; code < Count; ++code) {
    if (names[code].empty()) continue;
    values.push_back(
        {upper(fmt::format("{}_{}", type, names[code])), static_cast<std::uint32_t>(code)});
  }
  return enumeration(type, width, values);
}

std::string sizes() {
  std::string text = "  // Sizes and timing.\n";
  text += constant("SUBLANES", sublanes) + constant("SREGS", scalar_registers);
  text += constant("PREGS", predicate_registers) + constant("VREGS", vector_registers);
  text += constant("MREGS", mask_registers) + constant("ACCS", accumulators);
  text += constant("FLAGS", sync_flags) + constant("FLAG_W", std::bit_width(sync_flags - 1));
  text += constant("VMEM_BANKS", vmem_banks);
  text += constant("BUNDLE_BYTES", bundle_bytes);
  text += constant("DESCRIPTOR_WORDS", descriptor_words);
  text += constant("BURST_LIMIT_BYTES", static_cast<std::uint32_t>(burst_limit_bytes));
  for (const TimingRow& row : timing_table) {
    text += constant("TIMING_" + upper(row.name), row.value);
  }
  return text;
}

std::string slots() {
  std::string text = "\n  // Slots: number, first bit in the bundle, width.\n";
  for (std::size_t i = 0; i < slot_count; ++i) {
    const std::string name = "SLOT_" + upper(slot_layouts[i].name);
    text += fmt::format("  localparam logic [3:0] {} = 4'd{};\n", name, i);
    text += constant(name + "_LSB", slot_layouts[i].lsb);
    text += constant(name + "_WIDTH", slot_layouts[i].width);
  }
  return text;
}

// One type for the slots that share operations: in other slots the same number means something
// else.
std::string opcodes() {
  std::map<std::string_view, std::vector<Enumerator>> kinds;
  for (const Instruction& row : instructions) {
    kinds[opcode_kind(row.group)].push_back({"OP_" + upper(row.name), row.opcode});
  }
  std::string text = "\n  // Opcodes.\n";
  for (const auto& [kind, values] : kinds) text += enumeration(kind, 8, values);
  return text;
}

std::string codes() {
  using Names = std::array<std::string_view, 10>;
  std::string text = "\n  // Codes.\n";
  text += coded(
      "space", 4,
      Names{"NONE", "SREG", "PREG", "MREG", "VREG", "SMEM", "VMEM", "ACC", "FLAG_ADD", "FLAG_SET"});
  text += coded("part", 3,
                std::array<std::string_view, 8>{"F32", "LO", "HI", "", "B0", "B1", "B2", "B3"});
  text += coded("form", 2, std::array<std::string_view, 4>{"VECTOR", "LO", "HI", "SCALAR"});
  std::vector<Enumerator> traps;
  for (unsigned cause = 0; cause <= static_cast<unsigned>(TrapCause::machine_check); ++cause) {
    traps.push_back({"TRAP_" + upper(trap_name(static_cast<TrapCause>(cause))), cause});
  }
  return text + enumeration("trap", 8, traps);
}

// The function "type_of". Bits become names only by a cast; not every tool accepts them without
// one.
std::string from_bits(std::string_view type, unsigned width) {
  return fmt::format(
      "  function automatic {0}_e {0}_of(input logic [{1}:0] bits);\n    {0}_of = `AS_ENUM({0}_e, "
      "bits);\n"
      "  endfunction\n",
      type, width - 1);
}

// The words of a copy descriptor: a field that fills its word by the word's number, smaller ones by
// their bits; and, by rule, the words or bits that it applies to.
std::string descriptor() {
  std::string text = "\n  // Copy descriptors.\n";
  DescriptorWords zero{};
  std::uint32_t counts = 0;
  std::uint32_t aligned = 0;
  for (const DescriptorField& field : descriptor_fields) {
    const std::string name = "DESC_" + upper(field.name);
    text += fmt::format("  localparam logic [3:0] {} = 4'd{};\n", name, field.word);
    if (field.width != 32) {
      text += constant(name + "_LSB", field.word * 32U + field.lsb);
      text += constant(name + "_WIDTH", field.width);
    }
    const std::uint32_t bit = 1U << field.word;
    if (field.rule == DescriptorRule::zero) set_field(zero, field, ~0U);
    if (field.rule == DescriptorRule::count || field.rule == DescriptorRule::bytes) counts |= bit;
    if (field.rule == DescriptorRule::address || field.rule == DescriptorRule::bytes ||
        field.rule == DescriptorRule::stride) {
      aligned |= bit;
    }
  }
  text += fmt::format("  localparam logic [15:0] DESC_NOT_NEGATIVE = 16'h{:04x};\n", counts);
  text += fmt::format("  localparam logic [15:0] DESC_ALIGNED = 16'h{:04x};\n", aligned);
  text += fmt::format("  localparam logic [31:0] DESC_ZERO_BITS = 32'h{:08x};  // of word 0\n",
                      zero[0]);
  return text + coded("memory", 2, space_names) + from_bits("memory", 2);
}

std::string register_bits() {
  std::string text = "\n  // Bits of host registers.\n";
  for (const RegisterBit& row : register_bit_table) {
    text += constant("BIT_" + upper(row.register_name) + "_" + upper(row.name), row.bit);
  }
  return text;
}

std::string counters() {
  std::string text = "\n  // Counters.\n";
  std::vector<Enumerator> causes;
  for (const CounterRow& row : stall_causes()) {
    causes.push_back({"CAUSE_" + upper(row.name), row.number});
  }
  const auto width = static_cast<unsigned>(std::bit_width(causes.size() - 1));
  text += enumeration("cause", width, causes) + from_bits("cause", width);
  for (const CounterRow& row : counted_events()) {
    text += constant("EVENT_" + upper(row.name), row.number);
  }
  text += constant("CAUSE_COUNT", static_cast<std::uint32_t>(stall_causes().size()));
  text += constant("EVENT_COUNT", static_cast<std::uint32_t>(counted_events().size()));
  text += fmt::format("  localparam logic [9:0] REG_CAUSE_BASE = 10'd{};\n", cause_base);
  text += fmt::format("  localparam logic [9:0] REG_EVENT_BASE = 10'd{};\n", event_base);
  return text;
}

std::string register_numbers() {
  std::string readable;
  std::string is_volatile;
  std::string text = "\n  // Registers: host address / 4 and CSR number.\n";
  for (const Register& row : registers()) {
    text += fmt::format("  localparam logic [9:0] REG_{} = 10'd{};\n", upper(row.name), row.number);
    if (!row.program_readable) continue;
    readable += fmt::format("      32'd{}: csr_readable = 1'b1;\n", row.number);
    if (row.is_volatile) {
      is_volatile += fmt::format("      32'd{}: csr_volatile = 1'b1;\n", row.number);
    }
  }
  constexpr std::string_view head =
      "\n  function automatic logic {0}(input logic [31:0] number);\n"
      "    case (number)\n{1}      default: {0} = 1'b0;\n"
      "    endcase\n  endfunction\n";
  return text + fmt::format(fmt::runtime(head), "csr_readable", readable) +
         fmt::format(fmt::runtime(head), "csr_volatile", is_volatile);
}

bool has_kind(const Instruction& row, OperandKind kind) {
  return std::any_of(row.operands.begin(), row.operands.end(),
                     [kind](const Operand* operand) { return operand->kind == kind; });
}

// Operations of the vector ALU beyond single elements, by their operands: logic of masks alone,
// counts of a mask, movement between sublanes.
std::string valu_functions() {
  std::string mask_logic;
  std::string counts;
  std::string moves;
  for (const Instruction& row : instructions) {
    if (row.group != Group::valu) continue;
    const std::string line = fmt::format("      OP_{}: {{}} = 1'b1;\n", upper(row.name));
    const bool elements = has_kind(row, OperandKind::vsource) || has_kind(row, OperandKind::vreg);
    if (has_kind(row, OperandKind::sreg))
      counts += fmt::format(fmt::runtime(line), "valu_counts");
    else if (!elements)
      mask_logic += fmt::format(fmt::runtime(line), "valu_mask_logic");
    if (has_kind(row, OperandKind::scalar_imm)) {
      moves += fmt::format(fmt::runtime(line), "valu_moves");
    }
  }
  constexpr std::string_view head =
      "\n  function automatic logic {0}(input valu_op_e op);\n"
      "    case (op)\n{1}      default: {0} = 1'b0;\n"
      "    endcase\n  endfunction\n";
  return fmt::format(fmt::runtime(head), "valu_mask_logic", mask_logic) +
         fmt::format(fmt::runtime(head), "valu_counts", counts) +
         fmt::format(fmt::runtime(head), "valu_moves", moves);
}

}  // namespace

std::string enumeration(std::string_view type, unsigned width,
                        const std::vector<Enumerator>& values) {
  std::string text;
  for (const Enumerator& entry : values) {
    text +=
        fmt::format("{}    {} = {}'d{}", text.empty() ? "" : ",\n", entry.name, width, entry.value);
  }
  return fmt::format("  typedef enum logic [{}:0] {{\n{}\n  }} {}_e;\n", width - 1, text, type);
}

std::string verilog_package() {
  return "// Generated by tandem_emit from the tables of isa/; do not edit.\n"
         "/* verilator lint_off UNUSED */  // each user takes some of the constants and bits\n"
         "`ifdef YOSYS  // 0.23 has no casts to enumerations, and wants none\n"
         "  `define AS_ENUM(type_name, bits) bits\n"
         "`else\n"
         "  `define AS_ENUM(type_name, bits) type_name'(bits)\n"
         "`endif\n"
         "package tpu_pkg;\n" +
         sizes() + slots() + opcodes() + codes() + descriptor() + counters() + register_numbers() +
         register_bits() + valu_functions() + decode_functions() + "endpackage\n`undef AS_ENUM\n";
}

}  // namespace tandem::emit
