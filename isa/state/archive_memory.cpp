#include "isa/state/archive_memory.hpp"

#include <memory>

namespace tandem {

void archive_memory(ArchiveWriter& archive, const SparseMemory& memory) {
  const std::vector<std::uint64_t> numbers = memory.touched_pages();
  std::uint64_t size = memory.size();
  std::uint64_t count = numbers.size();
  archive(size, count);
  for (std::uint64_t number : numbers) {
    archive(number);
    archive.bytes(memory.find_page(number)->data(), SparseMemory::page_bytes);
  }
}

void archive_memory(ArchiveReader& archive, SparseMemory& memory) {
  std::uint64_t size = 0;
  archive(size);
  if (size != memory.size()) refuse_value(size, "the size of HBM");
  SparseMemory restored(size);
  const std::size_t count = archive.count(sizeof(std::uint64_t) + SparseMemory::page_bytes);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t number = 0;
    archive(number);
    if (number >= (size + SparseMemory::page_bytes - 1) / SparseMemory::page_bytes) {
      refuse_value(number, "a page of HBM");
    }
    auto page = std::make_shared<SparseMemory::Page>();
    archive.bytes(page->data(), page->size());
    restored.map(number, std::move(page));
  }
  memory = std::move(restored);
}

}  // namespace tandem
