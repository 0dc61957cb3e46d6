#include "compiler/check/native_form.hpp"

#include "compiler/contract/attributes.hpp"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"

namespace tandem::compiler {
namespace {

namespace arith = mlir::arith;
namespace linalg = mlir::linalg;
namespace memref = mlir::memref;
using mlir::MemRefType;
using mlir::Value;

constexpr std::int64_t bytes_a_word = 4;

bool is_packed(MemRefType type) {
  const auto space = mlir::dyn_cast_or_null<mlir::StringAttr>(type.getMemorySpace());
  return space && space == "packed";
}

std::int64_t element_bytes(mlir::Type element) { return (element.getIntOrFloatBitWidth() + 7) / 8; }

// Elements from one row of packed memory to the next.
std::int64_t packed_row(MemRefType type) {
  const std::int64_t per_word = bytes_a_word / element_bytes(type.getElementType());
  return (type.getShape().back() + per_word - 1) / per_word * per_word;
}

MemRefType native(MemRefType type) {
  if (!is_packed(type) || type.getRank() == 0) {
    return MemRefType::get(type.getShape(), type.getElementType(), type.getLayout());
  }
  llvm::SmallVector<std::int64_t> strides(static_cast<std::size_t>(type.getRank()), 1);
  std::int64_t stride = packed_row(type);
  for (std::int64_t i = type.getRank() - 2; i >= 0; --i) {
    strides[static_cast<std::size_t>(i)] = stride;
    stride *= type.getDimSize(static_cast<unsigned>(i));
  }
  const auto layout = mlir::StridedLayoutAttr::get(type.getContext(), 0, strides);
  return MemRefType::get(type.getShape(), type.getElementType(), layout);
}

class Former {
 public:
  explicit Former(mlir::ModuleOp module) : module_(module) {}

  NativeForm run() {
    main_ = module_.lookupSymbol<mlir::func::FuncOp>("main");
    if (!main_ || main_.isExternal()) return refused("there is no function main");
    for (unsigned i = 0; i < main_.getNumArguments(); ++i) form_.arguments.push_back(i);
    if (!only_main() || !bufferize()) return std::move(form_);
    find_starts();
    scans_as_loops();
    divide_safely();
    alias_arguments();
    copies_as_loops();
    plain_types();
    if (form_.problem.empty()) place_buffers();
    return std::move(form_);
  }

 private:
  NativeForm refused(const llvm::Twine& why) {
    form_.problem = why.str();
    return std::move(form_);
  }

  bool only_main() {
    for (auto function : llvm::make_early_inc_range(module_.getOps<mlir::func::FuncOp>())) {
      if (function == main_) continue;
      // Elements past the end of a run are compared all the same.
      if (attribute::stop.is_on(function)) {
        const auto uses = function.getSymbolUses(module_);
        for (const auto& use : *uses) use.getUser()->erase();
      }
      if (!function.symbolKnownUseEmpty(module_)) {
        form_.problem = ("it calls @" + function.getName() + ", which is no MLIR").str();
        return false;
      }
      function.erase();
    }
    return true;
  }

  // Each write of a tensor goes into a copy of its own: no assumption about shared memory.
  bool bufferize() {
    const auto has_tensors = module_.walk([](mlir::Operation* op) {
      const bool has = llvm::any_of(op->getResultTypes(), llvm::IsaPred<mlir::TensorType>);
      return has ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
    });
    if (!has_tensors.wasInterrupted()) return true;
    mlir::PassManager manager(module_.getContext());
    mlir::bufferization::OneShotBufferizePassOptions options;
    options.copyBeforeWrite = true;
    manager.addPass(mlir::bufferization::createOneShotBufferizePass(options));
    if (mlir::succeeded(manager.run(module_))) return true;
    form_.problem = "it does not become buffers";
    return false;
  }

  void fill(mlir::OpBuilder& builder, mlir::Location loc, Value buffer, mlir::TypedAttr number) {
    const Value constant = arith::ConstantOp::create(builder, loc, number);
    linalg::FillOp::create(builder, loc, constant, buffer);
  }

  // Operations that start without reading their result.
  void find_starts() {
    module_.walk([&](linalg::GenericOp op) {
      const bool from_identity = attribute::from_identity.is_on(op);
      if (!from_identity && !attribute::from_zero.is_on(op) && !attribute::overwrites.is_on(op)) {
        return;
      }
      mlir::OpBuilder builder(op);
      for (const Value init : op.getDpsInits()) {
        mlir::TypedAttr start = builder.getZeroAttr(mlir::getElementTypeOrSelf(init.getType()));
        if (from_identity) {
          const auto identity = arith::getNeutralElement(
              op.getBody()->getTerminator()->getOperand(0).getDefiningOp());
          if (!identity) {
            form_.problem = "a reduction without an identity says that it starts from it";
            return;
          }
          start = *identity;
        }
        fill(builder, op.getLoc(), init, start);
      }
    });
  }

  // Operations that take in the result of the column before, or after.
  void scans_as_loops() {
    llvm::SmallVector<linalg::GenericOp> scans;
    module_.walk([&](linalg::GenericOp op) {
      if (attribute::scan.is_on(op)) scans.push_back(op);
    });
    for (linalg::GenericOp op : scans) {
      mlir::OpBuilder builder(op);
      scan_as_loops(builder, op);
      op.erase();
    }
  }

  static void scan_as_loops(mlir::OpBuilder& builder, linalg::GenericOp op) {
    const mlir::Location loc = op.getLoc();
    const Value in = op.getDpsInputs().front();
    const Value out = op.getDpsInits().front();
    const auto shape = mlir::cast<MemRefType>(in.getType()).getShape();
    const bool is_down = attribute::scan.get(op) == "down";
    const auto constant = [&](mlir::OpBuilder& at, std::int64_t value) -> Value {
      return arith::ConstantIndexOp::create(at, loc, value);
    };
    const Value zero = constant(builder, 0);
    const Value one = constant(builder, 1);
    const Value rows = constant(builder, shape[0]);
    const Value columns = constant(builder, shape[1]);
    const auto column = [&](mlir::OpBuilder& at, Value number) -> Value {
      if (!is_down) return number;
      return arith::SubIOp::create(at, loc, constant(at, shape[1] - 1), number);
    };
    mlir::scf::ForOp::create(
        builder, loc, zero, rows, one, mlir::ValueRange(),
        [&](mlir::OpBuilder& outer, mlir::Location, Value row, mlir::ValueRange) {
          const Value first = column(outer, zero);
          const Value start = memref::LoadOp::create(outer, loc, in, mlir::ValueRange{row, first});
          memref::StoreOp::create(outer, loc, start, out, mlir::ValueRange{row, first});
          mlir::scf::ForOp::create(
              outer, loc, one, columns, one, start,
              [&](mlir::OpBuilder& inner, mlir::Location, Value number, mlir::ValueRange before) {
                const Value at = column(inner, number);
                mlir::IRMapping values;
                const Value element =
                    memref::LoadOp::create(inner, loc, in, mlir::ValueRange{row, at});
                values.map(op.getBody()->getArgument(0), element);
                values.map(op.getBody()->getArgument(1), before.front());
                for (mlir::Operation& step : op.getBody()->without_terminator()) {
                  inner.clone(step, values);
                }
                const Value result =
                    values.lookupOrDefault(op.getBody()->getTerminator()->getOperand(0));
                memref::StoreOp::create(inner, loc, result, out, mlir::ValueRange{row, at});
                mlir::scf::YieldOp::create(inner, loc, result);
              });
          mlir::scf::YieldOp::create(outer, loc);
        });
  }

  // A processor traps where the machine gives an undefined result.
  void divide_safely() {
    module_.walk([](mlir::Operation* op) {
      if (!mlir::isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
                     arith::FloorDivSIOp, arith::CeilDivSIOp>(op)) {
        return;
      }
      mlir::OpBuilder builder(op);
      const mlir::Location loc = op->getLoc();
      const mlir::Type type = op->getOperand(1).getType();
      if (!type.isIntOrIndex()) return;
      const auto number = [&](std::int64_t value) -> Value {
        return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
      };
      const auto is = [&](Value x, Value y) -> Value {
        return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, x, y);
      };
      const Value divisor = op->getOperand(1);
      const Value bad =
          arith::OrIOp::create(builder, loc, is(divisor, number(0)), is(divisor, number(-1)));
      const Value safe = arith::SelectOp::create(builder, loc, bad, number(1), divisor);
      // Division by -1: the negative, or remainder 0.
      const Value x = op->getOperand(0);
      const bool divides = mlir::isa<arith::DivSIOp, arith::FloorDivSIOp, arith::CeilDivSIOp>(op);
      op->setOperand(
          1, mlir::isa<arith::DivUIOp, arith::RemUIOp>(op) || type.isIndex()
                 ? arith::SelectOp::create(builder, loc, is(divisor, number(0)), number(1), divisor)
                       .getResult()
                 : safe);
      if (!divides || type.isIndex()) return;
      builder.setInsertionPointAfter(op);
      const Value negative = arith::SubIOp::create(builder, loc, number(0), x);
      auto result = arith::SelectOp::create(builder, loc, is(divisor, number(-1)), negative,
                                            op->getResult(0));
      op->getResult(0).replaceAllUsesExcept(result, result);
    });
  }

  // The memory of an argument as another type: one more argument.
  void alias_arguments() {
    llvm::SmallVector<mlir::UnrealizedConversionCastOp> casts;
    module_.walk([&](mlir::UnrealizedConversionCastOp cast) { casts.push_back(cast); });
    mlir::Block& body = main_.getBody().front();
    for (mlir::UnrealizedConversionCastOp cast : casts) {
      const auto argument = mlir::dyn_cast<mlir::BlockArgument>(cast.getOperand(0));
      if (!argument || argument.getOwner() != &body) {
        form_.problem = "it reads memory as another type";
        return;
      }
      const mlir::Value alias = body.addArgument(cast.getResult(0).getType(), cast.getLoc());
      form_.arguments.push_back(form_.arguments[argument.getArgNumber()]);
      cast.getResult(0).replaceAllUsesWith(alias);
      cast.erase();
    }
  }

  void copies_as_loops() {
    llvm::SmallVector<memref::CopyOp> copies;
    module_.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies) {
      mlir::OpBuilder builder(copy);
      linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(), copy.getTarget());
      copy.erase();
    }
  }

  void plain_types() {
    module_.walk([&](memref::AllocOp alloc) {
      if (alloc.getType().getMemorySpace()) in_vmem_.insert(alloc);
    });
    const auto plain = [](Value value) {
      if (const auto type = mlir::dyn_cast<MemRefType>(value.getType())) {
        value.setType(native(type));
      }
    };
    module_.walk([&](mlir::Operation* op) {
      for (const Value result : op->getResults()) plain(result);
      for (mlir::Region& region : op->getRegions()) {
        for (mlir::Block& block : region) {
          for (const Value argument : block.getArguments()) plain(argument);
        }
      }
      if (auto global = mlir::dyn_cast<memref::GlobalOp>(op)) {
        global.setType(native(global.getType()));
      }
    });
    mlir::Builder builder(module_.getContext());
    main_.setArgAttrsAttr({});
    main_.setType(builder.getFunctionType(main_.getBody().getArgumentTypes(), {}));
  }

  // Buffers share memory as in the program, if all of them have addresses.
  void place_buffers() {
    llvm::SmallVector<memref::AllocOp> allocs;
    module_.walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
    if (!attribute::vmem_rows.is_on(main_)) return;  // known once the last address is set
    mlir::OpBuilder builder(module_.getContext());
    llvm::SmallVector<Value, 2> memories;
    for (const bool in_vmem : {true, false}) {
      std::int64_t& bytes = in_vmem ? form_.vmem_bytes : form_.hbm_bytes;
      for (memref::AllocOp alloc : allocs) {
        if (in_vmem_.contains(alloc) == in_vmem) bytes = std::max(bytes, end_of(alloc));
      }
      const auto type = MemRefType::get({bytes}, builder.getI8Type());
      memories.push_back(main_.getBody().addArgument(type, main_.getLoc()));
    }
    form_.has_memories = true;
    for (memref::AllocOp alloc : allocs) {
      builder.setInsertionPoint(alloc);
      const Value offset =
          arith::ConstantIndexOp::create(builder, alloc.getLoc(), address_of(alloc) * bytes_a_word);
      const Value memory = memories[in_vmem_.contains(alloc) ? 0 : 1];
      const Value view = memref::ViewOp::create(builder, alloc.getLoc(), alloc.getType(), memory,
                                                offset, mlir::ValueRange{});
      alloc.getResult().replaceAllUsesWith(view);
      alloc.erase();
    }
    main_.setType(builder.getFunctionType(main_.getBody().getArgumentTypes(), {}));
  }

  static std::int64_t address_of(memref::AllocOp alloc) {
    return attribute::address.get(alloc).getInt();
  }

  // An element takes a word.
  static std::int64_t end_of(memref::AllocOp alloc) {
    return (address_of(alloc) + alloc.getType().getNumElements()) * bytes_a_word;
  }

  mlir::ModuleOp module_;
  mlir::func::FuncOp main_;
  NativeForm form_;
  llvm::DenseSet<mlir::Operation*> in_vmem_;  // allocations
};

}  // namespace

NativeForm to_native_form(mlir::ModuleOp module) { return Former(module).run(); }

std::int64_t bytes_of(MemRefType type) {
  const std::int64_t element = element_bytes(type.getElementType());
  if (!is_packed(type) || type.getRank() == 0) {
    return (type.getNumElements() * element + bytes_a_word - 1) / bytes_a_word * bytes_a_word;
  }
  const std::int64_t columns = type.getShape().back();
  const std::int64_t rows = columns == 0 ? 0 : type.getNumElements() / columns;
  return rows * packed_row(type) * element;
}

}  // namespace tandem::compiler
