// `.linear` to `.endlinear`: the operations between are read into the form of
// schedule/program/linear.hpp; at the end of the block they become bundles.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "assembler/bundle.hpp"
#include "assembler/context.hpp"
#include "schedule/program/linear.hpp"

namespace tandem::assembly {

// What schedule::LinearOperation::tag stands for.
struct LinearSource {
  Span where;
  PendingConstant pending;
  FrameId frame = no_frame;
  Touch touch;
};

struct LinearLabel {
  SymbolId symbol = no_symbol;
  Span where;
};

struct LinearHint {
  SymbolId symbol = no_symbol;
  Span where;
  schedule::Hint hint;  // without its label
};

struct LinearState {
  Span opened;
  schedule::LinearBlock block;
  std::vector<LinearSource> sources;  // by tag
  std::vector<LinearLabel> labels;    // as block.labels
  std::vector<LinearHint> hints;      // by label, in the order of their first mention
  std::unordered_set<SymbolId> label_symbols;
  std::vector<Span> mentions;  // of each virtual register: the first
  std::vector<Span> typed;     // of each: the use that told its file
  std::unordered_map<std::string_view, schedule::VirtualId> names;
  FrameId said = no_frame;  // by the last .loc; without lines of the text it goes on
  // Of `.touches`: for operations that touch VMEM or copy, and those that touch SMEM.
  BufferId vmem_buffer = no_buffer;
  BufferId smem_buffer = no_buffer;
  bool broken = false;  // an operation is missing, so what seems wrong may not be

  [[nodiscard]] bool knows(std::string_view name) const { return names.count(name) != 0; }
};

// The virtual register of this name, made when there is none.
schedule::VirtualId virtual_named(LinearState& state, std::string_view name, const Span& where);
// Says of which file it is; false (reported) when it is of another.
bool require_file(Context& context, schedule::VirtualId id, File file, const Span& where);

void add_linear_operation(Context& context, const PlacedOperation& operation, const Buffer& buffer,
                          std::uint32_t line);
// `.disjoint %a, %b`: reads the registers, from the first on.
bool add_disjoint(Context& context, Lexer& lexer);
// `label`: the hint of a label of the block, from the label on; nullptr (reported) when there is
// none.
schedule::Hint* hint_for(Context& context, Lexer& lexer);
bool add_linear_label(Context& context, const Span& name);
// Makes bundles of the block that is open.
void finish_linear(Context& context);

}  // namespace tandem::assembly
