#include "assembler/context.hpp"

namespace tandem::assembly {

const Parameters& Context::parameters() {
  if (preset == nullptr) preset = find_preset(default_preset);
  return *preset;
}

}  // namespace tandem::assembly
