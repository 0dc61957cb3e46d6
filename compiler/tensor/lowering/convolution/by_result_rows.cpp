// The gradient of a kernel, where channels are innermost: a convolution with a large window and a
// small result, whose "batch" are the channels of the input, and whose features are its images.
//
//   result[dy, dx, c, o] = sum over n, y, x of input[n, y + dy, x + dx, c] kernel[n, y, x, o]
//
// Patches hold only the elements along a row: [n, rows][x][dx, c], a run each. For each dy there is
// a product over some of their rows, with the kernel transposed once for all of them:
//
//   [o][n, y x] times [n, y x][dx, c]
#include "compiler/tensor/lowering/convolution/convolution.hpp"
#include "compiler/tensor/tensor_type.hpp"

namespace tandem::compiler::convolution {
namespace {

class ResultRows {
 public:
  ResultRows(Lowering& lowering, const Convolution& convolution)
      : builder_(lowering.builder),
        loc_(convolution.op->getLoc()),
        lowering_(lowering),
        c_(convolution) {}

  mlir::Value run() {
    if (!fits() || !pays()) return {};
    const mlir::Value patches = patches_of_rows();
    const mlir::Value turned = turned_kernel();
    const std::int64_t width = tensor_type_of(patches).getShape().back();
    const std::int64_t columns = spatial(row_).result;
    const List shape{out_, spatial(other_).result, width};
    mlir::Value all =
        empty_tensor(builder_, loc_, mlir::RankedTensorType::get(shape, type_of_sums(c_)));
    for (std::int64_t place = 0; place < spatial(other_).result; ++place) {
      const mlir::Value rows = rows_of(patches, place);
      const mlir::Value sums = multiplied(turned, rows);
      all = inserted(builder_, loc_, sums, all, {0, place, 0}, {out_, 1, width});
    }
    return in_axes(parted(builder_, loc_, all, 2, {columns, channels_}));
  }

 private:
  [[nodiscard]] const Spatial& spatial(std::int64_t number) const { return c_.spatial[number]; }
  [[nodiscard]] std::int64_t input_extent(Axis axis) const {
    return tensor_type_of(c_.input).getDimSize(place_of(c_.input_axes, axis));
  }

  // Images, rows, places of a row, channels: windows see neighbours, and so do results of a row.
  bool fits() {
    if (c_.groups > 1 || c_.spatial.size() != 2 || c_.input_axes[0].role != Role::feature ||
        c_.input_axes[1].role != Role::spatial || c_.input_axes[2].role != Role::spatial) {
      return false;
    }
    other_ = c_.input_axes[1].number;
    row_ = c_.input_axes[2].number;
    images_ = input_extent({Role::feature});
    channels_ = input_extent({Role::batch});
    out_ = c_.result_shape[place_of(c_.result_axes, {Role::out})];
    const Spatial& along = spatial(row_);
    const Spatial& other = spatial(other_);
    return along.stride == 1 && other.dilation == 1 && !along.reversed && !other.reversed &&
           along.window > along.result && other.window > other.result && along.result > 1 &&
           channels_ > 1 && out_ > 1;
  }

  // Cycles: a row of VMEM of patches, and a push of weights for two rows of L.
  bool pays() {
    const std::int64_t lanes = lowering_.machine.lanes;
    const std::int64_t seen = spatial(row_).window * spatial(other_).window;
    const std::int64_t run = spatial(row_).result * channels_;
    const std::int64_t places = spatial(row_).result * spatial(other_).result;
    const auto product = [&](std::int64_t chunks, std::int64_t columns) {
      return chunks * columns * std::max(lanes / 2, out_);
    };
    // Beyond VMEM each product would copy them again.
    const std::int64_t words =
        images_ * rows_of_image() * spatial(row_).window * divided(run, lanes) * lanes;
    if (words > lowering_.machine.vmem_words() / 4) return false;
    const std::int64_t boxes = places * images_ * seen * divided(channels_, lanes);
    const std::int64_t rows =
        images_ * rows_of_image() * spatial(row_).window * (1 + divided(run, lanes));
    return rows + spatial(other_).result *
                      product(images_ * divided(seen, lanes), divided(run, lanes)) <
           boxes + product(divided(images_ * seen, lanes), divided(places * channels_, lanes));
  }
  // Those that some window sees.
  [[nodiscard]] std::int64_t rows_of_image() const {
    return spatial(other_).window + (spatial(other_).result - 1) * spatial(other_).stride;
  }

  // [images][rows, places of a row][places of the result along it, channels]
  mlir::Value patches_of_rows() {
    const mlir::Value image = padded_input(lowering_, c_, c_.input, c_.input_axes);
    const auto d = [&](unsigned number) { return builder_.getAffineDimExpr(number); };
    const List sizes{images_, rows_of_image(), spatial(row_).window,
                     spatial(row_).result * channels_};
    const Expressions from{d(0), d(1), (d(2) * (spatial(row_).dilation * channels_)) + d(3)};
    const mlir::Value patches =
        moved(builder_, loc_, joined(builder_, loc_, image, {1, 1, 2}), sizes, from);
    return joined(builder_, loc_, patches, {1, 2, 1});
  }

  // [output features][images][places of the window]
  mlir::Value turned_kernel() {
    const auto d = [&](unsigned number) { return builder_.getAffineDimExpr(number); };
    const Axes order{{Role::feature}, {Role::spatial, other_}, {Role::spatial, row_}, {Role::out}};
    mlir::Value kernel = c_.kernel;
    if (c_.kernel_axes != order) {
      Expressions from(order.size());
      List sizes;
      for (const auto [index, axis] : llvm::enumerate(order)) {
        const std::int64_t at = place_of(c_.kernel_axes, axis);
        from[at] = d(index);
        sizes.push_back(tensor_type_of(c_.kernel).getDimSize(at));
      }
      kernel = moved(builder_, loc_, kernel, sizes, from);
    }
    // Places become one dimension first, so that they are a row in memory.
    kernel = joined(builder_, loc_, kernel, {1, 2, 1});
    const auto shape = tensor_type_of(kernel).getShape();
    return moved(builder_, loc_, kernel, {shape[2], shape[0], shape[1]}, {d(1), d(2), d(0)});
  }

  mlir::Value rows_of(mlir::Value patches, std::int64_t place) {
    const std::int64_t columns = spatial(row_).window;
    List sizes(tensor_type_of(patches).getShape());
    sizes[1] = spatial(other_).window * columns;
    return extracted(builder_, loc_, patches, {0, place * spatial(other_).stride * columns, 0},
                     sizes);
  }

  // Loops: output feature, column | image, place.
  mlir::Value multiplied(mlir::Value left, mlir::Value right) {
    const auto d = [&](unsigned number) { return builder_.getAffineDimExpr(number); };
    const auto map = [&](const Expressions& expressions) {
      return mlir::AffineMap::get(4, 0, expressions, builder_.getContext());
    };
    const mlir::AffineMap maps[] = {map({d(0), d(2), d(3)}), map({d(2), d(3), d(1)}),
                                    map({d(0), d(1)})};
    return contraction(lowering_, c_.op, {left, right}, maps,
                       {out_, tensor_type_of(right).getShape().back()}, c_.precision, true);
  }

  // From [output features, rows, columns, channels] to the axes of the result.
  mlir::Value in_axes(mlir::Value value) {
    const Axes order{{Role::out}, {Role::spatial, other_}, {Role::spatial, row_}, {Role::batch}};
    Expressions from;
    for (const Axis& axis : order) {
      from.push_back(builder_.getAffineDimExpr(place_of(c_.result_axes, axis)));
    }
    return moved(builder_, loc_, value, c_.result_shape, from);
  }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  Lowering& lowering_;
  const Convolution& c_;
  std::int64_t row_ = 0;    // the spatial dimension of a row
  std::int64_t other_ = 0;  // and of the rows
  std::int64_t images_ = 1;
  std::int64_t channels_ = 1;
  std::int64_t out_ = 1;
};

}  // namespace

mlir::Value by_result_rows(Lowering& lowering, const Convolution& convolution) {
  return ResultRows(lowering, convolution).run();
}

}  // namespace tandem::compiler::convolution
