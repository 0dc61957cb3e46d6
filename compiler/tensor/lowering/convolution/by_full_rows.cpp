// Convolutions of one input and one output feature per group, in full rows.
//
// Few channels, or a number that is no multiple of the lanes, would leave lanes of every row of
// VMEM empty. So positions along the last spatial dimension are put next to each other, with their
// features, as many as make whole rows: a row of the kernel is repeated as often. A place of the
// window along that dimension shifts lanes, and the copy of the input does that: there is an image
// for each. Places along other dimensions are other rows of an image.
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/lowering/convolution/channel_sums.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <numeric>

namespace tandem::compiler::convolution {
namespace {

namespace tensor = mlir::tensor;

class FullRows {
 public:
  FullRows(Lowering& lowering, const Convolution& convolution)
      : builder_(lowering.builder),
        loc_(convolution.op->getLoc()),
        lowering_(lowering),
        c_(convolution),
        sums_(builder_, convolution) {}

  mlir::Value run() {
    if (!fits() || !pays()) return {};
    llvm::SmallVector<mlir::Value> images;
    for (std::int64_t number = 0; number < along().window; ++number) {
      images.push_back(image(along().offset(number)));
    }
    const mlir::Value kernel = repeated_kernel();
    Values inputs;
    for (std::int64_t number = 0; number < product(windows_); ++number) {
      const List at = place(number, windows_);
      inputs.append({rows_of(images[at[along_]], at), row_of(kernel, at)});
    }
    List shape(tensor_type_of(inputs.front()).getShape());
    const auto rank = static_cast<unsigned>(shape.size());
    const mlir::AffineMap row =
        mlir::AffineMap::get(rank, 0, builder_.getAffineDimExpr(rank - 1), builder_.getContext());
    return in_axes(sums_.of_pairs(shape, inputs, builder_.getMultiDimIdentityMap(rank), row));
  }

 private:
  [[nodiscard]] const Spatial& along() const { return c_.spatial[along_]; }
  // What is before the last spatial dimension, in input and result.
  [[nodiscard]] llvm::ArrayRef<Axis> outer() const {
    return llvm::ArrayRef<Axis>(c_.result_axes).drop_back(3);
  }

  // Input and result have the same axes, ending with a spatial one and the channels, and neighbours
  // of the result see neighbours of the input.
  bool fits() {
    const std::size_t rank = c_.result_axes.size();
    if (rank < 4 || c_.groups == 1 || c_.result_axes.back().role != Role::out ||
        c_.input_axes.back().role != Role::feature || c_.result_shape.back() != 1 ||
        tensor_type_of(c_.input).getShape().back() != 1 ||
        llvm::ArrayRef<Axis>(c_.input_axes).drop_back() !=
            llvm::ArrayRef<Axis>(c_.result_axes).drop_back()) {
      return false;
    }
    const Axis last = c_.result_axes[rank - 3];
    if (last.role != Role::spatial || c_.result_axes[rank - 2].role != Role::group) return false;
    along_ = last.number;
    for (const Spatial& spatial : c_.spatial) windows_.push_back(spatial.window);
    return along().stride == 1 && !threshold::channel_windows(product(windows_));
  }

  // Cycles of both ways: rows are copied in and out, and two loads of eight rows for each place of
  // the window. Here the kernel is repeated, too.
  bool pays() {
    const std::int64_t lanes = lowering_.machine.lanes;
    if (c_.groups % lanes == 0) return false;
    beside_ = lanes / std::gcd(c_.groups, lanes);
    blocks_ = divided(along().result, beside_);
    const std::int64_t rows = product(llvm::ArrayRef<std::int64_t>(c_.result_shape).drop_back(3));
    const std::int64_t places = product(windows_);
    const std::int64_t now = rows * along().result * divided(c_.groups, lanes);
    const std::int64_t then = rows * blocks_ * beside_ * c_.groups / lanes;
    return 2 * now + now * places / 4 >
           then + along().window * (then + rows) + then * places / 4 + places * beside_;
  }

  // The input with padding, from the first element that one place of the window along rows sees:
  // [..., rows][blocks, adjacent positions and channels]. Rows and blocks are one dimension where
  // windows go from row to row.
  mlir::Value image(std::int64_t offset) {
    Convolution moved = c_;
    Spatial& spatial = moved.spatial[along_];
    const std::int64_t size =
        tensor_type_of(c_.input).getDimSize(place_of(c_.input_axes, {Role::spatial, along_}));
    const std::int64_t spread = (size - 1) * spatial.input_dilation + 1;
    spatial.low -= offset;
    spatial.high = blocks_ * beside_ - spread - spatial.low;
    mlir::Value value = padded_input(lowering_, moved, c_.input, c_.input_axes);
    List counts(outer().size(), 1);
    counts.push_back(3);
    value = joined(builder_, loc_, value, counts);
    const auto last = static_cast<std::int64_t>(outer().size());
    value = parted(builder_, loc_, value, last, {blocks_, beside_ * c_.groups});
    if (!joins_rows()) return value;
    List rows(last - 1, 1);
    rows.append({2, 1});
    return joined(builder_, loc_, value, rows);
  }
  [[nodiscard]] bool joins_rows() const {
    return !outer().empty() && outer().back().role == Role::spatial &&
           c_.spatial[outer().back().number].stride == 1;
  }

  // The rows of an image that a place of the window sees.
  mlir::Value rows_of(mlir::Value image, llvm::ArrayRef<std::int64_t> at) {
    List sizes(tensor_type_of(image).getShape());
    List from(sizes.size(), 0);
    List steps(sizes.size(), 1);
    for (const auto [index, axis] : llvm::enumerate(outer())) {
      if (axis.role != Role::spatial) continue;
      const Spatial& spatial = c_.spatial[axis.number];
      const std::int64_t times = joins_rows() && index + 1 == outer().size() ? blocks_ : 1;
      from[index] = spatial.offset(at[axis.number]) * times;
      sizes[index] = spatial.result * times;
      steps[index] = spatial.stride;
    }
    return extracted(builder_, loc_, image, from, sizes, steps);
  }

  // [places of the window][adjacent positions and channels]
  mlir::Value repeated_kernel() {
    const auto rank = static_cast<std::int64_t>(windows_.size());
    Expressions from;
    for (const Axis& axis : c_.kernel_axes) {
      from.push_back(axis.role == Role::spatial ? builder_.getAffineDimExpr(axis.number)
                     : axis.role == Role::group ? builder_.getAffineDimExpr(rank + 1)
                                                : builder_.getAffineConstantExpr(0));
    }
    List sizes(windows_);
    sizes.append({beside_, c_.groups});
    const mlir::Value value = moved(builder_, loc_, c_.kernel, sizes, from);
    List counts(rank, 1);
    counts.push_back(2);
    return joined(builder_, loc_, value, counts);
  }

  mlir::Value row_of(mlir::Value kernel, llvm::ArrayRef<std::int64_t> at) {
    const mlir::RankedTensorType type = tensor_type_of(kernel);
    List from(at);
    from.push_back(0);
    List sizes(at.size(), 1);
    sizes.push_back(type.getShape().back());
    const auto row = mlir::RankedTensorType::get({type.getShape().back()}, type.getElementType());
    return tensor::ExtractSliceOp::create(builder_, loc_, row, kernel, fixed(builder_, from),
                                          fixed(builder_, sizes),
                                          fixed(builder_, List(sizes.size(), 1)));
  }

  // One position at a time, without those beyond the end of a row.
  mlir::Value in_axes(mlir::Value value) {
    const auto last = static_cast<std::int64_t>(outer().size());
    if (joins_rows()) {
      const std::int64_t rows = c_.result_shape[last - 1];
      value = parted(builder_, loc_, value, last - 1, {rows, blocks_});
    }
    List counts(last, 1);
    counts.push_back(2);
    value = joined(builder_, loc_, value, counts);
    value = shortened(builder_, loc_, value, along().result * c_.groups);
    return parted(builder_, loc_, value, last,
                  llvm::ArrayRef<std::int64_t>(c_.result_shape).take_back(3));
  }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  Lowering& lowering_;
  const Convolution& c_;
  ChannelSums sums_;
  List windows_;
  std::int64_t along_ = 0;   // the spatial dimension whose positions are put next to each other
  std::int64_t beside_ = 1;  // the number of these
  std::int64_t blocks_ = 1;  // of them, in a row of the result
};

}  // namespace

mlir::Value by_full_rows(Lowering& lowering, const Convolution& convolution) {
  return FullRows(lowering, convolution).run();
}

}  // namespace tandem::compiler::convolution
