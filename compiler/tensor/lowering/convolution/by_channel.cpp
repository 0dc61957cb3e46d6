// Convolutions of one input and one output feature per group, on the vector units.
//
// A product of matrices of one column would use only that column of the matrix unit. Instead the
// result is a sum over the window of the shifted input times one number per channel. The gradient
// of such kernels, a convolution whose window is large and whose result is small, is a sum over all
// positions for each place of the result.
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/lowering/convolution/channel_sums.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace tandem::compiler::convolution {
namespace {

namespace arith = mlir::arith;

class ByChannel {
 public:
  ByChannel(Lowering& lowering, const Convolution& convolution)
      : builder_(lowering.builder),
        lowering_(lowering),
        c_(convolution),
        sums_(builder_, convolution) {
    for (const Spatial& spatial : c_.spatial) {
      windows_.push_back(spatial.window);
      results_.push_back(spatial.result);
    }
  }

  mlir::Value run() {
    const auto extent = [&](const Axes& axes, llvm::ArrayRef<std::int64_t> shape, Role role) {
      return shape[place_of(axes, {role})];
    };
    if (extent(c_.result_axes, c_.result_shape, Role::out) != 1) return {};
    const auto input = tensor_type_of(c_.input).getShape();
    if (extent(c_.input_axes, input, Role::feature) == 1) {
      return !threshold::channel_windows(product(windows_)) ? shifted_inputs() : mlir::Value();
    }
    const bool is_gradient = c_.groups > 1 && extent(c_.input_axes, input, Role::batch) == 1 &&
                             !threshold::channel_results(product(results_)) &&
                             llvm::none_of(c_.spatial, [](auto& s) { return s.reversed; });
    return is_gradient ? sums_of_products() : mlir::Value();
  }

 private:
  // A box of an operand: `at` and `sizes` along the spatial dimensions, all elements of the others.
  mlir::Value box(mlir::Value value, const Axes& axes, llvm::ArrayRef<std::int64_t> at,
                  llvm::ArrayRef<std::int64_t> sizes, llvm::ArrayRef<std::int64_t> strides) {
    List offsets(axes.size(), 0);
    List extents(tensor_type_of(value).getShape());
    List steps(axes.size(), 1);
    for (const auto [index, axis] : llvm::enumerate(axes)) {
      if (axis.role != Role::spatial) continue;
      offsets[index] = at[axis.number];
      extents[index] = sizes[axis.number];
      steps[index] = strides[axis.number];
    }
    return extracted(builder_, c_.op->getLoc(), value, offsets, extents, steps);
  }

  // The map of an operand's axes in the loops of the result; window and features have one element.
  mlir::AffineMap in_result(const Axes& axes, bool is_kernel) {
    Expressions expressions;
    for (const Axis& axis : axes) {
      const bool moves = axis.role == Role::group ||
                         (!is_kernel && (axis.role == Role::batch || axis.role == Role::spatial));
      expressions.push_back(moves ? builder_.getAffineDimExpr(place_of(c_.result_axes, axis))
                                  : builder_.getAffineConstantExpr(0));
    }
    return mlir::AffineMap::get(c_.result_axes.size(), 0, expressions, builder_.getContext());
  }

  mlir::Value shifted_inputs() {
    const mlir::Value input = padded_input(lowering_, c_, c_.input, c_.input_axes);
    const List ones(c_.spatial.size(), 1);
    List strides;
    for (const Spatial& spatial : c_.spatial) strides.push_back(spatial.stride);
    Values inputs;
    for (std::int64_t number = 0; number < product(windows_); ++number) {
      const List at = place(number, windows_);
      List from;
      for (const auto [i, spatial] : llvm::enumerate(c_.spatial)) {
        from.push_back(spatial.offset(at[i]));
      }
      inputs.append({box(input, c_.input_axes, from, results_, strides),
                     box(c_.kernel, c_.kernel_axes, at, ones, ones)});
    }
    return sums_.of_pairs(c_.result_shape, inputs, in_result(c_.input_axes, false),
                          in_result(c_.kernel_axes, true));
  }

  // Loops of a place of the result: features, then the window, then groups.
  mlir::AffineMap in_sums(const Axes& axes) {
    const auto loops = static_cast<std::int64_t>(c_.spatial.size()) + 2;
    Expressions expressions;
    for (const Axis& axis : axes) {
      if (axis.role == Role::feature) {
        expressions.push_back(builder_.getAffineDimExpr(0));
      } else if (axis.role == Role::spatial) {
        expressions.push_back(builder_.getAffineDimExpr(1 + axis.number));
      } else if (axis.role == Role::group) {
        expressions.push_back(builder_.getAffineDimExpr(loops - 1));
      } else {
        expressions.push_back(builder_.getAffineConstantExpr(0));
      }
    }
    return mlir::AffineMap::get(loops, 0, expressions, builder_.getContext());
  }

  mlir::Value sums_of_products() {
    const mlir::Location loc = c_.op->getLoc();
    const mlir::Value input = padded_input(lowering_, c_, c_.input, c_.input_axes);
    const mlir::Value zero =
        arith::ConstantOp::create(builder_, loc, builder_.getZeroAttr(sums_.type()));
    const auto row = mlir::RankedTensorType::get({c_.groups}, sums_.type());
    const auto loops = static_cast<unsigned>(c_.spatial.size() + 2);
    llvm::SmallVector<mlir::utils::IteratorType> iterators(loops,
                                                           mlir::utils::IteratorType::reduction);
    iterators.back() = mlir::utils::IteratorType::parallel;
    const mlir::AffineMap maps[] = {
        in_sums(c_.input_axes), in_sums(c_.kernel_axes),
        mlir::AffineMap::get(loops, 0, builder_.getAffineDimExpr(loops - 1))};
    List dilations;
    for (const Spatial& spatial : c_.spatial) dilations.push_back(spatial.dilation);
    mlir::Value result =
        empty_tensor(builder_, loc, mlir::RankedTensorType::get(c_.result_shape, sums_.type()));
    for (std::int64_t number = 0; number < product(results_); ++number) {
      const List at = place(number, results_);
      List from;
      for (const auto [i, spatial] : llvm::enumerate(c_.spatial)) {
        from.push_back(at[i] * spatial.stride);
      }
      const Values inputs{box(input, c_.input_axes, from, windows_, dilations), c_.kernel};
      auto sums = mlir::linalg::GenericOp::create(
          builder_, loc, mlir::TypeRange{row}, inputs,
          mlir::ValueRange{filled_tensor(builder_, loc, row, zero)}, maps, iterators,
          [&](mlir::OpBuilder& nested, mlir::Location where, mlir::ValueRange elements) {
            const mlir::Value one = sums_.multiplied(nested, where, elements);
            mlir::linalg::YieldOp::create(nested, where,
                                          sums_.added(nested, where, elements[2], one));
          });
      result = inserted(sums.getResult(0), result, at);
    }
    return result;
  }

  // The sums of all groups at a place of the result.
  mlir::Value inserted(mlir::Value row, mlir::Value result, llvm::ArrayRef<std::int64_t> at) {
    List offsets(c_.result_axes.size(), 0);
    List extents(c_.result_axes.size(), 1);
    for (const auto [index, axis] : llvm::enumerate(c_.result_axes)) {
      if (axis.role == Role::spatial) offsets[index] = at[axis.number];
      if (axis.role == Role::group) extents[index] = c_.groups;
    }
    return convolution::inserted(builder_, c_.op->getLoc(), row, result, offsets, extents);
  }

  mlir::OpBuilder& builder_;
  Lowering& lowering_;
  const Convolution& c_;
  List windows_;
  List results_;
  ChannelSums sums_;
};

}  // namespace

mlir::Value by_channel(Lowering& lowering, const Convolution& convolution) {
  return ByChannel(lowering, convolution).run();
}

}  // namespace tandem::compiler::convolution
