// The symbols of one text. Names are views into buffers, which outlive the table.
#pragma once

#include <string_view>
#include <vector>

#include "assembler/expressions/value.hpp"
#include "assembler/text/source.hpp"
#include "isa/object/object.hpp"

namespace tandem::assembly {

enum class SymbolKind : std::uint8_t {
  unknown,         // mentioned, not (yet) defined
  imported,        // .extern
  label,           // a place
  constant,        // .equ and .set; `value` may depend on other symbols
  register_alias,  // .reg; `name_of` is the register
  tensor,          // the bare name of a tensor, which has no meaning in an expression
};

struct SymbolEntry {
  std::string_view name;
  SymbolKind kind = SymbolKind::unknown;
  Place place = Place::undefined;  // of a label
  bool global = false;
  bool redefinable = false;        // .set
  bool from_command_line = false;  // wins over the text's own .equ
  bool used = false;               // by an expression
  bool inside_linear = false;      // a label in a linear block, not at its beginning
  std::uint64_t offset = 0;        // of a label, in the unit of its place
  Value value;                     // of a constant
  std::string_view name_of;        // of a register alias
  Span defined;                    // where it was defined or first mentioned
};

class SymbolTable {
 public:
  SymbolTable();

  // The symbol of this name, created if needed. `name` must outlive the table.
  SymbolId intern(std::string_view name);
  // no_symbol when the name was never mentioned.
  [[nodiscard]] SymbolId find(std::string_view name) const;
  SymbolEntry& operator[](SymbolId id) { return entries_[id]; }
  const SymbolEntry& operator[](SymbolId id) const { return entries_[id]; }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

 private:
  [[nodiscard]] std::size_t bucket_of(std::string_view name) const;
  void grow();

  std::vector<SymbolEntry> entries_;
  std::vector<SymbolId> buckets_;  // open addressing; the size is a power of two
};

}  // namespace tandem::assembly
