// The tensors of a program's launch as the memory that a run works on, and the comparison of two
// runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/launch/launch.hpp"
#include "mlir/IR/BuiltinOps.h"

namespace tandem::compiler {

using Bytes = std::vector<std::uint8_t>;

struct LaunchTensor {
  std::string name;
  ElementType type = ElementType::f32;
  std::vector<std::int64_t> shape;
  bool is_input = false;
  std::size_t bytes = 0;  // of its memory: rows of packed elements end at a word
  std::size_t rows = 1;
  std::size_t columns = 1;
  std::size_t pitch = 1;   // elements from one row to the next
  std::size_t planes = 1;  // 2 for a complex one: real parts, imaginary parts

  // In a plane.
  [[nodiscard]] std::size_t element_bytes() const { return tandem::element_bytes(type) / planes; }
};

// The tensors of @main's arguments, as the arguments describe them. Precondition: the module is at
// `tensor` or later.
std::vector<LaunchTensor> launch_tensors(mlir::ModuleOp module);

// Our own numbers for an input; otherwise values that no program leaves by chance. Reals have so
// few bits that rounding operands of products to bf16 changes none of them.
Bytes drawn_memory(const LaunchTensor& tensor, unsigned seed);

// Elements without gaps, as in files, to memory and back.
TensorData without_padding(const LaunchTensor& tensor, const Bytes& memory);
Bytes with_padding(const LaunchTensor& tensor, const Bytes& elements);

// How far correct results may differ, relative to the largest number.
enum class Closeness : std::uint8_t {
  sums,     // the order of sums
  machine,  // also functions of the machine
};
// "" where they agree.
std::string difference(const LaunchTensor& tensor, const Bytes& before, const Bytes& now,
                       Closeness closeness);

}  // namespace tandem::compiler
