// Collectives round a ring of devices, in both directions at once, as linear assembly: the parts of
// all devices are gathered, or reduced, or both.
//
// Each device has one of `places` places, and sends to its two neighbours. Half way round, at
// `hops` = places / 2 (of an even number), a part comes from both sides, a half of it each way.
//
//   gather: a device's part travels `hops` places to the right and to the left.
//   reduce: the sum for a place begins `hops` places away on either side and comes nearer; each
//     device that it passes adds its own. The device whose part it is has
//     ((from its left + own) + from its right).
//
// Sums are taken in VMEM, where a message lands, block by block of a part (`block_words`): a device
// sends its own part plus what has arrived. Every part is in two halves, and one is summed while
// the other one is on the way.
//
// The source begins at %arg0, the result at %out0 in HBM; without reducing the source is one part,
// else `places` of them; with gathering the result is `places` parts, else one. For groups that are
// not all devices in order, a table at %arg1 gives each device its place. %vmem is the first of
// `ring_vmem_words` words, %smem of `ring_smem_words`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tandem::compiler {

struct Ring {
  std::uint32_t places = 3;
  std::uint32_t part_words = 0;
  std::string combine;  // "vadd.f32"; "": no reduction
  bool gathers = false;
  bool has_table = false;  // else a device's place is its number, out of as many as there are
  // Of the machine, and for a reduction: parts are multiples of 2 vectors then, and so are blocks.
  std::uint32_t lanes = 8;
  std::uint32_t block_words = 0;
  std::uint32_t ready_flag = 0;
  std::uint32_t right_flag = 0;  // counts arrivals of data that goes to the right
  std::uint32_t left_flag = 0;
  std::uint32_t local_flag = 0;  // copies within the chip
};

std::string ring_text(const Ring& ring);
std::uint32_t ring_smem_words();
std::uint32_t ring_vmem_words(const Ring& ring);
// Blocks in VMEM, for a reduction.
std::uint32_t ring_blocks(std::uint32_t places);

}  // namespace tandem::compiler
