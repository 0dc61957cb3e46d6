// `.linear` to `.endlinear`: the operations between them are read into the form of
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

// The meaning of schedule::LinearOperation::tag.
struct LinearSource {
  Span where;
  PendingConstant pending;
  FrameId frame = no_frame;
  Touch touch;
  std::uint32_t given = 0;  // of LinearState::given: what else a copy may touch
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
  std::vector<Span> typed;     // of each: the use that determined its file
  std::unordered_map<std::string_view, schedule::VirtualId> names;
  FrameId said = no_frame;  // by the last .loc; with `.lines off` it stays in effect
  // From `.touches`: for operations that touch VMEM or copy, and for those that touch SMEM.
  BufferId vmem_buffer = no_buffer;
  BufferId smem_buffer = no_buffer;
  std::vector<std::vector<Touch>> given{{}};  // of each `.touches`, for copies; the first is empty
  bool broken = false;  // an operation is missing, so later complaints may be wrong

  [[nodiscard]] bool knows(std::string_view name) const { return names.count(name) != 0; }
};

// The virtual register of this name, created if needed.
schedule::VirtualId virtual_named(LinearState& state, std::string_view name, const Span& where);
// Sets its file; false (reported) when it has another.
bool require_file(Context& context, schedule::VirtualId id, File file, const Span& where);

void add_linear_operation(Context& context, const PlacedOperation& operation, const Buffer& buffer,
                          std::uint32_t line);
// `.disjoint %a, %b`: reads the registers, starting at the first.
bool add_disjoint(Context& context, Lexer& lexer);
// `label`: reads a label of the block and returns its hint; nullptr (reported) when there is none.
schedule::Hint* hint_for(Context& context, Lexer& lexer);
bool add_linear_label(Context& context, const Span& name);
// Makes bundles from the open block.
void finish_linear(Context& context);

}  // namespace tandem::assembly
