#include "compiler/check/native_run.hpp"

#include <cstdlib>
#include <cstring>
#include <memory>

#include "llvm/Support/TargetSelect.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/Passes.h"

namespace tandem::compiler {
namespace {

// Memory that was never written is NaN, and an integer too large to be a result.
constexpr std::uint8_t unwritten = 0xFF;
constexpr std::size_t alignment = 64;

// The program's allocations live until it has run.
class Heap {
 public:
  static Heap*& current() {
    thread_local Heap* heap = nullptr;
    return heap;
  }
  Heap() { current() = this; }
  ~Heap() {
    for (void* block : blocks_) std::free(block);
    current() = nullptr;
  }
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  void* allocate(std::size_t size) {
    const std::size_t whole = (size + alignment) / alignment * alignment;
    void* block = std::aligned_alloc(alignment, whole);
    if (block == nullptr) std::abort();  // this runs in a process of its own (isolate.cpp)
    std::memset(block, unwritten, whole);
    blocks_.push_back(block);
    return block;
  }

 private:
  std::vector<void*> blocks_;
};

void* allocate(std::size_t size) { return Heap::current()->allocate(size); }

mlir::LogicalResult lower(mlir::ModuleOp module) {
  mlir::PassManager manager(module.getContext());
  auto& functions = manager.nest<mlir::func::FuncOp>();
  functions.addPass(mlir::createConvertLinalgToLoopsPass());
  functions.addPass(mlir::memref::createExpandStridedMetadataPass());
  functions.addPass(mlir::createLowerAffinePass());
  functions.addPass(mlir::createSCFToControlFlowPass());
  mlir::arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  functions.addPass(mlir::arith::createArithExpandOpsPass(expand));
  functions.addPass(mlir::createConvertMathToLLVMPass());
  manager.addPass(mlir::createConvertMathToLibmPass());
  manager.addPass(mlir::createArithToLLVMConversionPass());
  manager.addPass(mlir::createConvertIndexToLLVMPass());
  manager.addPass(mlir::createFinalizeMemRefToLLVMConversionPass());
  manager.addPass(mlir::createConvertControlFlowToLLVMPass());
  mlir::ConvertFuncToLLVMPassOptions bare;
  bare.useBarePtrCallConv = true;
  manager.addPass(mlir::createConvertFuncToLLVMPass(bare));
  manager.addPass(mlir::createUBToLLVMConversionPass());
  manager.addPass(mlir::createReconcileUnrealizedCastsPass());
  return manager.run(module);
}

// LLVM's loop passes take time quadratic in the number of loops. A program with more blocks than
// this skips them: it runs slower, but starts soon.
constexpr std::size_t most_blocks = 1500;

bool is_large(mlir::ModuleOp module) {
  std::size_t blocks = 0;
  module->walk([&](mlir::Block*) { ++blocks; });
  return blocks > most_blocks;
}

std::string text_of(llvm::Error error) { return llvm::toString(std::move(error)); }

}  // namespace

std::string run_native(mlir::ModuleOp module, const NativeForm& form,
                       std::vector<Bytes>& arguments) {
  static const bool has_target =
      !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
  if (!has_target) return "LLVM has no code for this processor";
  mlir::registerBuiltinDialectTranslation(*module.getContext());
  mlir::registerLLVMDialectTranslation(*module.getContext());
  if (mlir::failed(lower(module))) return "MLIR does not lower it";
  mlir::ExecutionEngineOptions options;
  const bool large = is_large(module);
  options.jitCodeGenOptLevel = large ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Less;
  const auto optimizer = mlir::makeOptimizingTransformer(large ? 0 : 1, 0, nullptr);
  options.transformer = optimizer;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = mlir::ExecutionEngine::create(module, options);
  if (!engine) return text_of(engine.takeError());
  Heap heap;
  (*engine)->registerSymbols([](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap symbols;
    symbols[intern("malloc")] = {llvm::orc::ExecutorAddr::fromPtr(&allocate),
                                 llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  std::vector<void*> memories;
  for (const unsigned argument : form.arguments) memories.push_back(arguments[argument].data());
  if (form.has_memories) {
    memories.push_back(heap.allocate(static_cast<std::size_t>(form.vmem_bytes)));
    memories.push_back(heap.allocate(static_cast<std::size_t>(form.hbm_bytes)));
  }
  llvm::SmallVector<void*> packed;
  for (void*& memory : memories) packed.push_back(static_cast<void*>(&memory));
  if (llvm::Error error = (*engine)->invokePacked("main", packed)) return text_of(std::move(error));
  return "";
}

}  // namespace tandem::compiler
