#include "runtime/device/program.hpp"

#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "assembler/elf.hpp"
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

// Every page up to the end of the image, those that nothing fills as one page of zeros.
std::vector<HbmPage> image_pages(const Image& image, std::uint64_t limit) {
  SparseMemory memory(limit);
  for (const HbmSegment& segment : image_segments(image)) {
    memory.write(segment.address, segment.bytes);
  }
  const auto zeros = std::make_shared<SparseMemory::Page>();
  std::vector<HbmPage> pages;
  const std::uint64_t end = image_end(image);
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
    : image_(std::move(image)), number_(next_number()) {
  check(image_, preset, limit);
  pages_ = image_pages(image_, limit);
}

Image read_program(std::span<const std::uint8_t> elf) {
  const ElfResult result = read_elf({elf.begin(), elf.end()});
  if (!result.ok()) throw Error{ErrorCode::invalid_argument, elf_error_text("program", result)};
  if (!result.object.linked) {
    throw Error{ErrorCode::invalid_argument, "this is an object: link it first"};
  }
  return make_image(result.object);
}

}  // namespace tandem::runtime
