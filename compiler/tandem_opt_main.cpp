// tandem-opt: single passes on text, for tests and for finding out.
#include "compiler/context.hpp"
#include "compiler/passes.hpp"
#include "compiler/reader/read.hpp"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace {

namespace cl = llvm::cl;

constexpr int exit_bad_input = 2;

int run(const std::string& path, const mlir::PassPipelineCLParser& pipeline) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!file) {
    llvm::errs() << "tandem-opt: cannot read " << path << "\n";
    return exit_bad_input;
  }
  mlir::DialectRegistry registry;
  tandem::compiler::register_dialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  tandem::compiler::load_own_dialects(context);
  llvm::SourceMgr sources;
  const mlir::SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto module = tandem::compiler::read_module(context, (*file)->getBuffer(), path);
  if (!module || mlir::failed(mlir::verify(*module))) return exit_bad_input;
  // Passes on functions are named like those on modules.
  mlir::PassManager manager(&context, mlir::ModuleOp::getOperationName(),
                            mlir::PassManager::Nesting::Implicit);
  const auto fail = [](const llvm::Twine& message) {
    llvm::errs() << "tandem-opt: " << message << "\n";
    return mlir::failure();
  };
  if (mlir::failed(pipeline.addToPipeline(manager, fail)) || mlir::failed(manager.run(*module))) {
    return exit_bad_input;
  }
  module->print(llvm::outs());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  static cl::opt<std::string> input(cl::Positional, cl::desc("<input>"), cl::init("-"));
  static cl::opt<std::string> preset("preset", cl::desc("The machine"),
                                     cl::init(std::string(tandem::default_preset)));
  tandem::compiler::register_passes([]() -> const tandem::Parameters& {
    const tandem::Parameters* machine = tandem::find_preset(preset.getValue());
    return machine == nullptr ? *tandem::find_preset(tandem::default_preset) : *machine;
  });
  const mlir::PassPipelineCLParser pipeline("", "Passes to run");
  cl::ParseCommandLineOptions(argc, argv, "Runs passes of the compiler\n");
  if (tandem::find_preset(preset.getValue()) == nullptr) {
    llvm::errs() << "tandem-opt: there is no preset '" << preset << "'\n";
    return exit_bad_input;
  }
  return run(input, pipeline);
}
