// The devices of a custom call round a ring, and its flags.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/tensor/lowering/lowering.hpp"
#include "llvm/ADT/SmallVector.h"

namespace tandem::compiler {

struct RingGroup {
  std::uint32_t places = 3;
  llvm::SmallVector<std::int64_t> members;  // of each ring in order, ring after ring
  bool has_table = false;                   // else a device's place is its number
  std::uint32_t ready_flag = 0;
  std::uint32_t right_flag = 0;
  std::uint32_t left_flag = 0;
  std::uint32_t local_flag = 0;
  std::int64_t last_pair = 0;  // of flags

  // A word for each device: its place, and its neighbours.
  [[nodiscard]] std::vector<std::uint32_t> table() const;
};

// The attributes of the call, which may be anything; failure after an error at it.
mlir::FailureOr<RingGroup> ring_group(mlir::Operation* op);

}  // namespace tandem::compiler
