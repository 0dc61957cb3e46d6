// A program on a device: the image, and its bytes as pages of HBM that a launch maps instead of
// copying them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "isa/launch/launch.hpp"

namespace tandem::runtime {

class Program {
 public:
  // Checks that it fits the device: built for this preset, all of it below `limit` in HBM. Throws
  // Error.
  Program(Image image, const Parameters& preset, std::uint64_t limit);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() = default;

  [[nodiscard]] const Image& image() const { return image_; }
  // In the order in which a launch takes them.
  [[nodiscard]] std::span<const Tensor> tensors() const { return image_.tensors; }

  // Text, data and zero-initialized memory: whole pages below the limit, and the part in a page
  // shared with something above it. No two programs of a process have the same number.
  [[nodiscard]] const std::vector<HbmPage>& pages() const { return pages_; }
  [[nodiscard]] const std::vector<HbmSegment>& segments() const { return segments_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }
  // Whether it asks which chip it runs on, or how many there are: such a program is for a group
  // (runtime/group/group.hpp).
  [[nodiscard]] bool is_of_group() const { return is_of_group_; }

 private:
  Image image_;
  std::vector<HbmPage> pages_;
  std::vector<HbmSegment> segments_;
  std::uint64_t number_;
  bool is_of_group_;
};

using ProgramHandle = std::shared_ptr<const Program>;

// Reads a linked program. Throws Error if the bytes are not a linked program.
Image read_program(std::span<const std::uint8_t> elf);

}  // namespace tandem::runtime
