// The state shared by the stages of one assembly.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "assembler/assembler.hpp"
#include "assembler/symbols.hpp"
#include "assembler/text/complaints.hpp"
#include "assembler/text/source.hpp"
#include "assembler/text_watch.hpp"
#include "isa/encoding.hpp"
#include "isa/object/object.hpp"

namespace tandem::assembly {

struct Macro {
  struct Parameter {
    std::string_view name;
    std::string_view fallback;
    bool has_fallback = false;
  };
  std::string_view name;
  std::vector<Parameter> parameters;
  std::string_view body;
  const Buffer* buffer = nullptr;  // that holds the body
  std::uint32_t first_line = 1;    // of the body, in its file
};

// A value that could not be stored when it was read because the address of a symbol was not known.
struct Fixup {
  std::uint64_t offset = 0;  // as in Relocation
  Value value;
  RelocationKind kind = RelocationKind::operand;
  bool in_text = true;
  Span where;
  bool inside_linear = false;  // a branch of a linear block to a label of its own
};

// A definition by `.equ`, `.set` or `.reg`, and the bundle that it precedes.
struct Given {
  SymbolId name = no_symbol;
  std::uint32_t from = 0;
  std::string_view register_name;  // empty for a number
  Value value;
};

struct LinearState;  // assembler/linear/linear.hpp

// Limits that keep a hostile text from exhausting the machine.
inline constexpr std::size_t max_bundles = std::size_t{1} << 24U;
inline constexpr std::size_t max_data_bytes = std::size_t{1} << 28U;
inline constexpr std::size_t max_expanded_bytes = std::size_t{1} << 29U;  // see charge_expansion()
inline constexpr std::uint32_t max_depth = 100;  // of expansions and includes

// The buffers that an operation reads and writes, from `.touch`.
struct Touch {
  BufferId reads = no_buffer;
  BufferId writes = no_buffer;

  [[nodiscard]] bool says_something() const { return reads != no_buffer || writes != no_buffer; }
};
// Of each slot: none, one, or several, which the operation may touch all.
using SlotTouches = std::array<std::vector<Touch>, slot_count>;
// For the operations of a bundle, in bundle order.
void add_touches(Object& object, std::uint32_t pc, const SlotTouches& touches);

struct Context {
  explicit Context(const AssembleOptions& assemble_options)
      : options(assemble_options),
        reporter(assemble_options.error_limit, assemble_options.warnings) {
    if (!options.warnings.empty()) watch.emplace();
  }

  const AssembleOptions& options;
  Reporter reporter;
  Sources sources;
  SymbolTable symbols;
  Object object;
  std::vector<Fixup> fixups;
  std::unordered_map<std::string_view, Macro> macros;

  std::vector<Given> given;       // with a line table
  std::vector<Span> declared;     // where each of object.functions was first declared
  std::vector<Span> size_names;   // in sizes that are made of others
  std::deque<std::string> names;  // of symbols that stand in no text

  const Parameters* preset = nullptr;  // fixed by .target or by the first use of a parameter
  Place section = Place::text;
  bool automatic_lines = true;  // until `.lines off`
  SourceTableBuilder source;
  // From .loc, for the next bundle, and for the operations of its slots.
  FrameId explicit_frame = no_frame;
  std::array<FrameId, slot_count> explicit_slots{};
  std::string_view explicit_file;  // that .loc named last
  // From .touch, likewise.
  Touch touch;
  SlotTouches slot_touches{};
  bool has_entry = false;
  Value entry;  // of .entry
  Span entry_where;
  std::optional<TextWatch> watch;       // when warnings are wanted
  std::shared_ptr<LinearState> linear;  // the open linear block
  std::uint32_t expansion_number = 0;   // what \@ stands for
  std::size_t expanded_bytes = 0;

  // Fixes the preset to the default when none has been named yet.
  const Parameters& parameters();
};

}  // namespace tandem::assembly
