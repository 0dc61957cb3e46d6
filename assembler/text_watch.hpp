// Reads the operations of a text once more as they are assembled, in the order in which they are
// written, and warns of unreachable code and of values that are never read. A text written by a
// program (`.lines off`) has no author to warn.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "assembler/text/source.hpp"
#include "isa/analysis/effects.hpp"

namespace tandem::assembly {

struct Context;
struct PlacedOperation;

class TextWatch {
 public:
  // A label, or another point that control may reach.
  void place();
  // Any register may be read: the code that follows is not seen.
  void forget();
  // Operations that execute together: a bundle, or one operation of a linear block. Reads come
  // before writes.
  void together(Context& context, std::span<const PlacedOperation> operations);
  // At the end: warnings that depend on the whole text.
  void finish(Context& context) const;

 private:
  void read(const PlacedOperation& operation, const Effects& effects);
  void write(Context& context, const PlacedOperation& operation, const Effects& effects);
  void control(const PlacedOperation& operation, const Effects& effects);

  std::unordered_map<std::uint64_t, Span> unread_;  // by register: a write not read yet
  bool reachable_ = true;
  bool numbers_are_targets_ = false;  // some branch goes to a number: to any bundle
  std::vector<Span> unreachable_;
};

// Labels and tensors that nothing names. After all has been read.
void warn_of_unused(Context& context);

}  // namespace tandem::assembly
