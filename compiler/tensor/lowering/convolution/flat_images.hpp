// Images whose positions follow each other without anything between them, also where windows reach
// beyond the ends of rows.
//
// [groups, batch, features][image]: shifted by what a place of the window is away from the
// position, an image shows each position what it sees there. Beyond the end of a row that would be
// elements of the next row, so an image for each shift along rows has zeros in their places, which
// no position sees otherwise. The zeros before and after the image are for shifts from row to row.
#pragma once

#include <map>
#include <optional>

#include "compiler/tensor/lowering/convolution/convolution.hpp"

namespace tandem::compiler::convolution {

class FlatImages {
 public:
  // Of an input whose last dimensions are the spatial ones in this order. Nothing where results of
  // a row are not as many as elements, windows do not go through neighbours, or VMEM has no room
  // for images and patches.
  static std::optional<FlatImages> find(Lowering& lowering, const Convolution& convolution,
                                        mlir::Value input, llvm::ArrayRef<std::int64_t> order);

  // Positions, which is also how long a run is.
  [[nodiscard]] std::int64_t length() const { return length_; }

  // What all positions see at these places of the window: [groups, batch, features][positions].
  mlir::Value run(llvm::ArrayRef<std::int64_t> places);

 private:
  FlatImages(Lowering& lowering, const Convolution& convolution, mlir::Value input,
             llvm::ArrayRef<std::int64_t> order);
  [[nodiscard]] bool fits() const;
  void pad();
  // From a position to what it sees, along each dimension in the order.
  [[nodiscard]] List shifts(llvm::ArrayRef<std::int64_t> places) const;
  [[nodiscard]] std::int64_t in_words(llvm::ArrayRef<std::int64_t> shifts) const;
  // The image without what lies beyond the end of a row.
  mlir::Value masked(llvm::ArrayRef<std::int64_t> shifts);

  Lowering& lowering_;
  const Convolution& c_;
  mlir::Value input_;
  List order_;
  List extents_;  // of the input
  std::int64_t length_ = 1;
  std::int64_t before_ = 0;  // zeros
  std::int64_t after_ = 0;
  mlir::Value image_;                                    // padded
  std::map<std::vector<std::int64_t>, mlir::Value> of_;  // by shifts
};

}  // namespace tandem::compiler::convolution
