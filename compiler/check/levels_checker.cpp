#include "compiler/check/levels_checker.hpp"

#include "compiler/check/level_runs.hpp"
#include "compiler/pipelines/pipelines.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

namespace tandem::compiler {
namespace {

// Runs the program after each pass.
class AfterPasses : public mlir::PassInstrumentation {
 public:
  AfterPasses(LevelRuns& checker, std::optional<LevelRun> before, llvm::raw_ostream& text)
      : checker_(checker), before_(std::move(before)), text_(text) {}

  void runAfterPass(mlir::Pass* pass, mlir::Operation* op) override {
    auto module = mlir::dyn_cast<mlir::ModuleOp>(op);
    if (!module) module = op->getParentOfType<mlir::ModuleOp>();
    if (busy_ || !module || pass->getArgument().empty() || found_) return;
    auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
    if (!main || main.getNumArguments() == 0 || has_other_operations(main)) return;
    if (op != module && op != main) return;
    busy_ = true;
    LevelRun now = checker_.run(module);
    busy_ = false;
    if (!now.problem.empty()) {
      text_ << "  " << pass->getArgument() << ": not run, " << now.problem << "\n";
      return;
    }
    if (before_) {
      const std::string text = checker_.compare(*before_, now);
      if (!text.empty()) {
        text_ << "  " << pass->getArgument() << " changes results: " << text << "\n";
        found_ = true;
        return;
      }
    }
    text_ << "  " << pass->getArgument() << ": the same\n";
    before_ = std::move(now);
  }

  [[nodiscard]] bool found() const { return found_; }

 private:
  static bool has_other_operations(mlir::func::FuncOp main) {
    const auto walked = main.walk([](mlir::Operation* op) {
      const llvm::StringRef dialect = op->getName().getDialectNamespace();
      return dialect == "stablehlo" || dialect == "tpu" ? mlir::WalkResult::interrupt()
                                                        : mlir::WalkResult::advance();
    });
    return walked.wasInterrupted();
  }

  LevelRuns& checker_;
  std::optional<LevelRun> before_;
  llvm::raw_ostream& text_;
  bool busy_ = false;
  bool found_ = false;
};

// Runs the program right after its conversion from StableHLO.
class AfterLowering : public mlir::PassInstrumentation {
 public:
  explicit AfterLowering(LevelRuns& checker, std::optional<LevelRun>& result)
      : checker_(checker), result_(result) {}

  void runAfterPass(mlir::Pass* pass, mlir::Operation* op) override {
    if (pass->getArgument() != "tandem-lower-to-tensor") return;
    LevelRun run = checker_.run(mlir::cast<mlir::ModuleOp>(op));
    if (run.problem.empty()) result_ = std::move(run);
  }

 private:
  LevelRuns& checker_;
  std::optional<LevelRun>& result_;
};

class LevelCheck {
 public:
  LevelCheck(const Parameters& machine, const Choices* choices, bool each_pass, MakeBinary binary,
             llvm::raw_ostream& text)
      : machine_(machine), choices_(choices), each_pass_(each_pass), binary_(binary), text_(text) {}

  mlir::LogicalResult run(mlir::ModuleOp module,
                          llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()> read) {
    module.getContext()->loadDialect<mlir::LLVM::LLVMDialect>();
    Level from = level_of(module);
    std::optional<LevelRun> before;
    if (Level::stablehlo < from) {
      before = checker_.run(module);
      if (!before->problem.empty()) return refused(from, before->problem);
    }
    for (const Level to : {Level::tensor, Level::tiled, Level::buffers}) {
      if (to <= from) continue;
      if (mlir::failed(lead(module, from, to, before, each_pass_))) return mlir::failure();
      if (!before) before = std::move(lowered_);
      LevelRun now = checker_.run(module);
      if (!now.problem.empty()) return refused(to, now.problem);
      const std::string text = before ? checker_.compare(*before, now) : "";
      text_ << level_name(to) << ": "
            << (!before        ? "runs"
                : text.empty() ? "the same"
                               : "differs, " + text)
            << "\n";
      if (!text.empty()) return find_pass(read(), from, to, *before);
      before = std::move(now);
      from = to;
    }
    return run_binary(module, *before);
  }

 private:
  // With golden's own checks, and that of lifetimes.
  mlir::LogicalResult run_binary(mlir::ModuleOp module, const LevelRun& before) {
    const LevelRun rounded = checker_.run_rounded(module, before);
    if (!rounded.problem.empty()) return refused(Level::buffers, rounded.problem);
    const std::optional<std::string> elf = binary_(module);
    if (!elf) return mlir::failure();
    const LevelRun now = checker_.run_binary(*elf, {"--check-lifetimes"});
    if (!now.problem.empty()) return refused(Level::elf, now.problem);
    const std::string text = checker_.compare(rounded, now);
    text_ << level_name(Level::elf) << ": " << (text.empty() ? "the same" : "differs, " + text)
          << "\n";
    return mlir::success(text.empty());
  }

  mlir::LogicalResult refused(Level level, llvm::StringRef why) {
    text_ << level_name(level) << ": not run, " << why << "\n";
    return mlir::failure();
  }

  mlir::LogicalResult lead(mlir::ModuleOp module, Level from, Level to,
                           const std::optional<LevelRun>& before, bool each_pass,
                           bool* found = nullptr) {
    mlir::PassManager manager(module.getContext());
    AfterPasses* passes = nullptr;
    if (from == Level::stablehlo) {
      manager.addInstrumentation(std::make_unique<AfterLowering>(checker_, lowered_));
    }
    if (each_pass) {
      auto owned = std::make_unique<AfterPasses>(checker_, before, text_);
      passes = owned.get();
      manager.addInstrumentation(std::move(owned));
    }
    add_passes(manager, from, to, machine_, {choices_, false});
    const mlir::LogicalResult result = manager.run(module);
    if (found != nullptr && passes != nullptr) *found = passes->found();
    return result;
  }

  mlir::LogicalResult find_pass(mlir::OwningOpRef<mlir::ModuleOp> module, Level from, Level to,
                                const LevelRun& before) {
    if (each_pass_) return mlir::failure();  // already reported
    if (mlir::failed(lead(*module, level_of(*module), from, std::nullopt, false))) {
      return mlir::failure();
    }
    bool found = false;
    static_cast<void>(lead(*module, from, to, before, true, &found));
    if (!found) text_ << "  no single pass does\n";
    return mlir::failure();
  }

  const Parameters& machine_;
  const Choices* choices_;
  bool each_pass_;
  MakeBinary binary_;
  llvm::raw_ostream& text_;
  LevelRuns checker_;
  std::optional<LevelRun> lowered_;  // the program when it first reaches `tensor`
};

}  // namespace

mlir::LogicalResult check_levels(const Parameters& machine, const Choices* choices, bool each_pass,
                                 llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()> read,
                                 MakeBinary binary, llvm::raw_ostream& text) {
  mlir::OwningOpRef<mlir::ModuleOp> module = read();
  if (!module) return mlir::failure();
  return LevelCheck(machine, choices, each_pass, binary, text).run(*module, read);
}

}  // namespace tandem::compiler
