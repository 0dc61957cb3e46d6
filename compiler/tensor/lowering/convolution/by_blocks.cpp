// Convolutions with features innermost: several positions of a row side by side, and patches along
// a row only.
//
// *Blocks.* Where the output features fill half of the lanes or less, most of each row of a
// product, of its patches and of its result is empty. So `block` consecutive positions along the
// last spatial dimension become one position of `block` times as many output features: the window
// grows to the elements that they see together, (block - 1) * stride + window places, the stride to
// block * stride, and each of the `block` copies of the kernel is `stride` places after the one
// before, with zeros around it. The result has the same elements in the same order, except for
// positions beyond the end of a row, which are cut off. The zeros are multiplied by elements that
// the position does not see: an infinity or NaN there makes the position NaN. So this is only for
// precision DEFAULT, and for integers.
//
// *Rows.* Where the other dimensions have stride one, patches hold the elements that a position
// sees along its row. Those in another row are the patch of another position, which already exists:
// the product goes over the places of the window in that dimension, and its sums stay in the
// accumulators.
#include "compiler/tensor/lowering/convolution/convolution.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler::convolution {
namespace {

namespace tensor = mlir::tensor;

struct Plan {
  std::int64_t block = 1;
  bool by_rows = false;
};

constexpr std::int64_t result_latency = 100;  // of a product, apart from its passage through the
                                              // unit

class Blocks {
 public:
  Blocks(Lowering& lowering, const Convolution& convolution)
      : builder_(lowering.builder),
        loc_(convolution.op->getLoc()),
        lowering_(lowering),
        c_(convolution) {}

  // Whether it has this form at all; chooses `plan` then.
  bool choose() {
    if (!is_for_blocks()) return false;
    plan_ = choose_plan();
    return true;
  }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] double cycles() const { return cycles(plan_); }
  // Elements of a row that the plan needs in addition to those that windows see.
  [[nodiscard]] std::int64_t beyond() const {
    const Spatial& along = c_.spatial[along_];
    return (divided(along.result, plan_.block) * plan_.block - along.result) * along.stride;
  }

  mlir::Value run() {
    if (plan_.block == 1 && !plan_.by_rows) return {};
    put_kernel_in_order(plan_.by_rows);
    widen(plan_.block, plan_.by_rows);
    const mlir::Value result = plan_.by_rows ? by_rows() : by_patches(lowering_, wide_);
    return result ? narrow_result(result) : mlir::Value();
  }

 private:
  [[nodiscard]] std::int64_t input_extent(const Axis& axis) const {
    return tensor_type_of(c_.input).getDimSize(place_of(c_.input_axes, axis));
  }
  // Places that `block` positions see together.
  [[nodiscard]] std::int64_t window(std::int64_t block) const {
    return ((block - 1) * c_.spatial[along_].stride) + c_.spatial[along_].window;
  }
  [[nodiscard]] bool may_block() const {
    return c_.precision == "DEFAULT" ||
           mlir::isa<mlir::IntegerType>(tensor_type_of(c_.input).getElementType());
  }

  // Input and result end with the same spatial dimension and the features.
  bool is_for_blocks() {
    const std::size_t rank = c_.result_axes.size();
    if (rank < 3 || c_.groups > 1 || c_.result_axes.back().role != Role::out ||
        c_.input_axes.back().role != Role::feature) {
      return false;
    }
    const Axis last = c_.result_axes[rank - 2];
    if (last.role != Role::spatial || c_.input_axes[rank - 2] != last) return false;
    along_ = last.number;
    return c_.spatial[along_].dilation == 1;
  }

  // Whether patches of other rows are those of other positions, and there is one such dimension:
  // the sums over one stay in the accumulators.
  [[nodiscard]] bool may_go_by_rows(std::int64_t block) const {
    std::int64_t others = 0;
    for (const auto [number, spatial] : llvm::enumerate(c_.spatial)) {
      if (static_cast<std::int64_t>(number) == along_ || spatial.window == 1) continue;
      if (spatial.stride != 1) return false;
      ++others;
      // The longer of the two summed dimensions should be the one along the row.
      if (spatial.window >= window(block) * input_extent({Role::feature})) return false;
    }
    return others == 1;
  }

  // Cycles, without overlap: patches and copies of the kernel are laid out, a row of VMEM per
  // cycle; then a row of a product for each chunk of lanes; then the result is copied out.
  [[nodiscard]] double cycles(const Plan& plan) const {
    const std::int64_t lanes = lowering_.machine.lanes;
    std::int64_t batch = 1;
    std::int64_t rows = divided(c_.spatial[along_].result, plan.block);
    std::int64_t seen = rows;  // positions that have patches, of an image
    std::int64_t outer = 1;    // places of the other dimensions' windows
    for (const auto [axis, extent] : llvm::zip(c_.result_axes, c_.result_shape)) {
      if (axis.role == Role::batch) batch = extent;
    }
    for (const auto [number, spatial] : llvm::enumerate(c_.spatial)) {
      if (static_cast<std::int64_t>(number) == along_) continue;
      outer *= spatial.window;
      rows *= spatial.result;
      seen *= spatial.result + (spatial.window - 1) * spatial.dilation;
    }
    const std::int64_t run = window(plan.block) * input_extent({Role::feature});
    const std::int64_t columns = divided(plan.block * c_.result_shape.back(), lanes);
    const std::int64_t deep =
        plan.by_rows ? outer * divided(run, lanes) : divided(outer * run, lanes);
    const std::int64_t kernel_rows =
        outer * c_.spatial[along_].window * input_extent({Role::feature});
    const double beats = 1 + (static_cast<double>(run) / static_cast<double>(lanes));
    const auto patches = static_cast<double>(batch * (plan.by_rows ? seen : outer * rows)) * beats;
    const double copies = plan.block == 1 ? 0 : 1.2 * static_cast<double>(plan.block * kernel_rows);
    const auto times = static_cast<double>(plan.by_rows ? batch : 1);
    const auto pushes = times * static_cast<double>(deep * columns * lanes) / 2;
    const auto multiplied = static_cast<double>(batch * rows * deep * columns);
    // Each image is a product, and so is the remainder of the last chunk: each waits for the one
    // before.
    const std::int64_t depth = plan.by_rows ? run : outer * run;
    const double products = times * (depth > lanes && depth % lanes != 0 ? 2 : 1);
    return patches + copies + std::max(pushes, multiplied) +
           products * static_cast<double>(2 * lanes + result_latency) +
           static_cast<double>(batch * rows * columns);
  }

  // As many positions as the lanes hold, or fewer, where that saves a tenth.
  [[nodiscard]] Plan choose_plan() const {
    const std::int64_t most =
        may_block() ? lowering_.machine.lanes / std::max<std::int64_t>(1, c_.result_shape.back())
                    : 1;
    const std::int64_t row = c_.spatial[along_].result;
    Plan best;
    double least = 0.9 * cycles(best);
    const auto look_at = [&](const Plan& plan) {
      const double these = cycles(plan);
      if (these >= least) return;
      least = these;
      best = plan;
    };
    for (std::int64_t block = 1; block <= std::max<std::int64_t>(1, std::min(most, row)); ++block) {
      if (block > 1) look_at({block, false});
      if (may_go_by_rows(block)) look_at({block, true});
    }
    return best;
  }

  // The kernel in the layout of the product's rows, with nothing reversed: places in the order of
  // the input, those along the row next to the features, which are innermost where they were. Then
  // a row of patches is multiplied by one row of the kernel, and by rows by a row of each other
  // place.
  void put_kernel_in_order(bool by_rows) {
    wide_ = c_;
    Axes order;
    for (const Axis& axis : c_.input_axes) {
      if (axis.role == Role::spatial && axis.number != along_) order.push_back(axis);
    }
    const Axis along{Role::spatial, along_};
    // Its input features are innermost.
    const bool by_columns = c_.kernel_axes.back().role == Role::feature;
    if (by_columns) {
      order.insert(by_rows ? order.end() : order.begin(), Axis{Role::out});
      order.append({along, {Role::feature}});
    } else {
      order.append({along, {Role::feature}, {Role::out}});
    }
    const mlir::RankedTensorType type = tensor_type_of(c_.kernel);
    Expressions from(order.size());
    List sizes;
    bool is_same = true;
    for (const auto [index, axis] : llvm::enumerate(order)) {
      const std::int64_t at = place_of(c_.kernel_axes, axis);
      const std::int64_t size = type.getDimSize(at);
      const bool turns = axis.role == Role::spatial && size > 1 && c_.spatial[axis.number].reversed;
      const mlir::AffineExpr straight = builder_.getAffineDimExpr(index);
      from[at] = turns ? size - 1 - straight : straight;
      sizes.push_back(size);
      is_same = is_same && at == static_cast<std::int64_t>(index) && !turns;
    }
    if (!is_same) wide_.kernel = moved(builder_, loc_, c_.kernel, sizes, from);
    wide_.kernel_axes = order;
    for (Spatial& spatial : wide_.spatial) spatial.reversed = false;
  }

  // `block` positions as one.
  void widen(std::int64_t block, bool by_rows) {
    const bool by_columns = wide_.kernel_axes.back().role == Role::feature;
    if (block > 1 || by_columns) wide_.kernel = wide_kernel(block, by_rows);
    if (block == 1) return;
    Spatial& along = wide_.spatial[along_];
    along.window = window(block);
    along.stride *= block;
    along.result = divided(along.result, block);
    const std::int64_t size = input_extent({Role::spatial, along_});
    along.high = ((along.result - 1) * along.stride) + along.window -
                 ((size - 1) * along.input_dilation + 1 + along.low);
    wide_.result_shape.back() *= block;
    wide_.result_shape[wide_.result_shape.size() - 2] = along.result;
  }

  // The kernel with zeros, copies of it `stride` places apart; output features of the first
  // position first. A row of the product is a row in memory.
  mlir::Value wide_kernel(std::int64_t block, bool by_rows) {
    const auto others = static_cast<std::int64_t>(c_.spatial.size()) - 1;
    const bool by_columns = wide_.kernel_axes.back().role == Role::feature;
    const bool in_one_row = by_columns && !by_rows;
    const mlir::RankedTensorType type = tensor_type_of(wide_.kernel);
    const std::int64_t features = input_extent({Role::feature});
    const std::int64_t run = c_.spatial[along_].window * features;  // of one position
    const std::int64_t length = window(block) * features;
    const std::int64_t apart = c_.spatial[along_].stride * features;
    const std::int64_t out = c_.result_shape.back();
    // [others][places and features][output features], or the last two the other way, or
    // [output features][others, places, features].
    List sizes;
    List box;
    std::int64_t rows = 1;  // of places that are in one row
    for (std::int64_t i = 0; i < others; ++i) {
      const std::int64_t extent = type.getDimSize(in_one_row ? i + 1 : i);
      if (in_one_row) rows *= extent;
      if (!in_one_row) sizes.push_back(extent);
    }
    box = sizes;
    sizes.append({by_columns ? block * out : length, by_columns ? rows * length : block * out});
    box.append({by_columns ? out : run, by_columns ? run : out});
    const auto wide_type = mlir::RankedTensorType::get(sizes, type.getElementType());
    List counts(others, 1);
    if (in_one_row) counts = {1, others + 2};
    if (!in_one_row) counts.append({by_columns ? 1 : 2, by_columns ? 2 : 1});
    const mlir::Value narrow = convolution::joined(builder_, loc_, wide_.kernel, counts);
    const mlir::Value zero = mlir::arith::ConstantOp::create(
        builder_, loc_, builder_.getZeroAttr(type.getElementType()));
    mlir::Value wide = block == 1 ? empty_tensor(builder_, loc_, wide_type)
                                  : filled_tensor(builder_, loc_, wide_type, zero);
    for (std::int64_t number = 0; number < block * rows; ++number) {
      const std::int64_t position = number / rows;
      const std::int64_t row = number % rows;
      List to(box.size(), 0);
      to[others_of(in_one_row)] = position * (by_columns ? out : apart);
      to.back() = by_columns ? row * length + position * apart : position * out;
      List from(box.size(), 0);
      from.back() = row * run;
      const mlir::Value part = rows == 1 ? narrow : extracted(builder_, loc_, narrow, from, box);
      wide = inserted(builder_, loc_, part, wide, to, box);
    }
    return in_kernel_axes(wide, block);
  }
  [[nodiscard]] std::size_t others_of(bool in_one_row) const {
    return in_one_row ? 0 : c_.spatial.size() - 1;
  }

  // Its dimensions separately.
  mlir::Value in_kernel_axes(mlir::Value wide, std::int64_t block) {
    llvm::SmallVector<mlir::ReassociationIndices> parts;
    List sizes(tensor_type_of(wide_.kernel).getShape());
    sizes[place_of(wide_.kernel_axes, {Role::spatial, along_})] = window(block);
    sizes[place_of(wide_.kernel_axes, {Role::out})] *= block;
    std::size_t next = 0;
    for (const std::int64_t extent : tensor_type_of(wide).getShape()) {
      parts.emplace_back();
      for (std::int64_t together = 1; together < extent || parts.back().empty(); ++next) {
        together *= sizes[next];
        parts.back().push_back(static_cast<std::int64_t>(next));
      }
    }
    for (; next < sizes.size(); ++next) parts.back().push_back(static_cast<std::int64_t>(next));
    const auto type = mlir::RankedTensorType::get(sizes, tensor_type_of(wide).getElementType());
    return tensor::ExpandShapeOp::create(builder_, loc_, type, wide, parts);
  }

  // The product over patches of a row, and over the other places of the window.
  mlir::Value by_rows() {
    const auto dimension = [&](std::int64_t number) { return builder_.getAffineDimExpr(number); };
    mlir::Value patches = patches_of_rows();
    const std::int64_t out = place_of(wide_.kernel_axes, {Role::out});
    const std::int64_t along = place_of(wide_.kernel_axes, {Role::spatial, along_});
    // Loops: those of the result | places of the other dimensions, place and feature as one.
    const auto results = static_cast<std::int64_t>(wide_.result_axes.size());
    const auto windows = static_cast<std::int64_t>(wide_.spatial.size()) - 1;
    const mlir::AffineExpr deep = dimension(results + windows);
    Expressions left;
    for (const Axis& axis : llvm::ArrayRef<Axis>(wide_.input_axes).drop_back()) {
      mlir::AffineExpr at = dimension(place_of(wide_.result_axes, axis));
      if (axis.role == Role::spatial && axis.number != along_) {
        const Spatial& spatial = wide_.spatial[axis.number];
        at = at * spatial.stride +
             dimension(results + place_of(wide_.kernel_axes, axis)) * spatial.dilation;
      }
      left.push_back(at);
    }
    left.push_back(deep);
    Expressions right;
    for (std::int64_t i = 0; i < windows; ++i) right.push_back(dimension(results + i));
    const mlir::AffineExpr column = dimension(place_of(wide_.result_axes, {Role::out}));
    right.append({out < along ? column : deep, out < along ? deep : column});
    Expressions into;
    for (std::int64_t i = 0; i < results; ++i) into.push_back(dimension(i));
    const auto map = [&](const Expressions& expressions) {
      return mlir::AffineMap::get(results + windows + 1, 0, expressions, builder_.getContext());
    };
    const mlir::AffineMap maps[] = {map(left), map(right), map(into)};
    return contraction(lowering_, wide_.op, {patches, joined(wide_.kernel, along)}, maps,
                       wide_.result_shape, wide_.precision);
  }

  // [..., rows][positions][places along the row, features]
  mlir::Value patches_of_rows() {
    const mlir::Value image = padded_input(lowering_, wide_, wide_.input, wide_.input_axes);
    const Spatial& spatial = wide_.spatial[along_];
    List sizes(tensor_type_of(image).getShape());
    const auto last = static_cast<std::int64_t>(sizes.size()) - 2;
    const std::int64_t width = sizes.back();
    sizes[last] = spatial.result;
    sizes.back() = spatial.window * width;
    Expressions from;
    for (std::int64_t i = 0; i < last; ++i) from.push_back(builder_.getAffineDimExpr(i));
    from.push_back((builder_.getAffineDimExpr(last) * (spatial.stride * width)) +
                   builder_.getAffineDimExpr(last + 1));
    return moved(builder_, loc_, joined(image, last), sizes, from);
  }

  // Back to a position at a time, without those beyond the end of a row.
  mlir::Value narrow_result(mlir::Value value) {
    const mlir::RankedTensorType type = tensor_type_of(value);
    if (type.getShape() == llvm::ArrayRef<std::int64_t>(c_.result_shape)) return value;
    const std::int64_t rank = type.getRank();
    value = joined(value, rank - 2);
    value = shortened(builder_, loc_, value, c_.spatial[along_].result * c_.result_shape.back());
    return parted(builder_, loc_, value, rank - 2,
                  llvm::ArrayRef<std::int64_t>(c_.result_shape).take_back(2));
  }

  // Dimensions `at` and the one after it as one.
  mlir::Value joined(mlir::Value value, std::int64_t at) {
    List counts(tensor_type_of(value).getRank() - 1, 1);
    counts[at] = 2;
    return convolution::joined(builder_, loc_, value, counts);
  }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  Lowering& lowering_;
  const Convolution& c_;
  Plan plan_;
  Convolution wide_;        // executed in its place
  std::int64_t along_ = 0;  // the spatial dimension whose positions are put side by side
};

// Images below each other are one image; results that see two of them are not used. By rows all
// images are one product.
class TallImage {
 public:
  TallImage(Lowering& lowering, const Convolution& convolution)
      : lowering_(lowering), c_(convolution), tall_(convolution) {}

  // Images, rows, places of a row, features; then `convolution` has the extents.
  bool fits() {
    const Axes& axes = c_.input_axes;
    if (c_.groups > 1 || c_.spatial.size() != 2 || axes[0].role != Role::batch ||
        axes[1].role != Role::spatial || c_.result_axes[0] != axes[0] ||
        c_.result_axes[1] != axes[1] || c_.result_shape[0] < 2) {
      return false;
    }
    const Spatial& rows = c_.spatial[axes[1].number];
    reach_ = (rows.window - 1) * rows.dilation;
    rows_ = rows.result + reach_;  // of an image
    if (rows.stride != 1) return false;
    Spatial& tall = tall_.spatial[axes[1].number];
    tall.low = tall.high = 0;
    tall.input_dilation = 1;
    tall.result = (c_.result_shape[0] * rows_) - reach_;
    tall_.result_shape[0] = 1;
    tall_.result_shape[1] = tall.result;
    return true;
  }
  [[nodiscard]] const Convolution& convolution() const { return tall_; }

  // The image itself, with this many elements more at the end of rows.
  void build(std::int64_t beyond) {
    const std::int64_t along = c_.input_axes[2].number;
    List more(2, 0);
    more[along] = beyond;
    mlir::OpBuilder& builder = lowering_.builder;
    const mlir::Location loc = c_.op->getLoc();
    mlir::Value image = padded_input(lowering_, c_, c_.input, c_.input_axes, more);
    image = joined(builder, loc, image, {2, 1, 1});
    const std::int64_t rows = tensor_type_of(image).getDimSize(0);
    tall_.input = parted(builder, loc, image, 0, {1, rows});
    Spatial& spatial = tall_.spatial[along];
    spatial.low = spatial.high = 0;
    spatial.input_dilation = 1;
  }

  // The results of each image.
  mlir::Value in_images(mlir::Value value) {
    if (!value) return {};
    mlir::OpBuilder& builder = lowering_.builder;
    const auto d = [&](unsigned number) { return builder.getAffineDimExpr(number); };
    const Expressions from{builder.getAffineConstantExpr(0), (d(0) * rows_) + d(1), d(2), d(3)};
    return moved(builder, c_.op->getLoc(), value, c_.result_shape, from);
  }

 private:
  Lowering& lowering_;
  const Convolution& c_;
  Convolution tall_;
  std::int64_t reach_ = 0;
  std::int64_t rows_ = 0;
};

}  // namespace

mlir::Value by_blocks(Lowering& lowering, const Convolution& convolution) {
  Blocks apart(lowering, convolution);
  if (!apart.choose()) return {};
  TallImage image(lowering, convolution);
  if (image.fits()) {
    Blocks together(lowering, image.convolution());
    if (together.choose() && together.plan().by_rows && together.cycles() < apart.cycles()) {
      image.build(together.beyond());
      return image.in_images(together.run());
    }
  }
  return apart.run();
}

}  // namespace tandem::compiler::convolution
