// Convolution as one product of matrices: patches of the input, side by side, times the kernel.
//
// A patch is the part of the input that one position of the result sees. The layout of the matrix
// follows the input's innermost dimension, so that copies move long runs:
//
//   features       [positions][places of the window, features]      as in NHWC
//   a spatial one  [batch][features, places of the window][positions]   as in NCHW
//   batch          [features, window][places of the result, batch]  the gradient of a kernel in
//   NHWC
//
// Where the window has more places than the result (again the gradient of a kernel), those of the
// result are unrolled instead, and window and result change roles, and so do features and batch.
// Positions in rows of the input are used in the order of its padded image, including those between
// two rows of the result: so each place of the window is one run, and the positions in between are
// cut off in the end. With strides, the image is first split by the remainders of its positions.
//
// A window of one place has no patches: the input is the matrix.
#include "compiler/contract/thresholds.hpp"
#include "compiler/tensor/lowering/convolution/flat_images.hpp"
#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace tandem::compiler::convolution {
namespace {

namespace tensor = mlir::tensor;

enum class Label : std::uint8_t { group, free, more_free, out, deep, more_deep };
using Labels = llvm::SmallVector<Label>;

bool is_deep(Label label) { return label == Label::deep || label == Label::more_deep; }

struct Matrix {
  mlir::Value value;
  Labels labels;
};

class Patches {
 public:
  Patches(Lowering& lowering, const Convolution& convolution)
      : builder_(lowering.builder),
        loc_(convolution.op->getLoc()),
        lowering_(lowering),
        c_(convolution) {}

  mlir::Value run() {
    if (!choose()) return {};
    order_input();
    const Matrix patches = is_flat_ ? flat_patches() : boxes();
    return multiplied(patches);
  }

 private:
  [[nodiscard]] std::int64_t extent(const Axis& axis) const {
    return tensor_type_of(c_.input).getDimSize(place_of(c_.input_axes, axis));
  }
  // For a spatial dimension: the number of unrolled places and their distance; the number of
  // positions in order and their distance.
  [[nodiscard]] std::int64_t places(std::int64_t i) const {
    return by_results_ ? c_.spatial[i].result : c_.spatial[i].window;
  }
  [[nodiscard]] std::int64_t taken(std::int64_t i) const {
    return by_results_ ? c_.spatial[i].window : c_.spatial[i].result;
  }
  [[nodiscard]] std::int64_t step(std::int64_t i) const {
    return by_results_ ? c_.spatial[i].dilation : c_.spatial[i].stride;
  }
  [[nodiscard]] std::int64_t offset(std::int64_t i, std::int64_t place) const {
    return by_results_ ? place * c_.spatial[i].stride : c_.spatial[i].offset(place);
  }
  [[nodiscard]] std::int64_t last_offset(std::int64_t i) const {
    return (places(i) - 1) * (by_results_ ? c_.spatial[i].stride : c_.spatial[i].dilation);
  }

  bool choose() {
    Axes axes;
    List shape;
    for (const Axis& axis : c_.input_axes) {
      if (axis.role == Role::group) continue;
      axes.push_back(axis);
      shape.push_back(extent(axis));
      if (axis.role == Role::spatial) order_.push_back(axis.number);
    }
    inner_ = innermost(axes, shape);
    List windows;
    List results;
    for (const Spatial& spatial : c_.spatial) {
      windows.push_back(spatial.window);
      results.push_back(spatial.result);
    }
    const bool one_window = product(windows) == 1;
    switch (inner_.role) {
      case Role::feature: by_results_ = product(results) == 1 && !one_window; break;
      case Role::batch: by_results_ = !one_window; break;
      case Role::spatial: by_results_ = product(windows) > product(results); break;
      case Role::group:
      case Role::out: return false;
    }
    count_ = product(by_results_ ? results : windows);
    is_flat_ = inner_.role == Role::spatial && !by_results_;
    return !threshold::patches(count_);
  }

  // The channel next to the places: whether its elements are summed or not, like theirs.
  [[nodiscard]] Axis beside() const { return {by_results_ ? Role::batch : Role::feature}; }
  [[nodiscard]] Axis other() const { return {by_results_ ? Role::feature : Role::batch}; }

  // Groups first; the innermost channel last, or both channels before spatial dimensions.
  void order_input() {
    if (c_.groups > 1) axes_.push_back({Role::group});
    if (inner_.role == Role::spatial) {
      axes_.append({other(), beside()});
      axes_.append(spatial_axes());
    } else {
      if (inner_ != beside()) axes_.push_back(beside());
      for (const Axis& axis : c_.input_axes) {
        if (!llvm::is_contained(axes_, axis) && axis != inner_) axes_.push_back(axis);
      }
      axes_.push_back(inner_);
    }
    input_ = permuted(c_.input, c_.input_axes, axes_);
  }

  // The axes in another order; spatial ones in `backwards` are reversed.
  mlir::Value permuted(mlir::Value value, const Axes& from, const Axes& to,
                       bool backwards = false) {
    const mlir::RankedTensorType type = tensor_type_of(value);
    Expressions expressions(from.size());
    List sizes;
    bool is_same = true;
    for (const auto [index, axis] : llvm::enumerate(to)) {
      const std::int64_t at = place_of(from, axis);
      const std::int64_t size = type.getDimSize(at);
      const mlir::AffineExpr straight = builder_.getAffineDimExpr(index);
      const bool turns =
          backwards && axis.role == Role::spatial && size > 1 && c_.spatial[axis.number].reversed;
      expressions[at] = turns ? size - 1 - straight : straight;
      sizes.push_back(size);
      is_same = is_same && at == static_cast<std::int64_t>(index) && !turns;
    }
    if (is_same) return value;
    return moved(builder_, loc_, value, sizes, expressions);
  }

  mlir::Value extracted(mlir::Value value, const List& at, const List& sizes, const List& steps) {
    const bool is_whole = sizes == List(tensor_type_of(value).getShape()) &&
                          llvm::all_of(steps, [](std::int64_t one) { return one == 1; });
    if (is_whole) return value;
    return convolution::extracted(builder_, loc_, value, at, sizes, steps);
  }
  mlir::Value inserted(mlir::Value part, mlir::Value into, const List& at, const List& sizes) {
    return convolution::inserted(builder_, loc_, part, into, at, sizes);
  }
  mlir::Value room(const List& sizes) {
    return empty_tensor(
        builder_, loc_,
        mlir::RankedTensorType::get(sizes, tensor_type_of(input_).getElementType()));
  }

  // The place along each spatial dimension, the last one in the input's order fastest.
  List place(std::int64_t number) const {
    List result(c_.spatial.size(), 0);
    for (const std::int64_t i : llvm::reverse(order_)) {
      result[i] = number % places(i);
      number /= places(i);
    }
    return result;
  }
  [[nodiscard]] Axes spatial_axes() const {
    Axes axes;
    for (const std::int64_t i : order_) axes.push_back({Role::spatial, i});
    return axes;
  }

  // Boxes of the input: all of them with the extents of one.
  Matrix boxes() {
    const mlir::Value image = padded_input(lowering_, c_, input_, axes_);
    List sizes(tensor_type_of(image).getShape());
    List steps(axes_.size(), 1);
    for (const auto [index, axis] : llvm::enumerate(axes_)) {
      if (axis.role != Role::spatial) continue;
      sizes[index] = taken(axis.number);
      steps[index] = step(axis.number);
    }
    const auto box = [&](std::int64_t number) {
      List at(axes_.size(), 0);
      const List where = place(number);
      for (const auto [index, axis] : llvm::enumerate(axes_)) {
        if (axis.role == Role::spatial) at[index] = offset(axis.number, where[axis.number]);
      }
      return extracted(image, at, sizes, steps);
    };
    const auto groups = static_cast<std::int64_t>(c_.groups > 1);
    const auto rank = static_cast<std::int64_t>(axes_.size());
    if (inner_.role == Role::spatial) return rows_of_boxes(box, sizes);
    Matrix result;
    if (groups > 0) result.labels.push_back(Label::group);
    List counts(groups, 1);
    if (inner_ != beside()) {  // one place
      counts.append({1, rank - groups - 1});
      result.value = joined(builder_, loc_, box(0), counts);
      const bool sums = inner_.role == Role::feature;
      result.labels.append({sums ? Label::free : Label::deep, sums ? Label::deep : Label::free});
      (sums ? free_ : deep_).push_back(axes_[groups]);
      (sums ? deep_ : free_).append(axes_.begin() + groups + 1, axes_.end());
      (sums ? free_ : deep_).append(spatial_axes());  // of one element each
      return result;
    }
    result.value = count_ > 1 ? rows_of_patches(image, box, sizes) : box(0);
    counts.append({rank - groups - 1, 1});
    result.value = joined(builder_, loc_, result.value, counts);
    Axes rows(axes_.begin() + groups, axes_.end() - 1);
    Axes row = spatial_axes();
    row.push_back(inner_);
    deep_ = by_results_ ? rows : row;
    free_ = by_results_ ? row : rows;
    result.labels.append(
        {by_results_ ? Label::deep : Label::free, by_results_ ? Label::free : Label::deep});
    return result;
  }

  // [groups, positions][places of the window, features]: a copy for each place. Where those along
  // the last spatial dimension follow each other in the input, including features, they are one
  // run.
  mlir::Value rows_of_patches(mlir::Value image, llvm::function_ref<mlir::Value(std::int64_t)> box,
                              const List& sizes) {
    List all(sizes);
    all.back() *= count_;
    mlir::Value result = room(all);
    const std::int64_t last = order_.empty() ? 0 : order_.back();
    const bool in_runs = !by_results_ && places(last) > 1 &&
                         axes_[axes_.size() - 2] == Axis{Role::spatial, last} &&
                         c_.spatial[last].dilation == 1 && !c_.spatial[last].reversed;
    const std::int64_t run = in_runs ? places(last) : 1;
    List part(sizes);
    part.back() *= run;
    for (std::int64_t number = 0; number < count_; number += run) {
      List at(axes_.size(), 0);
      at.back() = number * sizes.back();
      const mlir::Value patch = in_runs ? runs(image, place(number), part) : box(number);
      result = inserted(patch, result, at, part);
    }
    return result;
  }

  // The run of all positions that begins at this place.
  mlir::Value runs(mlir::Value image, const List& where, const List& sizes) {
    const std::int64_t last = static_cast<std::int64_t>(axes_.size()) - 2;
    const std::int64_t width = tensor_type_of(image).getDimSize(last + 1);
    List at(axes_.size(), 0);
    List extents(tensor_type_of(image).getShape());
    List steps(axes_.size(), 1);
    List counts(last, 1);
    counts.push_back(2);
    Expressions from;
    for (std::int64_t index = 0; index < last; ++index) {
      from.push_back(builder_.getAffineDimExpr(index));
      if (axes_[index].role != Role::spatial) continue;
      const std::int64_t i = axes_[index].number;
      at[index] = offset(i, where[i]);
      extents[index] = taken(i);
      steps[index] = step(i);
    }
    from.push_back(builder_.getAffineDimExpr(last) * (step(order_.back()) * width) +
                   builder_.getAffineDimExpr(last + 1));
    const mlir::Value flat = joined(builder_, loc_, image, counts);
    at.pop_back();
    steps.pop_back();
    extents.pop_back();
    extents.back() = tensor_type_of(flat).getShape().back();
    return moved(builder_, loc_, extracted(flat, at, extents, steps), sizes, from);
  }

  // [groups, features][batch, places of the result][window]
  Matrix rows_of_boxes(llvm::function_ref<mlir::Value(std::int64_t)> box, const List& sizes) {
    const auto groups = static_cast<std::int64_t>(c_.groups > 1);
    const auto spatial = static_cast<std::int64_t>(order_.size());
    List all(sizes);
    all.insert(all.begin() + groups + 2, count_);
    List one(all);
    one[groups + 2] = 1;
    mlir::Value value = room(all);
    for (std::int64_t number = 0; number < count_; ++number) {
      List at(all.size(), 0);
      at[groups + 2] = number;
      value = inserted(box(number), value, at, one);
    }
    List counts(groups, 1);
    counts.append({1, 2, spatial});
    Matrix result{joined(builder_, loc_, value, counts), {}};
    if (groups > 0) result.labels.push_back(Label::group);
    result.labels.append({Label::deep, Label::free, Label::more_deep});
    deep_ = {other()};
    more_deep_ = spatial_axes();
    free_ = {beside()};
    free_.append(spatial_axes());
    return result;
  }

  // [groups, batch][features, places of the window][positions]
  Matrix flat_patches() {
    const auto groups = static_cast<std::int64_t>(c_.groups > 1);
    Matrix result;
    if (groups > 0) result.labels.push_back(Label::group);
    if (auto images = count_ > 1 ? FlatImages::find(lowering_, c_, input_, order_) : std::nullopt) {
      for (const std::int64_t i : order_) row_.push_back(taken(i));
      result.value = rows_of_runs([&](std::int64_t number) { return images->run(place(number)); });
    } else {
      const mlir::Value image = flat_image();
      result.value = rows_of_runs([&](std::int64_t number) { return run_of(image, number); });
    }
    result.labels.append({Label::free, Label::deep, Label::more_free});
    free_ = {other()};
    more_free_ = spatial_axes();
    deep_ = {beside()};
    deep_.append(spatial_axes());
    return result;
  }

  mlir::Value rows_of_runs(llvm::function_ref<mlir::Value(std::int64_t)> run) {
    if (count_ == 1) return run(0);
    const auto outer = static_cast<std::int64_t>(axes_.size() - order_.size());
    List all(tensor_type_of(input_).getShape().take_front(outer));
    all.append({count_, product(row_)});
    List one(all);
    one[outer] = 1;
    mlir::Value value = room(all);
    for (std::int64_t number = 0; number < count_; ++number) {
      List at(all.size(), 0);
      at[outer] = number;
      value = inserted(run(number), value, at, one);
    }
    List counts(outer - 1, 1);
    counts.append({2, 1});
    return joined(builder_, loc_, value, counts);
  }

  // The elements that all positions see at one place.
  mlir::Value run_of(mlir::Value image, std::int64_t number) {
    const auto outer = static_cast<std::int64_t>(axes_.size() - order_.size());
    List narrow(tensor_type_of(image).getShape().take_front(outer));
    narrow.push_back(product(row_));
    const auto type = mlir::RankedTensorType::get(narrow, tensor_type_of(image).getElementType());
    if (type == image.getType()) return image;
    const bool has_phases = tensor_type_of(image).getRank() > outer + 1;
    List sizes(narrow);
    if (has_phases) sizes.insert(sizes.begin() + outer, order_.size(), 1);
    List at(sizes.size(), 0);
    const List where = place(number);
    std::int64_t shift = 0;
    for (const auto [index, i] : llvm::enumerate(order_)) {
      const std::int64_t from = is_sliced_ ? 0 : offset(i, where[i]);
      const std::int64_t apart = is_sliced_ ? 1 : step(i);
      if (has_phases) at[outer + index] = from % apart;
      shift = shift * (index == 0 ? 1 : row_[index]) + from / apart;
    }
    at.back() = shift;
    return tensor::ExtractSliceOp::create(builder_, loc_, type, image, fixed(builder_, at),
                                          fixed(builder_, sizes),
                                          fixed(builder_, List(at.size(), 1)));
  }

  // [groups, batch, features][phases][image], as long as the runs of all places need; without the
  // phases where there is one. `row_` gets the extents that a run covers.
  mlir::Value flat_image() {
    const auto groups = static_cast<std::int64_t>(c_.groups > 1);
    const auto spatial = static_cast<std::int64_t>(order_.size());
    is_sliced_ = count_ == 1;
    List more(spatial, 0);
    List extents(spatial, 0);  // of a phase
    bool wraps = false;
    for (const auto [index, i] : llvm::enumerate(order_)) {
      const std::int64_t shift = is_sliced_ ? 0 : last_offset(i) / step(i);
      extents[index] = shift + taken(i);
      wraps = wraps || (index > 0 && shift > 0);
    }
    row_ = extents;
    if (spatial > 0) row_[0] = taken(order_[0]);
    if (wraps) ++extents[0];
    for (const auto [index, i] : llvm::enumerate(order_)) {
      const Spatial& s = c_.spatial[i];
      const std::int64_t size = extent({Role::spatial, i});
      const std::int64_t spread = (size - 1) * s.input_dilation + 1 + s.low + s.high;
      const std::int64_t needed =
          is_sliced_ ? (taken(i) - 1) * step(i) + 1 : extents[index] * step(i);
      more[i] = needed - spread;
    }
    mlir::Value image = padded_input(lowering_, c_, input_, axes_, more);
    List steps(axes_.size(), 1);
    List sizes(tensor_type_of(image).getShape());
    for (const auto [index, i] : llvm::enumerate(order_)) {
      steps[groups + 2 + index] = is_sliced_ ? step(i) : 1;
      sizes[groups + 2 + index] = is_sliced_ ? taken(i) : sizes[groups + 2 + index];
    }
    image = extracted(image, List(axes_.size(), 0), sizes, steps);
    return in_phases(image, extents);
  }

  mlir::Value in_phases(mlir::Value image, const List& extents) {
    const auto groups = static_cast<std::int64_t>(c_.groups > 1);
    const auto spatial = static_cast<std::int64_t>(order_.size());
    const std::int64_t first = groups + 2;
    List sizes(tensor_type_of(image).getShape().take_front(first));
    bool is_one = true;
    for (const std::int64_t i : order_) {
      sizes.push_back(is_sliced_ ? 1 : step(i));
      is_one = is_one && sizes.back() == 1;
    }
    sizes.append(extents);
    List counts(first + spatial, 1);
    counts.push_back(spatial);
    if (is_one) {
      List into(first, 1);
      into.push_back(spatial);
      return joined(builder_, loc_, image, into);
    }
    Expressions from;
    for (std::int64_t i = 0; i < first; ++i) from.push_back(builder_.getAffineDimExpr(i));
    for (std::int64_t i = 0; i < spatial; ++i) {
      from.push_back(builder_.getAffineDimExpr(first + spatial + i) * sizes[first + i] +
                     builder_.getAffineDimExpr(first + i));
    }
    return joined(builder_, loc_, moved(builder_, loc_, image, sizes, from), counts);
  }

  // The kernel with its axes in the order of the patches; `outer`: output features come first.
  Matrix kernel(bool outer) {
    Matrix result;
    llvm::SmallVector<Axes> parts;
    const auto take = [&](Label label, Axes axes) {
      result.labels.push_back(label);
      parts.push_back(std::move(axes));
    };
    if (c_.groups > 1) take(Label::group, {{Role::group}});
    if (outer) take(Label::out, {{Role::out}});
    take(Label::deep, deep_);
    if (!more_deep_.empty()) take(Label::more_deep, more_deep_);
    if (!outer) take(Label::out, {{Role::out}});
    result.value = in_parts(c_.kernel, c_.kernel_axes, parts);
    return result;
  }

  // A dimension for each part, with axes in this order. A row of the last one must be a row in
  // memory, so that dimensions are joined before they change places, where their order allows that.
  mlir::Value in_parts(mlir::Value value, const Axes& axes, llvm::ArrayRef<Axes> parts) {
    Axes order;
    List counts;
    for (const Axes& part : parts) {
      order.append(part);
      counts.push_back(static_cast<std::int64_t>(part.size()));
    }
    llvm::SmallVector<std::int64_t> found(
        llvm::to_vector(llvm::seq<std::int64_t>(0, parts.size())));
    llvm::sort(found, [&](std::int64_t one, std::int64_t other) {
      return place_of(axes, parts[one].front()) < place_of(axes, parts[other].front());
    });
    Axes together;
    for (const std::int64_t part : found) together.append(parts[part]);
    if (together != axes || reverses()) {
      const bool is_row = parts.back().size() > 1 && parts.back().back().role == Role::feature;
      if (is_row && !by_results_) return kernel_in_rows(value, axes);
      return joined(builder_, loc_, permuted(value, axes, order, by_results_), counts);
    }
    List there;
    List back(parts.size());
    for (const auto [index, part] : llvm::enumerate(found)) {
      there.push_back(counts[part]);
      back[part] = static_cast<std::int64_t>(index);
    }
    return transposed(joined(builder_, loc_, value, there), back);
  }

  // [groups, output features][places of the window, features], a copy for each place.
  mlir::Value kernel_in_rows(mlir::Value value, const Axes& axes) {
    Axes order = spatial_axes();
    const auto places = static_cast<std::int64_t>(order.size());
    if (c_.groups > 1) order.push_back({Role::group});
    order.append({{Role::out}, {Role::feature}});
    value = permuted(value, axes, order);
    List part(tensor_type_of(value).getShape().drop_front(places));
    const std::int64_t width = part.back();
    const auto type = mlir::RankedTensorType::get(part, tensor_type_of(value).getElementType());
    List box(places, 1);
    box.append(part);
    List all(part);
    all.back() *= count_;
    mlir::Value rows = empty_tensor(
        builder_, loc_, mlir::RankedTensorType::get(all, tensor_type_of(value).getElementType()));
    for (std::int64_t number = 0; number < count_; ++number) {
      List from(order.size(), 0);
      const List where = place(number);
      for (const auto [index, i] : llvm::enumerate(order_)) from[index] = where[i];
      List to(part.size(), 0);
      to.back() = number * width;
      const mlir::Value slice = tensor::ExtractSliceOp::create(
          builder_, loc_, type, value, fixed(builder_, from), fixed(builder_, box),
          fixed(builder_, List(from.size(), 1)));
      rows = inserted(slice, rows, to, part);
    }
    return rows;
  }

  [[nodiscard]] bool reverses() const {
    return by_results_ && llvm::any_of(c_.spatial, [](const Spatial& s) { return s.reversed; });
  }

  // Dimension i of the result is dimension from[i].
  mlir::Value transposed(mlir::Value value, llvm::ArrayRef<std::int64_t> from) {
    if (llvm::is_sorted(from)) return value;
    List sizes;
    Expressions expressions(from.size());
    for (const auto [index, at] : llvm::enumerate(from)) {
      sizes.push_back(tensor_type_of(value).getDimSize(at));
      expressions[at] = builder_.getAffineDimExpr(index);
    }
    return moved(builder_, loc_, value, sizes, expressions);
  }

  // Patches or kernel on the left: whichever needs fewer elements transposed.
  mlir::Value multiplied(const Matrix& patches) {
    const auto elements = [](mlir::Value value) { return tensor_type_of(value).getNumElements(); };
    const bool out_is_inner = innermost(c_.result_axes, c_.result_shape).role == Role::out;
    const bool kernel_is_outer =
        innermost(c_.kernel_axes, tensor_type_of(c_.kernel).getShape()).role != Role::out;
    const std::int64_t turned = product(c_.result_shape);
    const std::int64_t patches_left =
        (is_deep(patches.labels.back()) ? 0 : elements(patches.value)) +
        (out_is_inner ? 0 : turned);
    const std::int64_t kernel_left =
        (kernel_is_outer ? 0 : elements(c_.kernel)) + (out_is_inner ? turned : 0);
    const bool swapped = kernel_left < patches_left;
    const Matrix weights = kernel(swapped || kernel_is_outer);
    Labels result{Label::free};
    if (c_.groups > 1) result.insert(result.begin(), Label::group);
    const bool has_more = llvm::is_contained(patches.labels, Label::more_free);
    if (swapped) result.push_back(Label::out);
    if (has_more) result.push_back(Label::more_free);
    if (!swapped) result.push_back(Label::out);
    if (swapped && !has_more) std::swap(result[result.size() - 1], result[result.size() - 2]);
    return in_axes(product_of(patches, weights, result, swapped), result);
  }

  mlir::Value product_of(const Matrix& patches, const Matrix& weights, const Labels& result,
                         bool swapped) {
    Labels loops(result);
    loops.push_back(Label::deep);
    if (!more_deep_.empty()) loops.push_back(Label::more_deep);
    const auto map = [&](const Labels& labels) {
      Expressions expressions;
      for (const Label label : labels) {
        expressions.push_back(
            builder_.getAffineDimExpr(std::distance(loops.begin(), llvm::find(loops, label))));
      }
      return mlir::AffineMap::get(loops.size(), 0, expressions, builder_.getContext());
    };
    List shape;
    for (const Label label : result) {
      const Matrix& from = label == Label::out ? weights : patches;
      const auto at = std::distance(from.labels.begin(), llvm::find(from.labels, label));
      shape.push_back(tensor_type_of(from.value).getDimSize(at));
    }
    const mlir::AffineMap left = map(patches.labels);
    const mlir::AffineMap right = map(weights.labels);
    if (swapped) {
      return contraction(lowering_, c_.op, {weights.value, patches.value},
                         {right, left, map(result)}, shape, c_.precision, true);
    }
    return contraction(lowering_, c_.op, {patches.value, weights.value}, {left, right, map(result)},
                       shape, c_.precision);
  }

  // From the dimensions of the product to the axes of the result.
  mlir::Value in_axes(mlir::Value value, const Labels& labels) {
    Axes axes;
    List sizes;
    for (const Label label : labels) {
      const auto at = static_cast<std::int64_t>(axes.size());
      const Axes& parts = label == Label::more_free ? more_free_ : free_;
      if (label == Label::group || label == Label::out) {
        axes.push_back({label == Label::group ? Role::group : Role::out});
      } else {
        List extents;
        for (const Axis& axis : parts) {
          extents.push_back(axis.role == Role::spatial ? c_.spatial[axis.number].result
                                                       : extent(axis));
        }
        if (label == Label::more_free) extents = row_;
        value = extents.empty() ? value : parted(builder_, loc_, value, at, extents);
        axes.append(parts);
      }
    }
    for (const Axis& axis : axes) {
      sizes.push_back(c_.result_shape[place_of(c_.result_axes, axis)]);
    }
    value = extracted(value, List(sizes.size(), 0), sizes, List(sizes.size(), 1));
    return permuted(value, axes, c_.result_axes);
  }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  Lowering& lowering_;
  const Convolution& c_;
  Axis inner_;               // of the input
  List order_;               // of the spatial dimensions in the input
  bool by_results_ = false;  // places of the result are unrolled, not those of the window
  bool is_flat_ = false;
  bool is_sliced_ = false;  // one place: the image has only the elements that it sees
  std::int64_t count_ = 1;  // places
  mlir::Value input_;
  Axes axes_;  // of it
  List row_;
  Axes free_;  // the axes that make up the dimensions of the product
  Axes more_free_;
  Axes deep_;
  Axes more_deep_;
};

}  // namespace

mlir::Value by_patches(Lowering& lowering, const Convolution& convolution) {
  return Patches(lowering, convolution).run();
}

}  // namespace tandem::compiler::convolution
