// Everything that a Verilated class holds, by name: cmake/verilated_members.cmake writes the table.
//
// Snapshots keep members by their names, so that they go from the RTL of a preset to the one of the
// same sources that writes waveforms, which holds some more: wires, which follow from the rest once
// verilated_settle() is called, and registers that nothing depends on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "isa/archive/archive.hpp"

namespace tandem {

struct VerilatedMember {
  std::string_view name;
  void* place = nullptr;
  std::size_t bytes = 0;
};

void save_members(ArchiveWriter& archive, const std::vector<VerilatedMember>& members);
// Members of the archive that this class lacks are passed over, and so are those of this class that
// the archive lacks; none may have another size. Throws SnapshotError.
void restore_members(ArchiveReader& archive, const std::vector<VerilatedMember>& members);

// Those that are registers: `..._q`.
std::vector<VerilatedMember> registers_of(std::vector<VerilatedMember> members);
// The first member in both of two archives of save_members() that differs, or "".
std::string first_difference(ArchiveReader a, ArchiveReader b);

}  // namespace tandem
