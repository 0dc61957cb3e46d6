// Objects to a program. Nothing here throws on bad input: every complaint is a Diagnostic.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "isa/object/diagnostic.hpp"
#include "isa/object/object.hpp"

namespace tandem {

struct LinkResult {
  Object program;  // linked; meaningful when diagnostics is empty
  std::vector<Diagnostic> diagnostics;
  [[nodiscard]] bool ok() const { return diagnostics.empty(); }
};

struct LinkInput {
  std::string name;  // for diagnostics: the file it came from
  Object object;
};

// Lays the objects out one after the other, in the order given, and resolves every reference. All
// must be relocatable and of the same preset.
LinkResult link(std::span<const LinkInput> objects);

}  // namespace tandem
