// The cost of a machine: generic one-bit gates, flip-flops and bits of memory of each RTL module,
// by a model that scripts/gates fits to machines synthesised with Yosys (docs/gates.md states how
// well).
#pragma once

#include <string_view>
#include <vector>

#include "isa/parameters.hpp"

namespace tandem {

struct Area {
  double gates = 0;
  double flip_flops = 0;
  double memory_bits = 0;

  Area& operator+=(const Area& other) {
    gates += other.gates;
    flip_flops += other.flip_flops;
    memory_bits += other.memory_bits;
    return *this;
  }
};

struct ModuleArea {
  std::string_view module;  // "tpu_valu": all of its instances, without the modules inside
  Area area;
};

// The largest first.
std::vector<ModuleArea> module_areas(const Parameters& machine);
Area machine_area(const Parameters& machine);

}  // namespace tandem
