// HBM in the simulators: a large, sparse, byte-addressed, little-endian space. Only pages that were
// written exist; everything else reads as zero, so a space of any size costs nothing. Copies share
// their pages until one of them writes: copying costs one pointer per page. Not thread-safe, not
// even for reads: the last page used is remembered. Memories that share pages may each be used in a
// separate thread, but must not be copied or share more pages meanwhile.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace tandem {

class SparseMemory {
 public:
  static constexpr std::uint64_t page_bytes = 64U << 10U;
  using Page = std::array<std::uint8_t, page_bytes>;

  // Addresses are in [0, size); the caller has checked them.
  explicit SparseMemory(std::uint64_t size) : size_(size) {}
  SparseMemory(const SparseMemory& other);
  SparseMemory& operator=(const SparseMemory& other);
  SparseMemory(SparseMemory&&) noexcept = default;
  SparseMemory& operator=(SparseMemory&&) noexcept = default;
  ~SparseMemory() = default;

  [[nodiscard]] std::uint64_t size() const { return size_; }

  void read(std::uint64_t address, std::span<std::uint8_t> bytes) const;
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes);
  // Words at addresses that are multiples of 4.
  [[nodiscard]] std::uint32_t read_word(std::uint64_t address) const;
  void write_word(std::uint64_t address, std::uint32_t value);
  void read_words(std::uint64_t address, std::span<std::uint32_t> words) const;
  void write_words(std::uint64_t address, std::span<const std::uint32_t> words);

  // The bytes from an address to the end of its page; a page never written reads as zeros, and is
  // created when requested as writable. Valid until the memory is copied, assigned or destroyed, a
  // readable one also until the page is requested as writable.
  [[nodiscard]] std::span<const std::uint8_t> readable(std::uint64_t address) const;
  [[nodiscard]] std::span<std::uint8_t> writable(std::uint64_t address);

  // Inserts a page, shared with its other owners until one of them writes. If the page is already
  // there, this costs one look-up.
  void map(std::uint64_t number, std::shared_ptr<Page> page);
  // The page of that number, for sharing, or nullptr if it was never written. Later writes go to a
  // copy of it.
  [[nodiscard]] std::shared_ptr<Page> share(std::uint64_t number);

  // Numbers (address / page_bytes) of the pages that exist, ascending.
  [[nodiscard]] std::vector<std::uint64_t> touched_pages() const;
  // The contents of a page, or nullptr when it was never written.
  [[nodiscard]] const Page* find_page(std::uint64_t number) const;
  // Bytes of the pages that this memory does not share with the other one.
  [[nodiscard]] std::uint64_t bytes_beyond(const SparseMemory& other) const;
  // The lowest address whose byte differs, if any. Untouched pages equal pages of zeros.
  [[nodiscard]] std::optional<std::uint64_t> first_difference(const SparseMemory& other) const;

 private:
  static constexpr std::uint64_t no_page = ~std::uint64_t{0};

  Page& make_page(std::uint64_t number);

  std::uint64_t size_;
  std::unordered_map<std::uint64_t, std::shared_ptr<Page>> pages_;
  mutable std::uint64_t last_number_ = no_page;
  mutable const Page* last_page_ = nullptr;
  // The last page written: no copy shares it.
  mutable std::uint64_t own_number_ = no_page;
  Page* own_page_ = nullptr;
};

}  // namespace tandem
