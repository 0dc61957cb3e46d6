// All members of a Verilated class, by name: cmake/verilated_members.cmake writes the table.
//
// Snapshots keep members by name, so that they can be moved from the RTL of a preset to the one of
// the same sources that writes waveforms, which has more members: wires, which follow from the rest
// once verilated_settle() is called, and registers that nothing depends on.
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
// Members of the archive that this class lacks are skipped, and so are those of this class that the
// archive lacks; sizes must agree. Throws SnapshotError.
void restore_members(ArchiveReader& archive, const std::vector<VerilatedMember>& members);

// Those that are registers: `..._q`.
std::vector<VerilatedMember> registers_of(std::vector<VerilatedMember> members);
// The first member in both of two archives of save_members() that differs, or "".
std::string first_difference(ArchiveReader a, ArchiveReader b);

}  // namespace tandem
