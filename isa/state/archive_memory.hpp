// HBM in an archive, next to the state of a model: the pages that exist, in ascending order.
#pragma once

#include "isa/archive/archive.hpp"
#include "isa/state/memory.hpp"

namespace tandem {

void archive_memory(ArchiveWriter& archive, const SparseMemory& memory);
// The memory must have the size of the saved one; its contents are replaced.
void archive_memory(ArchiveReader& archive, SparseMemory& memory);

// A model and the memory that it works on.
template <typename Model>
void archive_model(ArchiveWriter& archive, const SparseMemory& memory, Model& model) {
  archive_memory(archive, memory);
  model.save_to(archive);
}
template <typename Model>
void archive_model(ArchiveReader& archive, SparseMemory& memory, Model& model) {
  archive_memory(archive, memory);
  model.restore_from(archive);
}

}  // namespace tandem
