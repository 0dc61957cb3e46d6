// Unpacks words in VMEM: L words of a row give as many chunks of L elements as a word has parts. A
// permutation of lanes moves each word to all of its elements, and each element selects its part.
//
// The inverse: the chunks become the parts of one register. For bf16, a permutation of its lanes
// puts the even elements before the odd ones; its first and second half, aligned by a rotation, are
// the halves of the words. For integers, a permutation for each part of the words fetches the
// elements of that part, from any part.
//
// Weaving even and odd elements works like words: two registers of words are two of elements. The
// first half of one next to the second of the other is a permutation of the even lanes of one and
// the odd lanes of the other.
#include "compiler/contract/attributes.hpp"
#include "compiler/tpu/tiles.hpp"
#include "compiler/tpu/tpu_builder.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/packed_rows.hpp"
#include "llvm/Support/MathExtras.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

namespace tandem::compiler {
namespace {

using mlir::OpFoldResult;
using mlir::Value;

struct Side {
  VmemRow row;
  std::int64_t pitch = 1;  // rows of VMEM
  std::int64_t columns = 0;
};

class RepackLowering : TpuBuilder {
 public:
  RepackLowering(mlir::OpBuilder& builder, const Parameters& machine, mlir::linalg::LinalgOp op)
      : TpuBuilder(builder, op.getLoc()), machine_(machine), op_(op) {}

  mlir::LogicalResult run(Memory& memory);

 private:
  // Lanes of a chunk, in this many rows.
  struct Part {
    std::int64_t chunk = 0;
    std::int64_t lanes = 0;
    std::int64_t rows = 0;
  };

  void group(OpFoldResult words, OpFoldResult elements, std::int64_t count);
  void chunk(OpFoldResult words, OpFoldResult elements, std::int64_t number, std::int64_t count,
             bool is_last);
  Value load(const Side& side, OpFoldResult place, const Part& part);
  void store(const Side& side, OpFoldResult place, const Part& part, Value value);
  void unpack(Value packed, OpFoldResult to, llvm::ArrayRef<Part> parts);
  Value pack(OpFoldResult from, llvm::ArrayRef<Part> parts);
  Value pack_integers(OpFoldResult from, llvm::ArrayRef<Part> parts);
  void weave(Value even, Value odd, OpFoldResult to, llvm::ArrayRef<Part> parts);
  // The part of a word that an element of this lane takes, and its value.
  Value taken(Value word, Value lane);
  // Calls the body with the addresses on both sides for `whole` iterations.
  void repeat(std::int64_t whole, std::int64_t words_step, std::int64_t elements_step,
              std::int64_t few, llvm::function_ref<void(OpFoldResult, OpFoldResult)> body);
  VmemAddress address(const Side& side, OpFoldResult place, std::int64_t beyond,
                      std::int64_t count);
  Value lane_mask(std::int64_t count) {
    if (count >= machine_.lanes) return {};
    return make("vlt.s32", {make("vlane"), constant(count)});
  }

  const Parameters& machine_;
  mlir::linalg::LinalgOp op_;
  bool packs_ = attribute::pack.is_on(op_);
  mlir::Type element_ = mlir::getElementTypeOrSelf(
      (packs_ ? op_->getOperand(0) : op_.getDpsInits().front()).getType());
  bool weaves_ = attribute::weave.is_on(op_);
  std::int64_t parts_ = weaves_ ? 2 : parts_of(element_);
  std::int64_t width_ = 32 / parts_;
  Side words_;  // or the even elements
  Side odd_;
  Side elements_;
};

VmemAddress RepackLowering::address(const Side& side, OpFoldResult place, std::int64_t beyond,
                                    std::int64_t count) {
  if (side.row.moved) place = add(builder_, loc_, place, side.row.moved);
  VmemAddress address =
      vmem_address(builder_, loc_, side.row.fixed + beyond, place, side.row.buffer);
  address.attributes.push_back(number("rows", count));
  if (count > 1 && side.pitch != 1) address.attributes.push_back(number("stride", side.pitch));
  return address;
}

// Loads or stores `wanted` lanes of a chunk.
Value RepackLowering::load(const Side& side, OpFoldResult place, const Part& part) {
  VmemAddress from = address(side, place, part.chunk, part.rows);
  if (const Value mask = lane_mask(part.lanes)) from.registers.push_back(mask);
  return load_at(builder_, loc_, "vld", from);
}

void RepackLowering::store(const Side& side, OpFoldResult place, const Part& part, Value value) {
  VmemAddress to = address(side, place, part.chunk, part.rows);
  to.registers.push_back(value);
  if (const Value mask = lane_mask(part.lanes)) to.registers.push_back(mask);
  store_at(builder_, loc_, to);
}

Value RepackLowering::taken(Value word, Value lane) {
  const Value part = make("vand", {lane, constant(parts_ - 1)});
  if (element_.isBF16()) {
    const Value is_odd = make("veq.s32", {part, constant(1)});
    return make("vsel", {is_odd, word, word}, {text("x", "hi"), text("y", "lo")});
  }
  // Shift to the top and back for the sign; a truth value has none.
  const Value rest = constant(32 - width_);
  const Value below = make("vshl", {part, constant(llvm::Log2_64(width_))});
  const Value top = make("vshl", {word, make("vsub.s32", {rest, below})});
  return make(element_.isInteger(1) ? "vshr" : "vsar", {top, rest});
}

void RepackLowering::unpack(Value packed, OpFoldResult to, llvm::ArrayRef<Part> parts) {
  const Value lane = make("vlane");
  const Value word = make("vshr", {lane, constant(llvm::Log2_64(parts_))});
  for (const auto [number, part] : llvm::enumerate(parts)) {
    const auto first = static_cast<std::int64_t>(number) * (machine_.lanes / parts_);
    const Value from_lane = first == 0 ? word : make("vadd.s32", {word, constant(first)});
    store(elements_, to, part, taken(make("lperm", {packed, from_lane}), lane));
  }
}

void RepackLowering::weave(Value even, Value odd, OpFoldResult to, llvm::ArrayRef<Part> parts) {
  const std::int64_t half = machine_.lanes / 2;
  const Value lane = make("vlane");
  const Value pair = make("vshr", {lane, constant(1)});
  const Value is_even = make("veq.s32", {make("vand", {lane, constant(1)}), constant(0)});
  if (parts.size() == 1) {
    const Value both =
        make("vsel", {is_even, make("lperm", {even, pair}), make("lperm", {odd, pair})});
    return store(elements_, to, parts.front(), both);
  }
  const Value is_first = make("vlt.s32", {lane, constant(half)});
  const Value beyond = make("vadd.s32", {pair, constant(half)});
  const auto permuted = [&](Value first, Value second, Value evens, Value odds) {
    return make("lperm",
                {make("vsel", {is_first, first, second}), make("vsel", {is_even, evens, odds})});
  };
  const Value one = permuted(even, odd, pair, beyond);
  const Value other = permuted(odd, even, beyond, pair);
  store(elements_, to, parts[0], make("vsel", {is_even, one, other}));
  store(elements_, to, parts[1], make("vsel", {is_even, other, one}));
}

Value RepackLowering::pack_integers(OpFoldResult from, llvm::ArrayRef<Part> parts) {
  const std::int64_t mask = (std::int64_t{1} << width_) - 1;
  const auto part_of = [&](Value x) { return make("vand", {x, constant(mask)}); };
  Value chunks;
  for (const auto [number, part] : llvm::enumerate(parts)) {
    Value own = part_of(load(elements_, from, part));
    if (number == 0) {
      chunks = own;
      continue;
    }
    const auto above = static_cast<std::int64_t>(number) * width_;
    chunks = make("vor", {chunks, make("vshl", {own, constant(above)})});
  }
  // Of word j: its elements are this many lanes further in chunk j / (L / parts).
  const Value lane = make("vlane");
  const std::int64_t words = machine_.lanes / parts_;
  const Value within = make("vand", {lane, constant(words - 1)});
  const Value first = make("vshl", {within, constant(llvm::Log2_64(parts_))});
  const Value chunk = make("vshr", {lane, constant(llvm::Log2_64(words))});
  const Value down = make("vshl", {chunk, constant(llvm::Log2_64(width_))});
  Value result;
  for (std::int64_t part = 0; part < parts_; ++part) {
    const Value from_lane = part == 0 ? first : make("vadd.s32", {first, constant(part)});
    const Value own = part_of(make("vshr", {make("lperm", {chunks, from_lane}), down}));
    result = part == 0 ? own : make("vor", {result, make("vshl", {own, constant(part * width_)})});
  }
  return result;
}

Value RepackLowering::pack(OpFoldResult from, llvm::ArrayRef<Part> parts) {
  constexpr std::int64_t high = 0xffff0000;
  const std::int64_t lanes = machine_.lanes;
  const auto low_of = [&](Value x) { return make("vshr", {x, constant(16)}); };
  const auto high_of = [&](Value x) { return make("vand", {x, constant(high)}); };
  // The even elements' lanes, then those of the odd ones.
  const Value lane = make("vlane");
  const Value is_first = make("vlt.s32", {lane, constant(lanes / 2)});
  const Value twice = make("vshl", {lane, constant(1)});
  const Value order =
      make("vsel", {is_first, twice, make("vadd.s32", {twice, constant(1 - lanes)})});
  Value halves = low_of(load(elements_, from, parts[0]));
  if (parts.size() > 1) halves = make("vor", {halves, high_of(load(elements_, from, parts[1]))});
  const Value sorted = make("lperm", {halves, order});
  const Value turned = make("lrot", {sorted, constant(lanes / 2)});
  const Value first =
      make("vor", {make("vand", {sorted, constant(0xffff)}), make("vshl", {turned, constant(16)})});
  if (parts.size() == 1) return first;
  return make("vsel", {is_first, first, make("vor", {low_of(turned), high_of(sorted)})});
}

// `number` chunks of words after `words`, and as many of elements after `elements` for each part.
void RepackLowering::chunk(OpFoldResult words, OpFoldResult elements, std::int64_t number,
                           std::int64_t count, bool is_last) {
  const std::int64_t lanes = machine_.lanes;
  const std::int64_t used = is_last ? (words_.columns - 1) % lanes + 1 : lanes;
  const std::int64_t rest =
      is_last ? elements_.columns - (words_.columns - used) * parts_ : parts_ * lanes;
  llvm::SmallVector<Part> parts;
  for (std::int64_t first = 0; first < rest; first += lanes) {
    const auto chunk = parts_ * number + static_cast<std::int64_t>(parts.size());
    parts.push_back({chunk, std::min(rest - first, lanes), count});
  }
  const Part whole{number, used, count};
  if (weaves_) {
    weave(load(words_, words, whole), load(odd_, words, whole), elements, parts);
  } else if (packs_) {
    store(words_, words, whole,
          element_.isBF16() ? pack(elements, parts) : pack_integers(elements, parts));
  } else {
    unpack(load(words_, words, whole), elements, parts);
  }
}

void RepackLowering::repeat(std::int64_t whole, std::int64_t words_step, std::int64_t elements_step,
                            std::int64_t few,
                            llvm::function_ref<void(OpFoldResult, OpFoldResult)> body) {
  if (whole <= few) {
    for (std::int64_t i = 0; i < whole; ++i) {
      body(builder_.getIndexAttr(i * words_step), builder_.getIndexAttr(i * elements_step));
    }
    return;
  }
  // Both addresses are computed from the iteration number: a separate counter would have no end
  // that the scheduler knows, and might overlap with the other one.
  mlir::scf::ForOp::create(
      builder_, loc_, constant(0), constant(whole), constant(1), mlir::ValueRange{},
      [&](mlir::OpBuilder&, mlir::Location at, Value turn, mlir::ValueRange) {
        mlir::OpBuilder::InsertionGuard guard(builder_);
        builder_.setInsertionPointToStart(turn.getParentBlock());
        body(times(builder_, at, turn, words_step), times(builder_, at, turn, elements_step));
        mlir::scf::YieldOp::create(builder_, at);
      });
}

// All chunks of up to eight rows.
void RepackLowering::group(OpFoldResult words, OpFoldResult elements, std::int64_t count) {
  constexpr std::int64_t few = 3;
  const std::int64_t chunks = (words_.columns + machine_.lanes - 1) / machine_.lanes;
  repeat(chunks - 1, 1, parts_, few, [&](OpFoldResult word, OpFoldResult element) {
    chunk(add(builder_, loc_, words, word), add(builder_, loc_, elements, element), 0, count,
          false);
  });
  chunk(words, elements, chunks - 1, count, true);
}

mlir::LogicalResult RepackLowering::run(Memory& memory) {
  const auto read = [&](Value buffer, Side& side) {
    const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
    llvm::SmallVector<std::int64_t> strides;
    std::int64_t ignored = 0;
    const auto row = memory.row_of(builder_, buffer);
    if (mlir::failed(row) || mlir::failed(type.getStridesAndOffset(strides, ignored))) return false;
    side = {*row, strides.front() / machine_.lanes, type.getShape().back()};
    return true;
  };
  if (!read(op_->getOperand(0), packs_ ? elements_ : words_) ||
      !read(op_.getDpsInits().front(), packs_ ? words_ : elements_) ||
      (weaves_ && !read(op_->getOperand(1), odd_))) {
    return mlir::failure();
  }
  const std::int64_t rows = op_.getStaticLoopRanges().front();
  const std::int64_t whole = rows / sublanes;
  const auto step = [](const Side& side) { return sublanes * side.pitch; };
  repeat(whole, step(words_), step(elements_), 1,
         [&](OpFoldResult words, OpFoldResult elements) { group(words, elements, sublanes); });
  if (const std::int64_t rest = rows % sublanes; rest != 0) {
    group(builder_.getIndexAttr(whole * step(words_)),
          builder_.getIndexAttr(whole * step(elements_)), rest);
  }
  return mlir::success();
}

}  // namespace

mlir::LogicalResult lower_repack(mlir::OpBuilder& builder, Memory& memory,
                                 const Parameters& machine, mlir::linalg::LinalgOp op) {
  return RepackLowering(builder, machine, op).run(memory);
}

}  // namespace tandem::compiler
