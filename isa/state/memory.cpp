#include "isa/state/memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace tandem {
namespace {

const SparseMemory::Page zero_page{};

std::uint64_t page_of(std::uint64_t address) { return address / SparseMemory::page_bytes; }
std::uint64_t offset_of(std::uint64_t address) { return address % SparseMemory::page_bytes; }

}  // namespace

// The pages are shared from now on, so the other memory no longer owns them either.
SparseMemory::SparseMemory(const SparseMemory& other) : size_(other.size_), pages_(other.pages_) {
  other.own_number_ = no_page;  // NOLINT(bugprone-copy-constructor-mutates-argument)
}

SparseMemory& SparseMemory::operator=(const SparseMemory& other) {
  if (this != &other) *this = SparseMemory(other);
  return *this;
}

const SparseMemory::Page* SparseMemory::find_page(std::uint64_t number) const {
  if (number == last_number_) return last_page_;
  const auto found = pages_.find(number);
  if (found == pages_.end()) return nullptr;
  last_number_ = number;
  last_page_ = found->second.get();
  return last_page_;
}

SparseMemory::Page& SparseMemory::make_page(std::uint64_t number) {
  if (number == own_number_) return *own_page_;
  auto& page = pages_[number];
  if (page == nullptr) {
    page = std::make_shared<Page>();
  } else if (page.use_count() > 1) {
    page = std::make_shared<Page>(*page);
  } else {
    // Another thread may have read it until it released it.
    std::atomic_thread_fence(std::memory_order_acquire);
  }
  own_number_ = last_number_ = number;
  own_page_ = page.get();
  last_page_ = own_page_;
  return *page;
}

std::span<const std::uint8_t> SparseMemory::readable(std::uint64_t address) const {
  const Page* page = find_page(page_of(address));
  return std::span<const std::uint8_t>(page == nullptr ? zero_page : *page)
      .subspan(offset_of(address));
}

std::span<std::uint8_t> SparseMemory::writable(std::uint64_t address) {
  return std::span<std::uint8_t>(make_page(page_of(address))).subspan(offset_of(address));
}

void SparseMemory::read(std::uint64_t address, std::span<std::uint8_t> bytes) const {
  while (!bytes.empty()) {
    const auto from = readable(address);
    const std::size_t count = std::min(from.size(), bytes.size());
    std::memcpy(bytes.data(), from.data(), count);
    bytes = bytes.subspan(count);
    address += count;
  }
}

void SparseMemory::write(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const auto to = writable(address);
    const std::size_t count = std::min(to.size(), bytes.size());
    std::memcpy(to.data(), bytes.data(), count);
    bytes = bytes.subspan(count);
    address += count;
  }
}

std::uint32_t SparseMemory::read_word(std::uint64_t address) const {
  std::uint32_t word = 0;
  std::memcpy(&word, readable(address).data(), sizeof word);
  return word;
}

void SparseMemory::write_word(std::uint64_t address, std::uint32_t value) {
  std::memcpy(writable(address).data(), &value, sizeof value);
}

void SparseMemory::read_words(std::uint64_t address, std::span<std::uint32_t> words) const {
  read(address, {reinterpret_cast<std::uint8_t*>(words.data()), words.size_bytes()});
}

void SparseMemory::write_words(std::uint64_t address, std::span<const std::uint32_t> words) {
  write(address, {reinterpret_cast<const std::uint8_t*>(words.data()), words.size_bytes()});
}

void SparseMemory::map(std::uint64_t number, std::shared_ptr<Page> page) {
  auto& here = pages_[number];
  if (here == page) return;
  here = std::move(page);
  if (number == own_number_) own_number_ = no_page;
  if (number == last_number_) last_number_ = no_page;
}

std::shared_ptr<SparseMemory::Page> SparseMemory::share(std::uint64_t number) {
  const auto found = pages_.find(number);
  if (found == pages_.end()) return nullptr;
  if (number == own_number_) own_number_ = no_page;
  return found->second;
}

std::vector<std::uint64_t> SparseMemory::touched_pages() const {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(pages_.size());
  for (const auto& entry : pages_) numbers.push_back(entry.first);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::uint64_t SparseMemory::bytes_beyond(const SparseMemory& other) const {
  std::uint64_t bytes = 0;
  for (const auto& [number, page] : pages_) {
    const auto theirs = other.pages_.find(number);
    if (theirs == other.pages_.end() || theirs->second != page) bytes += page_bytes;
  }
  return bytes;
}

std::optional<std::uint64_t> SparseMemory::first_difference(const SparseMemory& other) const {
  std::vector<std::uint64_t> numbers = touched_pages();
  const std::vector<std::uint64_t> others = other.touched_pages();
  numbers.insert(numbers.end(), others.begin(), others.end());
  std::sort(numbers.begin(), numbers.end());
  for (const std::uint64_t number : numbers) {
    const Page* mine = find_page(number);
    const Page* theirs = other.find_page(number);
    if (mine == theirs) continue;
    const Page& left = mine == nullptr ? zero_page : *mine;
    const Page& right = theirs == nullptr ? zero_page : *theirs;
    const auto differ = std::mismatch(left.begin(), left.end(), right.begin());
    if (differ.first == left.end()) continue;
    return number * page_bytes + static_cast<std::uint64_t>(differ.first - left.begin());
  }
  return std::nullopt;
}

}  // namespace tandem
