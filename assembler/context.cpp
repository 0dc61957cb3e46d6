#include "assembler/context.hpp"

namespace tandem::assembly {

const Parameters& Context::parameters() {
  if (preset == nullptr) preset = find_preset(default_preset);
  return *preset;
}

void add_touches(Object& object, std::uint32_t pc, const SlotTouches& touches) {
  for (std::uint32_t slot = 0; slot < slot_count; ++slot) {
    for (const Touch& touch : touches[slot]) {
      if (!touch.says_something()) continue;
      object.buffers.touches.push_back({pc, slot, touch.reads, touch.writes});
    }
  }
}

}  // namespace tandem::assembly
