// A launch: an image, its tensors bound to data and placed in HBM, and the host registers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "isa/image.hpp"
#include "isa/state/memory.hpp"

namespace tandem {

// A tensor with fixed sizes and its address in HBM.
struct PlacedTensor {
  Tensor tensor;              // dimensions all >= 0
  std::uint64_t address = 0;  // a multiple of 4096
  std::uint32_t pitch = 0;    // bytes between rows of the last dimension
  std::uint64_t bytes = 0;
};

// A page of HBM that is loaded by sharing it.
struct HbmPage {
  std::uint64_t number = 0;  // address / SparseMemory::page_bytes
  std::shared_ptr<SparseMemory::Page> page;
};

struct Launch {
  const Image* image = nullptr;
  std::uint64_t program = 0;  // of repeated images: equal numbers mean equal images
  std::vector<PlacedTensor> tensors;
  std::vector<HbmPage> pages;              // loaded first
  std::vector<HbmSegment> segments;        // text, data, argument block, tensor contents
  std::uint64_t text_address = text_base;  // address of the text; a multiple of 4096
  std::uint64_t argument_pointer = 0;
  std::uint32_t argument_words = 0;                   // of these, copied to SMEM words 0.. at start
  std::uint64_t hbm_bytes = std::uint64_t{1} << 32U;  // address range, not host memory
  // Descriptors of the copies that the start begins: at most most_start_copies, and no machine with
  // this HBM refuses them.
  std::vector<DescriptorWords> start_copies;
  std::uint32_t chip = 0;  // this machine's number in its group
  std::uint32_t chips = 1;
  std::uint32_t seed = 1;  // of the pattern of never-written state
};

// The data bound to a tensor: elements in HBM format, rows contiguous without padding.
struct TensorData {
  std::vector<std::int64_t> dimensions;
  std::vector<std::uint8_t> bytes;  // elements of the tensor's type, row-major, no padding
};

// Places the tensors after the image (each at a multiple of 4096), fills the argument block and
// returns everything to be loaded. Sizes come from the declaration, from the bound data, or, for an
// output, from another tensor's dimension of the same name. Throws LaunchError (a message for the
// user) when a size is unknown, contradictory, or memory is insufficient.
Launch make_launch(const Image& image, const std::map<std::string, TensorData>& bound,
                   std::uint64_t hbm_bytes, std::uint32_t seed);

// The parts of make_launch(), for callers that place tensors themselves. check_image() throws
// LaunchError when the image does not fit its preset or `hbm_bytes`; image_end() is the first byte
// after text, data and reserved space.
void check_image(const Image& image, std::uint64_t hbm_bytes);
std::vector<HbmSegment> image_segments(const Image& image);
std::uint64_t image_end(const Image& image);
// The program's tensors with every size fixed, as make_launch() does it.
std::vector<Tensor> sized_tensors(const Image& image,
                                  const std::map<std::string, TensorData>& bound);
// The entries of tensors in the argument block: docs/reference.md section 6.
std::vector<std::uint8_t> argument_entries(std::span<const PlacedTensor> tensors);
// The contents at the argument pointer: these entries, then the contents of SMEM, if the program
// has the block there.
std::vector<std::uint8_t> argument_block(const Image& image, std::span<const PlacedTensor> tensors);
// Its bytes for this number of tensors.
std::uint64_t argument_block_bytes(const Image& image, std::size_t tensors);

// Words of the block that the machine copies to SMEM at start: all or none, depending on the image.
std::uint32_t smem_argument_words(const Image& image, std::size_t tensors);

// The program's start copies with the tensors' addresses. Throws LaunchError when one leaves its
// tensor or VMEM.
std::vector<DescriptorWords> placed_start_copies(const Image& image,
                                                 std::span<const PlacedTensor> tensors);

// Loads the launch into memory.
void load(SparseMemory& hbm, const Launch& launch);

struct LaunchError {
  std::string message;
};

}  // namespace tandem
