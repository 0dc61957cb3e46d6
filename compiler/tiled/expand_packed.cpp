// Copies between "packed" memory, where a word of HBM holds two elements of 16 bits or four bytes,
// and buffers of one element per word, as arithmetic on words.
//
// Rows of packed memory begin at whole words. Element parts * j + h of a row is part h of word j,
// so each part is one strided operation; packing the last word of a row that is not full is
// another. Unpacking into a buffer of its own is one operation, `tandem.unpack`, whose element j of
// a row reads word j / parts; packing rows that fill their words from such a buffer is one, too,
// `tandem.pack`, whose word j reads the elements parts * j + h (tiled/repack.cpp). f16 has neither.
#include "compiler/contract/pass.hpp"
#include "compiler/contract/passes.hpp"
#include "compiler/views/access.hpp"
#include "compiler/views/packed_rows.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
using mlir::Value;

struct Rows {
  std::int64_t count = 1;
  std::int64_t columns = 1;
  std::int64_t parts = 1;  // elements per word
  std::int64_t words = 1;  // per row
};

Rows rows_of(mlir::MemRefType type) {
  Rows rows;
  rows.columns = type.getRank() == 0 ? 1 : type.getShape().back();
  rows.count = type.getRank() == 0 ? 1 : product(type.getShape().drop_back());
  rows.parts = type.getElementTypeBitWidth() == 16 ? 2 : 4;
  rows.words = (rows.columns + rows.parts - 1) / rows.parts;
  return rows;
}

// The memory of a buffer as words.
Value as_words(mlir::OpBuilder& builder, mlir::Location loc, Value buffer, std::int64_t words) {
  const auto type = mlir::cast<mlir::MemRefType>(buffer.getType());
  const auto plain = mlir::MemRefType::get({words}, builder.getI32Type());
  (void)type;
  return mlir::UnrealizedConversionCastOp::create(builder, loc, plain, buffer).getResult(0);
}

class Expander {
 public:
  Expander(mlir::OpBuilder& builder, mlir::memref::CopyOp copy, Value packed, Value loose)
      : builder_(builder),
        loc_(copy.getLoc()),
        whole_(loose),
        element_(mlir::cast<mlir::MemRefType>(loose.getType()).getElementType()),
        rows_(rows_of(mlir::cast<mlir::MemRefType>(packed.getType()))),
        packed_(as_words(builder, loc_, packed, rows_.count * rows_.words)) {}

  void unpack() {
    if (goes_at_once()) return unpack_at_once();
    bring_words();
    for (std::int64_t part = 0; part < rows_.parts; ++part) {
      const std::int64_t count = (rows_.columns - part + rows_.parts - 1) / rows_.parts;
      if (count <= 0) continue;
      compute(words(0, count), part_view(part, 0, count),
              [&](Value word) { return unpacked(word, part); });
    }
  }

  void pack() {
    if (goes_at_once() && rows_.columns % rows_.parts == 0) return pack_at_once();
    const std::int64_t full = rows_.columns / rows_.parts;
    const std::int64_t rest = rows_.columns % rows_.parts;
    if (full > 0) pack_words(0, full, rows_.parts);
    if (rest > 0) pack_words(full, 1, rest);
  }

 private:
  [[nodiscard]] bool goes_at_once() const {
    const auto type = mlir::cast<mlir::MemRefType>(whole_.getType());
    return type.getRank() > 0 && type.getLayout().isIdentity() && !type.getMemorySpace() &&
           repacks_rows(element_, rows_.columns);
  }

  // Each part reads all words.
  void bring_words() {
    if (std::min(rows_.columns, rows_.parts) < 2) return;
    const auto type = mlir::cast<mlir::MemRefType>(packed_.getType());
    const Value brought = mlir::memref::AllocOp::create(
        builder_, loc_, mlir::MemRefType::get(type.getShape(), type.getElementType()));
    mlir::memref::CopyOp::create(builder_, loc_, packed_, brought);
    packed_ = brought;
  }

  void unpack_at_once() { unpack_rows(builder_, loc_, words_in_shape(), whole_); }
  void pack_at_once() { pack_rows(builder_, loc_, whole_, words_in_shape()); }

  // The words as rows of the loose buffer's shape.
  [[nodiscard]] Value words_in_shape() {
    Sizes sizes(mlir::cast<mlir::MemRefType>(whole_.getType()).getShape());
    sizes.back() = rows_.words;
    return strided_view(builder_, loc_, packed_, builder_.getIndexAttr(0), sizes,
                        dense_strides(sizes));
  }
  static llvm::SmallVector<mlir::utils::IteratorType> parallel(unsigned rank) {
    return {rank, mlir::utils::IteratorType::parallel};
  }
  [[nodiscard]] Value words(std::int64_t first, std::int64_t count) {
    return strided_view(builder_, loc_, packed_, builder_.getIndexAttr(first), {rows_.count, count},
                        {rows_.words, 1});
  }
  [[nodiscard]] Value part_view(std::int64_t part, std::int64_t first, std::int64_t count) {
    if (!loose_) loose_ = as_words(builder_, loc_, whole_, rows_.count * rows_.columns);
    return strided_view(builder_, loc_, loose_, builder_.getIndexAttr(first * rows_.parts + part),
                        {rows_.count, count}, {rows_.columns, rows_.parts});
  }
  [[nodiscard]] Value constant(std::int64_t value) {
    return arith::ConstantOp::create(builder_, loc_, builder_.getI32IntegerAttr(value));
  }
  template <typename Op>
  [[nodiscard]] Value make(Value a, std::int64_t b) {
    return Op::create(builder_, loc_, a, constant(b));
  }

  // A real is the fp32 of its value, an integer is sign-extended, a truth value is 0 or 1.
  Value unpacked(Value word, std::int64_t part) {
    if (element_.isBF16()) {
      return part == 0 ? make<arith::ShLIOp>(word, 16) : make<arith::AndIOp>(word, -65536);
    }
    const std::int64_t width = 32 / rows_.parts;
    const std::int64_t rest = 32 - width;
    const Value top = make<arith::ShLIOp>(word, rest - width * part);
    if (element_.isInteger(1)) return make<arith::ShRUIOp>(top, rest);
    const Value number = make<arith::ShRSIOp>(top, rest);
    return element_.isF16() ? wide_half(number) : number;
  }
  // The fp32 of an fp16, from its bits to its bits, and back.
  Value wide_half(Value number) {
    const Value bits = arith::TruncIOp::create(builder_, loc_, builder_.getI16Type(), number);
    const Value half = arith::BitcastOp::create(builder_, loc_, builder_.getF16Type(), bits);
    const Value wide = arith::ExtFOp::create(builder_, loc_, builder_.getF32Type(), half);
    return arith::BitcastOp::create(builder_, loc_, builder_.getI32Type(), wide);
  }
  Value narrow_half(Value word) {
    const Value wide = arith::BitcastOp::create(builder_, loc_, builder_.getF32Type(), word);
    const Value half = arith::TruncFOp::create(builder_, loc_, builder_.getF16Type(), wide);
    const Value bits = arith::BitcastOp::create(builder_, loc_, builder_.getI16Type(), half);
    return arith::ExtUIOp::create(builder_, loc_, builder_.getI32Type(), bits);
  }
  Value placed(Value value, std::int64_t part) {
    if (element_.isBF16()) {
      return part == 0 ? make<arith::ShRUIOp>(value, 16) : make<arith::AndIOp>(value, -65536);
    }
    const std::int64_t width = 32 / rows_.parts;
    if (element_.isF16()) value = narrow_half(value);
    const Value own = make<arith::AndIOp>(value, (std::int64_t{1} << width) - 1);
    return make<arith::ShLIOp>(own, width * part);
  }

  void pack_words(std::int64_t first, std::int64_t count, std::int64_t parts) {
    llvm::SmallVector<Value> inputs;
    for (std::int64_t part = 0; part < parts; ++part) {
      inputs.push_back(part_view(part, first, count));
    }
    generic(inputs, words(first, count), [&](mlir::ValueRange elements) {
      Value word = placed(elements[0], 0);
      for (std::int64_t part = 1; part < parts; ++part) {
        word = arith::OrIOp::create(builder_, loc_, word, placed(elements[part], part));
      }
      return word;
    });
  }

  void compute(Value input, Value output, llvm::function_ref<Value(Value)> body) {
    generic({input}, output, [&](mlir::ValueRange elements) { return body(elements.front()); });
  }

  void generic(mlir::ValueRange inputs, Value output,
               llvm::function_ref<Value(mlir::ValueRange)> body) {
    const llvm::SmallVector<mlir::AffineMap> maps(inputs.size() + 1,
                                                  builder_.getMultiDimIdentityMap(2));
    mlir::linalg::GenericOp::create(
        builder_, loc_, inputs, mlir::ValueRange{output}, maps, parallel(2),
        [&](mlir::OpBuilder& nested, mlir::Location at, mlir::ValueRange arguments) {
          mlir::OpBuilder::InsertionGuard guard(builder_);
          builder_.setInsertionPoint(nested.getInsertionBlock(), nested.getInsertionPoint());
          const Value result = body(arguments.drop_back());
          mlir::linalg::YieldOp::create(builder_, at, result);
        });
  }

  mlir::OpBuilder& builder_;
  mlir::Location loc_;
  Value whole_;  // the loose buffer as it is
  mlir::Type element_;
  Rows rows_;
  Value packed_;
  Value loose_;  // as words, created on demand
};

bool is_packed(Value buffer) {
  const auto space = mlir::dyn_cast_or_null<mlir::StringAttr>(
      mlir::cast<mlir::MemRefType>(buffer.getType()).getMemorySpace());
  return space && space == "packed";
}

struct ExpandPacked : FunctionPass<ExpandPacked, PassName::expand_packed> {
  void run() {
    llvm::SmallVector<mlir::memref::CopyOp> copies;
    getOperation().walk([&](mlir::memref::CopyOp copy) {
      if (is_packed(copy.getSource()) || is_packed(copy.getTarget())) copies.push_back(copy);
    });
    for (mlir::memref::CopyOp copy : copies) expand(copy);
  }

 private:
  static void expand(mlir::memref::CopyOp copy) {
    mlir::OpBuilder builder(copy);
    if (mlir::cast<mlir::MemRefType>(copy.getSource().getType()).getNumElements() != 0) {
      if (is_packed(copy.getSource())) {
        Expander(builder, copy, copy.getSource(), copy.getTarget()).unpack();
      } else {
        Expander(builder, copy, copy.getTarget(), copy.getSource()).pack();
      }
    }
    copy->erase();
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> make_expand_packed_pass() { return std::make_unique<ExpandPacked>(); }

}  // namespace tandem::compiler
