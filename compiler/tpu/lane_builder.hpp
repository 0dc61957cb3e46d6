// Moves of lanes within vector registers (compiler/moves/lanes.hpp) as instructions.
#pragma once

#include "compiler/moves/lanes.hpp"
#include "compiler/tpu/tpu_builder.hpp"

namespace tandem::compiler {

class LaneBuilder : protected TpuBuilder {
 protected:
  LaneBuilder(mlir::OpBuilder& builder, mlir::Location loc, std::int64_t lanes)
      : TpuBuilder(builder, loc), count_(lanes) {}

  // The register with its lanes permuted from their sources in `way`.
  mlir::Value permuted(mlir::Value x, const Way& way);
  // The lanes of the range; null if these are all.
  mlir::Value mask_of(const Range& range);
  // A mask of the first lanes; null for all of them.
  mlir::Value first_lanes(std::int64_t lanes) { return mask_of({0, lanes, 1, 1}); }

 private:
  // The number of each lane, and `shift`, divided by, and modulo, a number.
  mlir::Value quotient(std::int64_t divisor, std::int64_t shift = 0);
  mlir::Value remainder(std::int64_t divisor, std::int64_t shift = 0);
  // The sources of lanes by jumps, without the offset.
  mlir::Value jumped(const Way& way);
  // The lane at the same position in the part of `size` lanes whose number differs in these bits.
  mlir::Value swapped(std::int64_t size, std::int64_t bits);

  std::int64_t count_;
};

}  // namespace tandem::compiler
