#include "compiler/tensor/lowering/convolution/flat_images.hpp"

#include "compiler/tensor/tensor_type.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tandem::compiler::convolution {
namespace {

namespace arith = mlir::arith;

}  // namespace

FlatImages::FlatImages(Lowering& lowering, const Convolution& convolution, mlir::Value input,
                       llvm::ArrayRef<std::int64_t> order)
    : lowering_(lowering), c_(convolution), input_(input), order_(order) {
  for (const std::int64_t number : order_) length_ *= c_.spatial[number].result;
  extents_ = List(tensor_type_of(input).getShape().take_back(order_.size()));
}

std::optional<FlatImages> FlatImages::find(Lowering& lowering, const Convolution& convolution,
                                           mlir::Value input, llvm::ArrayRef<std::int64_t> order) {
  FlatImages images(lowering, convolution, input, order);
  if (order.size() < 2 || !images.fits()) return std::nullopt;
  images.pad();
  return images;
}

bool FlatImages::fits() const {
  if (!tensor_type_of(input_).getElementType().isF32()) return false;
  std::int64_t images = 1;
  bool wraps = false;
  for (const auto [index, number] : llvm::enumerate(order_)) {
    const Spatial& spatial = c_.spatial[number];
    if (spatial.stride != 1 || spatial.input_dilation != 1) return false;
    if (index == 0) continue;
    if (spatial.result != extents_[index]) return false;
    images *= spatial.window;
    wraps = wraps || spatial.window > 1;
  }
  const auto shape = tensor_type_of(input_).getShape();
  const std::int64_t lanes = lowering_.machine.lanes;
  const std::int64_t rows = product(shape.drop_back(order_.size()));
  const auto in_rows = [&](std::int64_t words) { return rows * divided(words, lanes) * lanes; };
  std::int64_t places = 1;
  for (const Spatial& spatial : c_.spatial) places *= spatial.window;
  const std::int64_t words =
      images * in_rows(product(extents_) + 2 * lanes) + places * in_rows(length_);
  return wraps && words <= std::int64_t{lowering_.machine.vmem_words()} / 4 * 3;
}

// A shift begins at a row of VMEM where it can.
void FlatImages::pad() {
  std::int64_t least = 0;
  std::int64_t most = 0;
  List places(c_.spatial.size(), 0);
  List windows;
  for (const Spatial& spatial : c_.spatial) windows.push_back(spatial.window);
  for (std::int64_t number = 0; number < product(windows); ++number) {
    const std::int64_t words = in_words(shifts(place(number, windows)));
    least = std::min(least, words);
    most = std::max(most, words);
  }
  const std::int64_t lanes = lowering_.machine.lanes;
  before_ = divided(-least, lanes) * lanes;
  after_ = std::max<std::int64_t>(0, most + length_ - product(extents_));
  mlir::OpBuilder& builder = lowering_.builder;
  const mlir::Location loc = c_.op->getLoc();
  const mlir::RankedTensorType type = tensor_type_of(input_);
  const auto outer =
      static_cast<std::int64_t>(type.getRank()) - static_cast<std::int64_t>(order_.size());
  List counts(outer, 1);
  counts.push_back(static_cast<std::int64_t>(order_.size()));
  const mlir::Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  List low(outer + 1, 0);
  List high(outer + 1, 0);
  low.back() = before_;
  high.back() = after_;
  image_ = padded(builder, loc, joined(builder, loc, input_, counts), zero, low, high,
                  List(outer + 1, 0));
}

List FlatImages::shifts(llvm::ArrayRef<std::int64_t> places) const {
  List result;
  for (const std::int64_t number : order_) {
    const Spatial& spatial = c_.spatial[number];
    result.push_back(spatial.offset(places[number]) - spatial.low);
  }
  return result;
}

std::int64_t FlatImages::in_words(llvm::ArrayRef<std::int64_t> shifts) const {
  std::int64_t words = 0;
  for (const auto [shift, extent] : llvm::zip(shifts, extents_)) words = words * extent + shift;
  return words;
}

mlir::Value FlatImages::masked(llvm::ArrayRef<std::int64_t> shifts) {
  // Those of the first dimension reach the zeros around the image.
  std::vector<std::int64_t> key(shifts.begin() + 1, shifts.end());
  const auto found = of_.find(key);
  if (found != of_.end()) return found->second;
  mlir::OpBuilder& builder = lowering_.builder;
  const mlir::Location loc = c_.op->getLoc();
  const mlir::RankedTensorType type = tensor_type_of(image_);
  mlir::Value result = image_;
  if (llvm::any_of(key, [](std::int64_t shift) { return shift != 0; })) {
    // Element e is the one that position e - shift sees.
    std::vector<float> seen(type.getShape().back(), 0.0F);
    for (std::int64_t word = 0; word < product(extents_); ++word) {
      const List at = place(word, extents_);
      bool is_seen = true;
      for (std::size_t i = 1; i < extents_.size(); ++i) {
        const std::int64_t position = at[i] - shifts[i];
        is_seen = is_seen && position >= 0 && position < extents_[i];
      }
      seen[before_ + word] = is_seen ? 1.0F : 0.0F;
    }
    const auto row = mlir::RankedTensorType::get({type.getShape().back()}, type.getElementType());
    const mlir::Value mask = arith::ConstantOp::create(
        builder, loc, mlir::DenseElementsAttr::get(row, llvm::ArrayRef(seen)));
    const auto rank = static_cast<unsigned>(type.getRank());
    const mlir::AffineMap maps[] = {
        builder.getMultiDimIdentityMap(rank),
        mlir::AffineMap::get(rank, 0, builder.getAffineDimExpr(rank - 1), builder.getContext())};
    result = parallel_generic(
        builder, loc, type, {image_, mask}, maps,
        [](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange elements) -> mlir::Value {
          const mlir::Value zero =
              arith::ConstantOp::create(nested, at, nested.getZeroAttr(elements[0].getType()));
          const mlir::Value sees =
              arith::CmpFOp::create(nested, at, arith::CmpFPredicate::UNE, elements[1], zero);
          return arith::SelectOp::create(nested, at, sees, elements[0], zero);
        });
  }
  of_.emplace(key, result);
  return result;
}

mlir::Value FlatImages::run(llvm::ArrayRef<std::int64_t> places) {
  const List away = shifts(places);
  const mlir::Value image = masked(away);
  List sizes(tensor_type_of(image).getShape());
  List at(sizes.size(), 0);
  at.back() = before_ + in_words(away);
  sizes.back() = length_;
  return extracted(lowering_.builder, c_.op->getLoc(), image, at, sizes);
}

}  // namespace tandem::compiler::convolution
