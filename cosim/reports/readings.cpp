#include "cosim/reports/readings.hpp"

#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "isa/state/trap.hpp"
#include "isa/text/text.hpp"
#include "runtime/models/listing.hpp"

namespace tandem {
namespace {

std::string number_text(std::uint32_t word) {
  const auto low = static_cast<std::uint32_t>(word << 16U);
  const auto high = word & 0xffff0000U;
  return fmt::format("0x{:08x}  f32 {:g}  bf16 {:g} {:g}  s32 {}", word, std::bit_cast<float>(word),
                     std::bit_cast<float>(low), std::bit_cast<float>(high),
                     static_cast<std::int32_t>(word));
}

// "0x5: 0 2" with names in place of the numbers of the bits.
template <typename Name>
std::string bits_text(std::uint32_t word, unsigned width, Name name) {
  std::string text;
  for (unsigned bit = 0; bit < width; ++bit) {
    if (((word >> bit) & 1U) != 0) text += fmt::format(" {}", name(bit));
  }
  return fmt::format("{:#x}:{}", word, text.empty() ? " none" : text);
}

std::string slot_text(std::uint32_t number) {
  if (number >= slot_count) return fmt::format("{} (no slot)", number);
  return std::string(slot_name(static_cast<Slot>(number)));
}

std::string cause_text(std::uint32_t number) {
  const std::optional<std::string_view> name = cause_name(number);
  return name ? fmt::format("{} ({})", *name, number) : fmt::format("{} (no cause)", number);
}

std::string pc_text(std::uint32_t pc, const Image& image) {
  if (pc >= image.text.size()) return fmt::format("pc {} (not in the text)", pc);
  const std::string location = source_location(image, pc);
  return fmt::format("pc {}{}{}  {}", pc, location.empty() ? "" : "  ", location,
                     bundle_text(image.text[pc]));
}

std::string space_text(std::uint32_t number) {
  constexpr std::string_view names[] = {"nothing",    "a scalar",           "a predicate",
                                        "a mask",     "a vector",           "an SMEM word",
                                        "a VMEM row", "an accumulator row", "an addition to a flag",
                                        "a flag"};
  return number < std::size(names) ? std::string(names[number]) : fmt::format("{} (none)", number);
}

// Fields that are not values in a register or memory. The others are named and interpreted by their
// space.
struct FieldRow {
  CompareField field;
  Reading reading;
  std::string_view place;
};
constexpr FieldRow field_rows[] = {
    {CompareField::issue_sequence, Reading::count, "number of the bundle"},
    {CompareField::issue_pc, Reading::pc, "pc"},
    {CompareField::issue_bundle, Reading::word, "bundle"},
    {CompareField::issue_enabled, Reading::slots, "enabled slots"},
    {CompareField::issue_trap_cause, Reading::trap_cause, "trap cause"},
    {CompareField::issue_trap_slot, Reading::slot, "trap slot"},
    {CompareField::issue_trap_detail, Reading::word, "trap detail"},
    {CompareField::issue_next_pc, Reading::pc, "next pc"},
    {CompareField::issue_halted, Reading::predicate, "halt"},
    {CompareField::issue_extra, Reading::pc, "bundle after the end"},
    {CompareField::write_space, Reading::space, "kind of state"},
    {CompareField::write_index, Reading::count, "index"},
    {CompareField::write_lanes, Reading::bits, "lanes"},
    {CompareField::csr_volatile, Reading::predicate, "value depends on time"},
    {CompareField::copy_descriptor, Reading::word, "descriptor"},
    {CompareField::copy_source, Reading::word, "source"},
    {CompareField::copy_destination, Reading::word, "destination"},
    {CompareField::end_missing, Reading::pc, "next pc at the end"},
    {CompareField::end_status, Reading::status_register, "register status"},
    {CompareField::end_trap_cause, Reading::trap_cause_register, "register trap_cause"},
    {CompareField::end_trap_pc, Reading::pc, "register trap_pc"},
    {CompareField::end_trap_detail, Reading::word, "register trap_detail"},
    {CompareField::end_nothing, Reading::count, "bundles compared"},
    {CompareField::final_preg, Reading::predicates, "p0 .. p7"},
};

const FieldRow* find_row(CompareField field) {
  for (const FieldRow& row : field_rows) {
    if (row.field == field) return &row;
  }
  return nullptr;
}

std::string status_text(std::uint32_t word) {
  constexpr std::string_view names[] = {"running", "halted", "trapped", "machine check", "error"};
  return bits_text(word, 5, [&names](unsigned bit) { return names[bit]; });
}

}  // namespace

Reading reading_of(const Mismatch& mismatch) {
  if (const FieldRow* row = find_row(mismatch.field)) return row->reading;
  if (mismatch.space == Space::preg) return Reading::predicate;
  if (mismatch.space == Space::mreg) return Reading::bits;
  const bool flag = mismatch.space == Space::flag_add || mismatch.space == Space::flag_set;
  return flag ? Reading::count : Reading::number;
}

std::string reading_text(Reading reading, std::uint32_t word, const Image& image) {
  const auto number = [](unsigned bit) { return bit; };
  switch (reading) {
    case Reading::number: return number_text(word);
    case Reading::count: return fmt::format("{}", static_cast<std::int32_t>(word));
    case Reading::predicate: return (word & 1U) != 0 ? "true" : "false";
    case Reading::predicates:
      return bits_text(word, predicate_registers,
                       [](unsigned bit) { return fmt::format("p{}", bit); });
    case Reading::bits: return bits_text(word, 32, number);
    case Reading::pc: return pc_text(word, image);
    case Reading::slots:
      return bits_text(word, slot_count,
                       [](unsigned bit) { return slot_name(static_cast<Slot>(bit)); });
    case Reading::slot: return slot_text(word);
    case Reading::trap_cause: return cause_text(word);
    case Reading::trap_cause_register:
      return fmt::format("{:#x}: {} in slot {}", word, cause_text(word & 0xffU),
                         slot_text(word >> 8U & 0xfU));
    case Reading::status_register: return status_text(word);
    case Reading::space: return space_text(word);
    case Reading::word: return fmt::format("0x{:08x}", word);
  }
  __builtin_unreachable();
}

std::optional<std::string_view> cause_name(std::uint32_t number) {
  if (number > static_cast<std::uint32_t>(TrapCause::machine_check)) return std::nullopt;
  return trap_name(static_cast<TrapCause>(number));
}

std::string_view field_place(CompareField field) {
  const FieldRow* row = find_row(field);
  return row == nullptr ? compare_field(field).text : row->place;
}

}  // namespace tandem
