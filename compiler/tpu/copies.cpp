// Copies of strided boxes as descriptors of the machine: one contiguous run and three dimensions,
// scalar loops around them for the rest. For waits see in_flight.cpp.
#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/bounded_scalar.hpp"
#include "compiler/tpu/dialect.hpp"
#include "compiler/tpu/memory.hpp"
#include "compiler/tpu/register_copies.hpp"
#include "compiler/tpu/register_moves.hpp"
#include "compiler/tpu/smem_layout.hpp"
#include "compiler/views/access.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace tandem::compiler {
namespace {

namespace memref = mlir::memref;

constexpr std::size_t descriptor_dimensions = 3;

void set_words(llvm::SmallVectorImpl<std::int32_t>& words, unsigned at, std::int64_t bytes) {
  words[at] = static_cast<std::int32_t>(bytes);
  words[at + 1] = static_cast<std::int32_t>(bytes >> 32);
}

}  // namespace

bool Memory::runs(llvm::ArrayRef<Dimension> dimensions) {
  return !dimensions.empty() && dimensions.front().source == 1 && dimensions.front().target == 1;
}

void Memory::start_copy(mlir::OpBuilder& builder, mlir::Location loc, const Place& source,
                        const Place& target, llvm::ArrayRef<Dimension> dimensions,
                        mlir::OpFoldResult source_extra, mlir::OpFoldResult target_extra) {
  llvm::SmallVector<std::int32_t> words(descriptor_words, 0);
  words[0] = static_cast<std::int32_t>(static_cast<unsigned>(source.space) << 8U |
                                       static_cast<unsigned>(target.space) << 10U |
                                       static_cast<unsigned>(flag_) << 16U);
  words[1] = 1;
  if (source.space != Space::hbm) set_words(words, 2, source.start * 4);
  if (target.space != Space::hbm) set_words(words, 4, target.start * 4);
  const bool has_run = runs(dimensions);
  words[6] = static_cast<std::int32_t>(4 * (has_run ? dimensions.front().size : 1));
  if (has_run) dimensions = dimensions.drop_front();
  for (unsigned i = 0; i < descriptor_dimensions; ++i) {
    const Dimension dimension = i < dimensions.size() ? dimensions[i] : Dimension{};
    words[7 + 3 * i] = static_cast<std::int32_t>(dimension.size);
    words[8 + 3 * i] = static_cast<std::int32_t>(dimension.source * 4);
    words[9 + 3 * i] = static_cast<std::int32_t>(dimension.target * 4);
  }
  const mlir::Value from = address(builder, loc, source, source_extra);
  const mlir::Value to = address(builder, loc, target, target_extra);
  machine(builder, with_touch(loc, {source.buffer, target.buffer}), "copy", {from, to},
          builder.getNamedAttr("descriptor", builder.getDenseI32ArrayAttr(words)));
}

// A copy that is waited for immediately, not tracked in flight.
void Memory::copy_now(mlir::OpBuilder& builder, mlir::Location loc, const Place& source,
                      const Place& target) {
  flag_ = InFlight::flag_of_single_copies;
  const mlir::OpFoldResult zero = builder.getIndexAttr(0);
  start_copy(builder, loc, source, target, {}, zero, zero);
  in_flight_.wait(builder, loc, flag_, 1);
  in_flight_.reset(builder, loc, flag_);
}

// One scalar loop for each dimension that does not fit the descriptor.
void Memory::copy_loops(mlir::OpBuilder& builder, mlir::Location loc, const Place& source,
                        const Place& target, llvm::ArrayRef<Dimension> dimensions,
                        mlir::OpFoldResult source_extra, mlir::OpFoldResult target_extra) {
  if (dimensions.size() <= descriptor_dimensions + (runs(dimensions) ? 1 : 0)) {
    start_copy(builder, loc, source, target, dimensions, source_extra, target_extra);
    if (waits_in_loops_) {
      in_flight_.wait(builder, loc, flag_, 1);
      in_flight_.reset(builder, loc, flag_);
    }
    return;
  }
  const Dimension outer = dimensions.back();
  const auto constant = [&](std::int64_t value) -> mlir::Value {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  };
  mlir::scf::ForOp::create(
      builder, loc, constant(0), constant(outer.size), constant(1), mlir::ValueRange{},
      [&](mlir::OpBuilder& nested, mlir::Location at, mlir::Value index, mlir::ValueRange) {
        const auto moved = [&](mlir::OpFoldResult extra, std::int64_t stride) {
          if (stride == 0) return extra;
          return add(nested, at, extra, times(nested, at, mlir::OpFoldResult(index), stride));
        };
        copy_loops(nested, at, source, target, dimensions.drop_back(),
                   moved(source_extra, outer.source), moved(target_extra, outer.target));
        mlir::scf::YieldOp::create(nested, at);
      });
}

// The dimension that is contiguous on both sides is the run, wherever it is; then the longest.
void Memory::put_in_order(moves::Dimensions& dimensions) {
  llvm::stable_sort(dimensions, [](const Dimension& a, const Dimension& b) {
    const bool a_runs = a.source == 1 && a.target == 1;
    const bool b_runs = b.source == 1 && b.target == 1;
    return a_runs != b_runs ? a_runs : a.size > b.size;
  });
}

mlir::LogicalResult Memory::lower_copy(mlir::OpBuilder& builder, memref::CopyOp copy) {
  const auto source = place_of(copy.getSource());
  const auto target = place_of(copy.getTarget());
  if (mlir::failed(source) || mlir::failed(target)) return mlir::failure();
  const auto shape = mlir::cast<mlir::MemRefType>(copy.getSource().getType()).getShape();
  if (llvm::is_contained(shape, 0)) return mlir::success();
  in_flight_.settle_copy(builder, copy);
  const Sizes from = strides_of(copy.getSource());
  const Sizes to = strides_of(copy.getTarget());
  moves::Dimensions dimensions = moves::dimensions_of(shape, from, to);
  const auto stream = InFlight::flag_of_stream(copy);
  const bool is_counted = stream || attribute::stream_ends.is_on(copy);
  if (!is_counted &&
      (copy_in_registers(builder, copy.getLoc(), machine_, *source, *target, shape, from, to) ||
       (attribute::in_registers.is_on(copy) &&
        move_in_registers(builder, copy.getLoc(), machine_, *source, *target, dimensions)))) {
    in_flight_.do_not_carry(builder, copy);
    return mlir::success();
  }
  put_in_order(dimensions);
  // Loops around the descriptor start one copy per iteration.
  std::int64_t count = 1;
  const std::size_t room = descriptor_dimensions + (runs(dimensions) ? 1 : 0);
  for (std::size_t i = room; i < dimensions.size(); ++i) count *= dimensions[i].size;
  if (count != 1) in_flight_.do_not_carry(builder, copy);
  waits_in_loops_ = count > InFlight::most;
  flag_ = waits_in_loops_ ? InFlight::flag_of_single_copies
          : stream        ? *stream
                          : in_flight_.start(builder, copy.getLoc(), copy, count);
  if (!waits_in_loops_ && flag_ == 0) {
    return copy.emitError(
        "unimplemented: a copy in loops and branches nested this deep: there is no "
        "flag left to wait for it");
  }
  copy_loops(builder, copy.getLoc(), *source, *target, dimensions, builder.getIndexAttr(0),
             builder.getIndexAttr(0));
  InFlight::end_stream(builder, copy);
  return mlir::success();
}

mlir::FailureOr<mlir::Value> Memory::lower_load(mlir::OpBuilder& builder, memref::LoadOp load) {
  const mlir::Location loc = load.getLoc();
  auto place = place_of(load.getMemRef());
  if (mlir::failed(place)) return mlir::failure();
  for (const auto [index, stride] : llvm::zip(load.getIndices(), strides_of(load.getMemRef()))) {
    place->offset = add(builder, loc, place->offset,
                        times(builder, loc, mlir::getAsOpFoldResult(index), stride));
  }
  in_flight_.settle(builder, loc, {load.getMemRef()}, {});
  if (place->space == Space::vmem) {
    // Once in 4 cycles is often enough outside loops.
    const auto range = load->getParentOfType<mlir::scf::ForOp>() ? range_asked(load) : std::nullopt;
    if (range && is_short_range(*range, machine_.lanes)) {
      drop_clamps(load, *range);
      return load_in_range(builder, loc, machine_.lanes, *place, *range);
    }
    return load_scalar(builder, loc, *place);
  }
  const Place scratch{Space::smem, 0, smem_.scratch, builder.getIndexAttr(0)};
  copy_now(builder, loc, *place, scratch);
  return machine(
      builder, loc, "sld", {},
      {flag_attribute(builder, "absolute"), number_attribute(builder, "address", smem_.scratch)});
}

mlir::LogicalResult Memory::lower_store(mlir::OpBuilder& builder, memref::StoreOp store,
                                        mlir::Value scalar) {
  const mlir::Location loc = store.getLoc();
  auto place = place_of(store.getMemRef());
  if (mlir::failed(place)) return mlir::failure();
  for (const auto [index, stride] : llvm::zip(store.getIndices(), strides_of(store.getMemRef()))) {
    place->offset = add(builder, loc, place->offset,
                        times(builder, loc, mlir::getAsOpFoldResult(index), stride));
  }
  machine(
      builder, loc, "sst", scalar,
      {flag_attribute(builder, "absolute"), number_attribute(builder, "address", smem_.scratch)});
  in_flight_.settle(builder, loc, {}, {store.getMemRef()});
  const Place scratch{Space::smem, 0, smem_.scratch, builder.getIndexAttr(0)};
  copy_now(builder, loc, scratch, *place);
  return mlir::success();
}

}  // namespace tandem::compiler
