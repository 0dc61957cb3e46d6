// Copies: descriptors, their checks, and the runs they move (docs/reference.md, section 5).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/descriptor.hpp"
#include "isa/parameters.hpp"
#include "isa/state/retire.hpp"
#include "isa/state/trap.hpp"

namespace tandem {
struct Launch;
}

namespace tandem::golden {

struct Core;

using tandem::MemorySpace;
std::string_view memory_name(MemorySpace space);

// The text in HBM, [begin, end).
struct TextRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// One end of a copy: where runs start.
struct CopySide {
  MemorySpace space = MemorySpace::hbm;
  std::uint64_t address = 0;              // bytes, offset added
  std::array<std::int32_t, 3> strides{};  // bytes, innermost first
};

struct Copy {
  DescriptorWords words{};
  CopySide source;
  CopySide destination;
  std::uint32_t length = 0;  // bytes of a run
  std::array<std::uint32_t, 3> counts{1, 1, 1};
  std::uint32_t flag = 0;
  std::uint32_t amount = 0;
  // In version 1: the chip that is written and whose flag is added to, and the flag of this one.
  bool remote = false;
  std::uint32_t chip = 0;
  std::uint32_t flag_here = 0;
  std::uint32_t amount_here = 0;  // 0 in version 0

  [[nodiscard]] bool moves_nothing() const {
    return length == 0 || counts[0] == 0 || counts[1] == 0 || counts[2] == 0;
  }
  // Runs, saturated at 2^63.
  [[nodiscard]] std::uint64_t runs() const;
};

using tandem::BoundingBox;
BoundingBox bounding_box(const Copy& copy, const CopySide& side);

// Reads the fields of copy.words; addresses get the operands' offsets (in words).
void parse_descriptor(Copy& copy, std::uint32_t source_offset, std::uint32_t destination_offset);

// A copy as in a retire record, with its effective addresses.
Copy issued_copy(const CopyIssue& issue);

// The trap that a descriptor causes in a group of this many chips, if any; sizes of the spaces in
// bytes, by MemorySpace. The destination of a remote copy is checked against this chip's own sizes.
struct DescriptorFault {
  TrapCause cause = TrapCause::none;
  std::uint32_t detail = 0;
};
DescriptorFault check_descriptor(const Copy& copy, const std::array<std::uint64_t, 3>& sizes,
                                 const TextRange& text, std::uint32_t chips = 1);

// Calls visit(source byte address, destination byte address) for every run, outermost first.
template <typename Visit>
void for_each_run(const Copy& copy, Visit visit) {
  const auto step = [](std::uint64_t address, std::int32_t stride, std::uint32_t i) {
    return address + static_cast<std::uint64_t>(std::int64_t{stride} * i);
  };
  const CopySide& from = copy.source;
  const CopySide& to = copy.destination;
  for (std::uint32_t i = 0; i < copy.counts[2]; ++i) {
    const std::uint64_t from2 = step(from.address, from.strides[2], i);
    const std::uint64_t to2 = step(to.address, to.strides[2], i);
    for (std::uint32_t j = 0; j < copy.counts[1]; ++j) {
      const std::uint64_t from1 = step(from2, from.strides[1], j);
      const std::uint64_t to1 = step(to2, to.strides[1], j);
      for (std::uint32_t k = 0; k < copy.counts[0]; ++k) {
        visit(step(from1, from.strides[0], k), step(to1, to.strides[0], k));
      }
    }
  }
}

// Moves the bytes of the core's copy, and their marks of being written, to the memory of another
// core, or its own.
void perform_copy(Core& core, Core& to);

// The work of a start before the first bundle: copies the argument block to the beginning of SMEM.
void load_arguments(Core& core);
// The copies that the start begins, all of which the machine has taken. In flight from here on.
void begin_start_copies(Core& core, const Launch& launch);

}  // namespace tandem::golden
