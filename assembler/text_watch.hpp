// Reads the operations of a text once more as they are assembled, in the order in which they are
// written, and warns of what cannot be reached and of values that nobody reads. A text that a
// program has written (`.lines off`) has no author to be warned.
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
  // A label, or something else that others may come to.
  void place();
  // Whatever is in registers may be read: what follows is not seen.
  void forget();
  // What executes together: a bundle, or one operation of a linear block. Reads come before writes.
  void together(Context& context, std::span<const PlacedOperation> operations);
  // At the end: what depends on the text as a whole.
  void finish(Context& context) const;

 private:
  void read(const PlacedOperation& operation, const Effects& effects);
  void write(Context& context, const PlacedOperation& operation, const Effects& effects);
  void control(const PlacedOperation& operation, const Effects& effects);

  std::unordered_map<std::uint64_t, Span> unread_;  // by register: a write that nobody has read yet
  bool reachable_ = true;
  bool numbers_are_targets_ = false;  // some branch goes to a number: any bundle may be its target
  std::vector<Span> unreachable_;
};

// Labels and tensors that nothing names. After all has been read.
void warn_of_unused(Context& context);

}  // namespace tandem::assembly
