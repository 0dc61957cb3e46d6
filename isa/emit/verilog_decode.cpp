// The decode functions of rtl/packages/tpu_pkg.sv. `b` is a slot's bits, 32-bit slots extended with
// zeros.
#include <fmt/format.h>

#include <map>
#include <set>

#include "isa/emit/verilog_text.hpp"
#include "isa/text/text.hpp"

namespace tandem::emit {
namespace {

struct NamedOperand {
  std::string_view name;
  const Operand* operand;
};

#define NAMED(name) \
  NamedOperand { #name, &operand::name }
constexpr auto named_operands = std::to_array<NamedOperand>({
    NAMED(sd),       NAMED(sa),           NAMED(sbi),        NAMED(sst_value),  NAMED(pd),
    NAMED(pa),       NAMED(pb),           NAMED(pc),         NAMED(label),      NAMED(code),
    NAMED(csr_name), NAMED(ssti_address), NAMED(ssti_value), NAMED(smem_load),  NAMED(smem_store),
    NAMED(vd),       NAMED(vx),           NAMED(vy),         NAMED(md),         NAMED(ma),
    NAMED(mb),       NAMED(vsd),          NAMED(byte),       NAMED(sub_n),      NAMED(ld_d),
    NAMED(st_x),     NAMED(ld_address),   NAMED(ld_word),    NAMED(st_address), NAMED(ls_mask),
    NAMED(ls_rows),  NAMED(ls_stride),    NAMED(ls_index),   NAMED(ls_bound),   NAMED(mx_bf16),
    NAMED(mx_s8),    NAMED(mx_any),       NAMED(acc_write),  NAMED(acc_read),   NAMED(wrow),
    NAMED(mx_rows),  NAMED(mx_add),       NAMED(mx_swap),    NAMED(mx_d),       NAMED(xd),
    NAMED(xsd),      NAMED(xx),           NAMED(xn),         NAMED(xindex),     NAMED(desc),
    NAMED(src_off),  NAMED(dst_off),      NAMED(flag_wait),  NAMED(flag_write), NAMED(flag_n),
});
#undef NAMED

constexpr std::array<std::string_view, 13> latency_names{
    "scalar",   "scalar_load", "control", "valu", "load", "store", "push",
    "multiply", "acc_read",    "eup",     "xlu",  "copy", "wait"};
static_assert(static_cast<std::size_t>(Latency::wait) + 1 == latency_names.size());

std::string typed_function(std::string_view name, std::string_view type, std::string_view body) {
  return fmt::format("  function automatic {} {}(input logic [63:0] b);\n{}  endfunction\n", type,
                     name, body);
}

std::string function(std::string_view name, unsigned width, std::string_view body) {
  const std::string range = width == 1 ? "" : fmt::format(" [{}:0]", width - 1);
  return typed_function(name, "logic" + range, body);
}

// A field with an enumerated type, whose bits become names.
std::string enumerated_getter(std::string_view name, std::string_view type, BitField bits) {
  return typed_function(name, fmt::format("{}_e", type),
                        fmt::format("    {} = `AS_ENUM({}_e, {});\n", name, type, slice(bits)));
}

std::string opcode_functions() {
  std::set<std::string_view> kinds;
  for (const Instruction& row : instructions) kinds.insert(opcode_kind(row.group));
  std::string text;
  for (const std::string_view kind : kinds) text += enumerated_getter(kind, kind, opcode_field);
  return text;
}

std::string getter(std::string_view name, BitField bits, bool is_signed) {
  if (bits.width == 0) return {};
  const unsigned width = is_signed ? 32 : bits.width;
  const std::string value = is_signed && bits.width < 32
                                ? fmt::format("{{{{{}{{b[{}]}}}}, {}}}", 32 - bits.width,
                                              bits.lsb + bits.width - 1, slice(bits))
                                : slice(bits);
  return function(name, width, fmt::format("    {} = {};\n", name, value));
}

std::string extra_getter(std::string_view name, const Operand& operand) {
  if (operand.kind == OperandKind::vsource) return enumerated_getter(name, "form", operand.extra);
  if (operand.kind == OperandKind::part) return enumerated_getter(name, "part", operand.extra);
  return getter(name, operand.extra, false);
}

// Unsigned constants are extended to 32 bits as well, because addresses are computed with them.
std::string constant_getter(std::string_view name, const Operand& operand) {
  if (operand.imm.width == 0) return {};
  if (operand.imm_signed) return getter(name, operand.imm, true);
  return function(
      name, 32,
      fmt::format("    {} = {{{}'d0, {}}};\n", name, 32 - operand.imm.width, slice(operand.imm)));
}

std::string getters() {
  std::string text = "\n  // Fields of a slot.\n";
  text += opcode_functions() + getter("predicate_value", predicate_field, false);
  text += getter("predicate_negate", predicate_negate_field, false);
  for (const NamedOperand& item : named_operands) {
    const std::string name(item.name);
    const bool is_signed = item.operand->kind == OperandKind::stride;
    text += getter(name + "_value", item.operand->value, is_signed);
    text += extra_getter(name + "_extra", *item.operand);
    text += getter(name + "_select", item.operand->select, false);
    text += constant_getter(name + "_imm", *item.operand);
  }
  return text;
}

// "!b[31] && " for an operand that a select bit makes a constant.
std::string is_register(const Operand& operand) {
  return operand.select.width == 0 ? "" : fmt::format("!{} && ", slice(operand.select));
}

std::string allowed_codes(const Operand& operand) {
  std::string any;
  for (unsigned code = 0; code < 8; ++code) {
    if (((operand.allowed >> code) & 1U) == 0) continue;
    any += fmt::format("{}{} == 3'd{}", any.empty() ? "" : " || ", slice(operand.extra), code);
  }
  return any;
}

// One operand's requirements on the bits: those it uses, and which codes are allowed.
struct Legality {
  std::uint64_t used = 0;
  std::string statements;

  void add(const Operand& operand) {
    if (operand.select.width != 0) {
      used |= mask_of(operand.select);
      statements +=
          fmt::format(" used = used | ({} ? 64'h{:x} : 64'h{:x});", slice(operand.select),
                      mask_of(operand.imm), mask_of(operand.value) | mask_of(operand.extra));
      return check(operand);
    }
    used |= mask_of(operand.extra);
    if (operand.kind == OperandKind::scalar_imm) {
      statements += fmt::format(" used = used | ({} ? 64'h{:x} : 64'h{:x});", slice(operand.extra),
                                mask_of(operand.imm), mask_of(operand.value));
      return;
    }
    used |= mask_of(operand.value) | mask_of(operand.imm);
    check(operand);
  }

 private:
  void check(const Operand& operand) {
    if (operand.kind == OperandKind::part) {
      statements += fmt::format(" ok = ok & ({});", allowed_codes(operand));
    } else if (operand.kind == OperandKind::vsource) {
      statements += fmt::format(" ok = ok & !({}{} == FORM_SCALAR && b[{}]);", is_register(operand),
                                slice(operand.extra), operand.value.lsb + operand.value.width - 1);
    } else if (operand.kind == OperandKind::csr) {
      statements += fmt::format(" ok = ok & csr_readable({});", slice(operand.value));
    }
  }
};

std::string legality_case(const Instruction& row) {
  Legality legality;
  legality.used =
      mask_of(opcode_field) | mask_of(predicate_field) | mask_of(predicate_negate_field);
  for (const Operand* operand : row.operands) legality.add(*operand);
  return fmt::format("      OP_{}: begin used = 64'h{:x};{} end\n", upper(row.name), legality.used,
                     legality.statements);
}

std::string legal_function(Slot slot, std::string_view slot_text) {
  std::string cases;
  for (const Instruction& row : instructions) {
    if (slot_accepts(slot, row.group)) cases += legality_case(row);
  }
  return function(fmt::format("legal_{}", slot_text), 1,
                  fmt::format("    logic [63:0] used;\n    logic ok;\n    ok = 1'b1;\n"
                              "    used = 64'h0;\n    case (b[7:0])\n      8'h00: used = 64'h0;\n"
                              "{}      default: ok = 1'b0;\n    endcase\n"
                              "    legal_{} = ok & ((b & ~used) == 64'h0);\n",
                              cases, slot_text));
}

// The condition under which the operand reads (or writes) a register of this file; "" for never.
std::string touches(const Operand& operand, char file, bool writes) {
  if (is_destination(operand) != writes) return {};
  if (operand.kind == OperandKind::vsource) {
    if (file != 's' && file != 'v') return {};
    return fmt::format("{}{} {} FORM_SCALAR", is_register(operand), slice(operand.extra),
                       file == 's' ? "==" : "!=");
  }
  if (operand.kind == OperandKind::flag) return file == 's' && !writes ? "1'b1" : "";
  const auto named = register_file(operand.kind);
  if (!named || file_letter(*named) != file) return {};
  if (operand.kind == OperandKind::scalar_imm) return fmt::format("!{}", slice(operand.extra));
  return "1'b1";
}

struct FileShape {
  char letter;
  unsigned registers;
};

// One bit for every register of a file that the slot reads or writes, whatever its predicate. Rows
// of the same shape share a case branch.
std::string register_set(Slot slot, std::string_view slot_text, FileShape file, bool writes) {
  const std::string name =
      fmt::format("{}{}_{}", file.letter, writes ? "writes" : "reads", slot_text);
  const unsigned index_width = file.registers == 64 ? 6 : file.registers == 32 ? 5 : 3;
  std::map<std::string, std::string> branches;  // statements -> opcodes
  for (const Instruction& row : instructions) {
    if (!slot_accepts(slot, row.group)) continue;
    std::string statements;
    for (const Operand* operand : row.operands) {
      const std::string condition = touches(*operand, file.letter, writes);
      if (condition.empty()) continue;
      const BitField field = operand->kind == OperandKind::flag ? operand->extra : operand->value;
      const BitField number{field.lsb, static_cast<std::uint8_t>(index_width)};
      statements += fmt::format(" if ({}) set[{}] = 1'b1;", condition, slice(number));
    }
    if (statements.empty()) continue;
    std::string& opcodes = branches[statements];
    opcodes += fmt::format("{}OP_{}", opcodes.empty() ? "" : ", ", upper(row.name));
  }
  std::string cases;
  for (const auto& [statements, opcodes] : branches) {
    cases += fmt::format("      {}: begin{} end\n", opcodes, statements);
  }
  const std::string discard =
      writes && file.letter != 'v' ? "    set[0] = 1'b0;  // discarded\n" : "";
  const std::string selection =
      cases.empty() ? ""
                    : fmt::format("    case (b[7:0])\n{}      default: ;\n    endcase\n", cases);
  return function(name, file.registers,
                  fmt::format("    logic [{0}:0] set;\n    set = {1}'d0;\n{2}{3}    {4} = set;\n",
                              file.registers - 1, file.registers, selection, discard, name));
}

std::string latency_function(Slot slot, std::string_view slot_text) {
  std::map<std::string_view, std::string> branches;
  for (const Instruction& row : instructions) {
    if (!slot_accepts(slot, row.group)) continue;
    std::string& opcodes = branches[latency_names[static_cast<std::size_t>(row.latency)]];
    opcodes += fmt::format("{}OP_{}", opcodes.empty() ? "" : ", ", upper(row.name));
  }
  const std::string name = fmt::format("latency_{}", slot_text);
  std::string cases;
  for (const auto& [latency, opcodes] : branches) {
    cases += fmt::format("      {}: {} = LATENCY_{};\n", opcodes, name, upper(latency));
  }
  return typed_function(name, "latency_e",
                        fmt::format("    case (b[7:0])\n{}      default: {} = LATENCY_CONTROL;\n"
                                    "    endcase\n",
                                    cases, name));
}

std::string_view space_name(OperandKind kind) {
  switch (*register_file(kind)) {
    case RegisterFile::s: return "SREG";
    case RegisterFile::p: return "PREG";
    case RegisterFile::m: return "MREG";
    case RegisterFile::v: return "VREG";
  }
  return "NONE";
}

// The register file that an opcode of the slot writes.
std::string space_function(Slot slot, std::string_view slot_text) {
  std::map<std::string_view, std::string> branches;
  for (const Instruction& row : instructions) {
    if (!slot_accepts(slot, row.group)) continue;
    for (const Operand* operand : row.operands) {
      if (!is_destination(*operand)) continue;
      std::string& opcodes = branches[space_name(operand->kind)];
      opcodes += fmt::format("{}OP_{}", opcodes.empty() ? "" : ", ", upper(row.name));
    }
  }
  const std::string name = fmt::format("space_{}", slot_text);
  std::string cases;
  for (const auto& [space, opcodes] : branches) {
    cases += fmt::format("      {}: {} = SPACE_{};\n", opcodes, name, space);
  }
  return typed_function(name, "space_e",
                        fmt::format("    case (b[7:0])\n{}      default: {} = SPACE_NONE;\n"
                                    "    endcase\n",
                                    cases, name));
}

}  // namespace

std::string slice(BitField bits) {
  return bits.width == 1 ? fmt::format("b[{}]", bits.lsb)
                         : fmt::format("b[{}:{}]", bits.lsb + bits.width - 1, bits.lsb);
}

std::string_view opcode_kind(Group group) {
  switch (group) {
    case Group::scalar:
    case Group::control:
    case Group::smem: return "scalar_op";
    case Group::valu: return "valu_op";
    case Group::load: return "load_op";
    case Group::store: return "store_op";
    case Group::matrix: return "matrix_op";
    case Group::cross: return "cross_op";
    case Group::dma: return "dma_op";
  }
  __builtin_unreachable();
}

std::string decode_functions() {
  std::string text = "\n  // Latency classes.\n";
  std::vector<Enumerator> latencies;
  latencies.reserve(latency_names.size());
  for (std::size_t i = 0; i < latency_names.size(); ++i) {
    latencies.push_back({"LATENCY_" + upper(latency_names[i]), static_cast<std::uint32_t>(i)});
  }
  text += enumeration("latency", 4, latencies);
  text += getters();
  constexpr std::array<FileShape, 4> files{{{'s', scalar_registers},
                                            {'p', predicate_registers},
                                            {'m', mask_registers},
                                            {'v', vector_registers}}};
  for (std::size_t index = 0; index < slot_count; ++index) {
    const auto slot = static_cast<Slot>(index);
    const std::string_view name = slot_layouts[index].name;
    text += fmt::format(
        "\n  // Slot {}: legality, registers read and written, latency class,\n  // file of the "
        "destination.\n",
        name);
    text += legal_function(slot, name);
    for (const FileShape& file : files) {
      text += register_set(slot, name, file, false) + register_set(slot, name, file, true);
    }
    text += latency_function(slot, name);
    text += space_function(slot, name);
  }
  return text;
}

}  // namespace tandem::emit
