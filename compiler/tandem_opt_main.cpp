// tandem-opt: single passes on text, for tests and debugging.
#include "compiler/contract/passes.hpp"
#include "compiler/contract/verify_level.hpp"
#include "compiler/driver/context.hpp"
#include "compiler/reader/read.hpp"
#include "host/host_file.hpp"
#include "host/standard_files.hpp"
#include "isa/machine.hpp"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/ToolUtilities.h"

namespace {

namespace cl = llvm::cl;

constexpr int exit_bad_input = 2;

mlir::DialectRegistry all_dialects() {
  mlir::DialectRegistry registry;
  tandem::compiler::register_dialects(registry);
  return registry;
}

mlir::LogicalResult run_passes(mlir::MLIRContext& context, const llvm::MemoryBuffer& text,
                               const mlir::PassPipelineCLParser& pipeline,
                               llvm::raw_ostream& output) {
  auto module =
      tandem::compiler::read_module(context, text.getBuffer(), text.getBufferIdentifier().str());
  if (!module || mlir::failed(mlir::verify(*module))) return mlir::failure();
  // Passes on functions are named like those on modules.
  mlir::PassManager manager(&context, mlir::ModuleOp::getOperationName(),
                            mlir::PassManager::Nesting::Implicit);
  const auto fail = [](const llvm::Twine& message) {
    llvm::errs() << "tandem-opt: " << message << "\n";
    return mlir::failure();
  };
  if (mlir::failed(pipeline.addToPipeline(manager, fail)) || mlir::failed(manager.run(*module)) ||
      mlir::failed(tandem::compiler::verify_level(*module, std::nullopt))) {
    return mlir::failure();
  }
  module->print(output);
  return mlir::success();
}

// With `verifies`, success means that the text announces each diagnostic at its place: `//
// expected-error`.
mlir::LogicalResult run(std::unique_ptr<llvm::MemoryBuffer> text, bool verifies,
                        const mlir::PassPipelineCLParser& pipeline, llvm::raw_ostream& output) {
  mlir::MLIRContext context(all_dialects(), mlir::MLIRContext::Threading::DISABLED);
  tandem::compiler::load_own_dialects(context);
  context.printOpOnDiagnostic(!verifies);
  const llvm::MemoryBuffer& read = *text;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), {});
  if (!verifies) {
    const mlir::SourceMgrDiagnosticHandler diagnostics(sources, &context);
    return run_passes(context, read, pipeline, output);
  }
  mlir::SourceMgrDiagnosticVerifierHandler diagnostics(sources, &context);
  // The diagnostics are the output.
  static_cast<void>(run_passes(context, read, pipeline, llvm::nulls()));
  return diagnostics.verify();
}

}  // namespace

int main(int argc, char** argv) {
  tandem::occupy_standard_files();
  static cl::opt<std::string> input(cl::Positional, cl::desc("<input>"), cl::init("-"));
  static cl::opt<std::string> preset("preset", cl::desc("The machine"),
                                     cl::init(std::string(tandem::default_preset)));
  tandem::compiler::register_passes([]() -> const tandem::Parameters& {
    const tandem::Parameters* machine = tandem::find_machine(preset.getValue()).machine;
    return machine == nullptr ? *tandem::find_preset(tandem::default_preset) : *machine;
  });
  static cl::opt<bool> split("split-input-file",
                             cl::desc("Each piece of the input, apart by // -----, by itself"));
  static cl::opt<bool> verifies("verify-diagnostics",
                                cl::desc("Compare diagnostics with // expected-error"));
  const mlir::PassPipelineCLParser pipeline("", "Passes to run");
  cl::ParseCommandLineOptions(argc, argv, "Runs passes of the compiler\n");
  if (const auto found = tandem::find_machine(preset.getValue()); found.machine == nullptr) {
    llvm::errs() << "tandem-opt: " << found.complaint << "\n";
    return exit_bad_input;
  }
  const std::string& name = input.getValue();
  tandem::HostFile file(name);
  std::string text;
  if (!file.read_rest(std::uint64_t{1} << 32U, text)) {
    llvm::errs() << "tandem-opt: " << name << ": " << file.error() << "\n";
    return exit_bad_input;
  }
  const auto piece = [&](std::unique_ptr<llvm::MemoryBuffer> text, llvm::raw_ostream& output) {
    return run(std::move(text), verifies, pipeline, output);
  };
  const mlir::LogicalResult result = mlir::splitAndProcessBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, name == "-" ? "<stdin>" : name), piece,
      llvm::outs(), split ? mlir::kDefaultSplitMarker : "");
  return mlir::succeeded(result) ? 0 : exit_bad_input;
}
