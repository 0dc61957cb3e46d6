// NumPy's .npy files: versions 1 to 3, little endian, row-major. Fortran order and big endian are
// refused with the NumPy expression that converts them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "isa/launch/launch.hpp"

namespace tandem {

// An error in a file, for the user; names the byte offset if there is one.
struct NpyError {
  std::string message;
};

struct NpyArray {
  std::string type;                 // NumPy's descr without byte order: f4, i4, i8, i1, u2, V2 ...
  std::vector<std::int64_t> shape;  // all >= 0
  std::vector<std::uint8_t> bytes;  // elements, row-major
};

// Throws NpyError; no input can make it read outside `file` or allocate more than its size.
NpyArray parse_npy(std::span<const std::uint8_t> file);
// The data bytes of a file of `file_bytes` that begins with `head`; throws if its header promises
// more or fewer.
std::uint64_t npy_bytes(std::span<const std::uint8_t> head, std::uint64_t file_bytes);
std::vector<std::uint8_t> format_npy(const NpyArray& array);

// Data for a tensor of this element type. f32 takes f4; bf16 takes f4 (rounded to nearest even as
// the machine packs) or two raw bytes (u2, V2); s32 takes i4 and i8 (in range); s8 takes i1.
// Throws NpyError for any other pair.
TensorData tensor_from_npy(const NpyArray& array, ElementType type);
// The reverse; bf16 becomes f4, which holds it exactly.
NpyArray npy_from_tensor(const TensorData& data, ElementType type);

}  // namespace tandem
