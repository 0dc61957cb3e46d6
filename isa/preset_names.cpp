#include "isa/preset_names.hpp"

#include "isa/parameters.hpp"

namespace tandem {

std::string preset_names() {
  std::string names;
  for (const Parameters& preset : presets) {
    if (!names.empty()) names += ", ";
    names += preset.name;
  }
  return names;
}

}  // namespace tandem
