#include "runtime/device/program.hpp"

#include "runtime/device/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "assembler/elf.hpp"
#include "isa/encoding.hpp"
#include "isa/instructions.hpp"
#include "isa/object/object.hpp"
#include "runtime/error.hpp"

namespace tandem::runtime {
namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

void check(const Image& image, const Parameters& preset, std::uint64_t limit) {
  const std::string mismatch = target_mismatch(*image.preset, preset);
  if (!mismatch.empty()) throw Error{ErrorCode::failed_precondition, mismatch};
  try {
    check_image(image, limit);
  } catch (const LaunchError& error) {
    throw Error{ErrorCode::invalid_argument, error.message};
  }
}

enum : std::uint32_t {
#define REGISTER(name, number, host, readable, kind, meaning) csr_##name = (number),
#include "isa/registers/registers.def"
#undef REGISTER
};

bool reads_chip(const Bundle& bundle) {
  const SlotBits bits = slot_bits(bundle, Slot::sb);
  if (get_field(bits, opcode_field) != instruction(Op::csr).opcode) return false;
  const auto operation = decode(Slot::sb, bits);
  if (!operation || operation->op != Op::csr) return false;
  const auto number = operation->operands[1].value;
  return number == csr_chip || number == csr_chips;
}

SparseMemory image_memory(const Image& image, std::uint64_t limit) {
  SparseMemory memory(limit);
  for (const HbmSegment& segment : image_segments(image)) {
    memory.write(segment.address, segment.bytes);
  }
  return memory;
}

// Every page up to `end`; empty pages share one page of zeros.
std::vector<HbmPage> pages_below(SparseMemory& memory, std::uint64_t end) {
  const auto zeros = std::make_shared<SparseMemory::Page>();
  std::vector<HbmPage> pages;
  for (std::uint64_t number = text_base / SparseMemory::page_bytes;
       number * SparseMemory::page_bytes < end; ++number) {
    std::shared_ptr<SparseMemory::Page> page = memory.share(number);
    if (!page) page = zeros;
    pages.push_back({number, std::move(page)});
  }
  return pages;
}

}  // namespace

Program::Program(Image image, const Parameters& preset, std::uint64_t limit)
    : image_(std::move(image)),
      number_(next_number()),
      is_of_group_(std::any_of(image_.text.begin(), image_.text.end(), reads_chip)) {
  check(image_, preset, limit);
  SparseMemory memory = image_memory(image_, limit);
  const std::uint64_t end = image_end(image_);
  // If the limit is within the last page, that page belongs to the owner of the memory above it.
  const std::uint64_t whole = limit / SparseMemory::page_bytes * SparseMemory::page_bytes;
  pages_ = pages_below(memory, std::min(end, whole));
  if (end <= whole) return;
  segments_.push_back({whole, std::vector<std::uint8_t>(end - whole)});
  memory.read(whole, segments_.back().bytes);
}

Image read_program(std::span<const std::uint8_t> elf) {
  const ElfResult result = read_elf({elf.begin(), elf.end()});
  if (!result.ok()) throw Error{ErrorCode::invalid_argument, elf_error_text("program", result)};
  if (!result.object.linked) {
    throw Error{ErrorCode::invalid_argument, message::not_linked};
  }
  return make_image(result.object);
}

}  // namespace tandem::runtime
