// Images with consecutive positions and nothing between rows, even where windows reach beyond the
// ends of rows.
//
// [groups, batch, features][image]: shifted by the distance of a place of the window from the
// position, an image gives each position the element that it sees there. Beyond the end of a row
// those would be elements of the next row, so there is an image for each shift along rows with
// zeros in the places that positions see only beyond an end. The zeros before and after the image
// are for shifts from row to row.
#pragma once

#include <map>
#include <optional>

#include "compiler/tensor/lowering/convolution/convolution.hpp"

namespace tandem::compiler::convolution {

class FlatImages {
 public:
  // For an input whose last dimensions are the spatial ones in this order. Nothing where a row of
  // the result has a different length, windows skip elements, or VMEM has no space for images and
  // patches.
  static std::optional<FlatImages> find(Lowering& lowering, const Convolution& convolution,
                                        mlir::Value input, llvm::ArrayRef<std::int64_t> order);

  // Positions, which is also the length of a run.
  [[nodiscard]] std::int64_t length() const { return length_; }

  // The elements that all positions see at these places of the window: [groups, batch,
  // features][positions].
  mlir::Value run(llvm::ArrayRef<std::int64_t> places);

 private:
  FlatImages(Lowering& lowering, const Convolution& convolution, mlir::Value input,
             llvm::ArrayRef<std::int64_t> order);
  [[nodiscard]] bool fits() const;
  void pad();
  // The distance from a position to the element that it sees, along each dimension in the order.
  [[nodiscard]] List shifts(llvm::ArrayRef<std::int64_t> places) const;
  [[nodiscard]] std::int64_t in_words(llvm::ArrayRef<std::int64_t> shifts) const;
  // The image without the part beyond the end of a row.
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
