// .tandem.lifetimes of a file, decoded.
#include <tuple>

#include "assembler/elf/sections.hpp"
#include "isa/encoding.hpp"
#include "isa/object/elf_constants.hpp"

namespace tandem::assembly {
namespace {

class LifetimeReader {
 public:
  LifetimeReader(const ElfBytes& section, Object& object) : section_(section), object_(object) {}

  void read() {
    if (section_.size() == 0) return;
    if (number<std::uint32_t>() != elf::lifetimes_version) section_.fail(0, "unknown version");
    const auto buffers = number<std::uint32_t>();
    for (std::uint32_t i = 0; i < buffers; ++i) buffer();
    const auto touches = number<std::uint32_t>();
    for (std::uint32_t i = 0; i < touches; ++i) touch();
    if (at_ != section_.size()) section_.fail(at_, "wrong size");
  }

 private:
  template <typename T>
  T number() {
    const auto value = section_.get<T>(at_);
    at_ += sizeof(T);
    return value;
  }

  void buffer() {
    const auto kind = number<std::uint32_t>();
    if (kind >= buffer_kinds) section_.fail(at_ - 4, "a buffer of no kind");
    PlannedBuffer buffer;
    buffer.kind = static_cast<BufferKind>(kind);
    buffer.first = number<std::uint64_t>();
    buffer.words = number<std::uint64_t>();
    buffer.name = section_.string(at_);
    at_ += buffer.name.size() + 1;
    table_.buffers.push_back(std::move(buffer));
  }

  void touch() {
    const std::uint64_t at = at_;
    const auto touch = number<BufferTouch>();
    if (touch.pc >= object_.text.size() || touch.slot >= slot_count) {
      section_.fail(at, "a touch of no operation");
    }
    if (!table_.has(touch.reads) || !table_.has(touch.writes)) {
      section_.fail(at, "a touch of no buffer");
    }
    const auto place = [](const BufferTouch& item) { return std::tie(item.pc, item.slot); };
    if (!table_.touches.empty() && place(table_.touches.back()) > place(touch)) {
      section_.fail(at, "touches out of order");
    }
    table_.touches.push_back(touch);
  }

  const ElfBytes& section_;
  Object& object_;
  BufferTable& table_ = object_.buffers;
  std::uint64_t at_ = 0;
};

}  // namespace

void read_lifetimes(const ElfBytes& section, Object& object) {
  LifetimeReader(section, object).read();
}

}  // namespace tandem::assembly
