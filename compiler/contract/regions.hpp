// Regions of a program: the parts that are one kernel each, from the level `tiled` down to its
// bundles.
//
// Every operation on buffers gets a number before it is tiled (tiled/number_regions.cpp), which its
// location carries as the name "@region N", in place of JAX's; so instructions, bundles and the
// reports about them show the region. Operations in rows that are done in one loop
// (tpu/rows/rows.cpp) are one region.
#pragma once

#include <memory>
#include <optional>

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class ModuleOp;
}  // namespace mlir

namespace tandem::compiler {

struct Region {
  unsigned number = 0;                        // of its first operation
  llvm::SmallVector<unsigned> numbers;        // of all of them
  llvm::SmallVector<std::string> operations;  // as JAX calls them, or linalg's name
  llvm::SmallVector<std::string> sources;     // of all of them, source_key()
  std::string place;                          // line of the source, "" for none
  std::int64_t flops = 0;                     // of one turn of the loops around it
};

// Appends the text where the list does not have it yet.
void add_new(llvm::SmallVectorImpl<std::string>& texts, std::string text);

// "@region 7", and the number in such a name.
std::string region_name(unsigned number);
std::optional<unsigned> region_number(llvm::StringRef name);
// The region that a location names; none for code that belongs to no single region.
std::optional<unsigned> region_of(mlir::Location loc);

// Merges the operations into one region; does nothing where they have no numbers.
void join_regions(llvm::ArrayRef<mlir::linalg::LinalgOp> ops);

// All regions of the program, in order.
std::vector<Region> regions_of(mlir::ModuleOp module);

}  // namespace tandem::compiler
