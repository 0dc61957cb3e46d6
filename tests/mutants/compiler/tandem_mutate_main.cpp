// A program compiled with a fault in the middle, and what finds it:
//
//   tandem-mutate PROGRAM PRESET SEED [FOLDER]
//
// After a pass that the seed draws, one thing in the program is changed (mutations.hpp); the other
// passes continue with it. One line of JSON reports the change, whether the compiler refused it,
// and the verdicts of levels, golden's checks and the check of lifetimes; `changes`: whether
// results differ from those of the program without the fault by more than the order of sums does,
// or golden says that another machine may have others. FOLDER gets the tensors of its run.
#include <fstream>
#include <iostream>
#include <sstream>

#include "compiler/check/level_runs.hpp"
#include "compiler/driver/context.hpp"
#include "compiler/driver/driver.hpp"
#include "compiler/pipelines/pipelines.hpp"
#include "compiler/reader/read.hpp"
#include "llvm/Support/JSON.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "tests/mutants/compiler/mutations.hpp"

namespace tandem::mutants {
namespace {

namespace json = llvm::json;
using compiler::Level;
using compiler::LevelRun;

constexpr std::array levels{Level::tensor, Level::tiled, Level::buffers, Level::tpu};

// Where a fault is planted: after this pass of the level, counted from 0; after `tpu`, in the text.
struct Target {
  Level level = Level::assembly;
  std::size_t pass = 0;
};

// Plants it, and notes which passes there are.
class Planter : public mlir::PassInstrumentation {
 public:
  Planter(Level level, const std::optional<Target>& target, std::mt19937& numbers,
          std::vector<std::string>& passes, std::optional<Mutation>& planted)
      : level_(level), target_(target), numbers_(numbers), passes_(passes), planted_(planted) {}

  void runAfterPass(mlir::Pass* pass, mlir::Operation* op) override {
    auto module = mlir::dyn_cast<mlir::ModuleOp>(op);
    if (!module) module = op->getParentOfType<mlir::ModuleOp>();
    if (!module || pass->getArgument().empty()) return;
    auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
    if (!main || (op != module && op != main)) return;
    begun_ = begun_ || level_ != Level::tensor || pass->getArgument() == "tandem-lower-to-tensor";
    if (!begun_) return;  // of StableHLO
    if (target_ && target_->level == level_ && target_->pass == passes_.size()) {
      planted_ = mutate(module, numbers_);
    }
    passes_.push_back(pass->getArgument().str());
  }

 private:
  Level level_;
  const std::optional<Target>& target_;
  std::mt19937& numbers_;
  std::vector<std::string>& passes_;
  std::optional<Mutation>& planted_;
  bool begun_ = false;
};

// The program right after the pass that makes it from StableHLO.
class AfterLowering : public mlir::PassInstrumentation {
 public:
  explicit AfterLowering(mlir::OwningOpRef<mlir::ModuleOp>& lowered) : lowered_(lowered) {}
  void runAfterPass(mlir::Pass* pass, mlir::Operation* op) override {
    if (pass->getArgument() != "tandem-lower-to-tensor") return;
    lowered_ = mlir::cast<mlir::ModuleOp>(op).clone();
  }

 private:
  mlir::OwningOpRef<mlir::ModuleOp>& lowered_;
};

struct Compiled {
  std::string refusal;             // the compiler's message; "" if there is a program
  std::vector<std::string> forms;  // names of `modules`
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
  std::map<Level, std::vector<std::string>> passes;
  std::optional<Mutation> planted;
  std::string elf;
};

class Compiler {
 public:
  Compiler(std::string input, const Parameters& machine)
      : input_(std::move(input)), machine_(machine), context_(registry(), threads_off) {
    compiler::load_own_dialects(context_);
    context_.loadDialect<mlir::LLVM::LLVMDialect>();
    context_.getDiagEngine().registerHandler([this](mlir::Diagnostic& diagnostic) {
      messages_ += diagnostic.str() + "\n";
      return mlir::success();
    });
  }

  Compiled run(const std::optional<Target>& target, std::mt19937& numbers) {
    Compiled result;
    messages_.clear();
    auto module = compiler::read_module(context_, input_, "program");
    Level from = Level::stablehlo;
    for (const Level to : levels) {
      mlir::PassManager manager(&context_);
      mlir::OwningOpRef<mlir::ModuleOp> lowered;
      // The last callback runs first: the fault is already planted when the program is kept.
      if (to == Level::tensor) {
        manager.addInstrumentation(std::make_unique<AfterLowering>(lowered));
      }
      manager.addInstrumentation(
          std::make_unique<Planter>(to, target, numbers, result.passes[to], result.planted));
      compiler::add_passes(manager, from, to, machine_);
      if (mlir::failed(manager.run(*module))) return refused(std::move(result), messages_);
      if (lowered) keep(result, "lowered", std::move(lowered));
      if (to != Level::tpu) keep(result, level_name(to).str(), module->clone());
      from = to;
    }
    (*module)->setAttr("tandem.level", mlir::StringAttr::get(&context_, "tpu"));
    assemble(*module, target, numbers, result);
    return result;
  }

 private:
  static constexpr auto threads_off = mlir::MLIRContext::Threading::DISABLED;
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    compiler::register_dialects(registry);
    return registry;
  }
  static Compiled refused(Compiled result, const std::string& why) {
    result.refusal = why.empty() ? "without a word" : why;
    return result;
  }
  static void keep(Compiled& result, const std::string& name,
                   mlir::OwningOpRef<mlir::ModuleOp> module) {
    result.forms.push_back(name);
    result.modules.push_back(std::move(module));
  }

  void assemble(mlir::ModuleOp module, const std::optional<Target>& target, std::mt19937& numbers,
                Compiled& result) {
    compiler::Job job;
    job.name = "program";
    job.machine = &machine_;
    llvm::raw_string_ostream stream(job.input);
    module.print(stream, mlir::OpPrintingFlags().enableDebugInfo());
    job.emit = Level::assembly;
    compiler::Outcome made = compiler::compile_here(job);
    result.refusal = made.ok && made.messages.empty() ? "" : made.messages;
    if (!result.refusal.empty()) return;
    if (target && target->level == Level::assembly) result.planted = mutate(made.output, numbers);
    job.input = made.output;
    job.from = Level::assembly;
    job.emit = Level::elf;
    compiler::Outcome outcome = compiler::compile_here(job);
    result.elf = std::move(outcome.output);
    if (!outcome.ok) result.refusal = outcome.messages;
  }

  std::string input_;
  const Parameters& machine_;
  std::string messages_;
  mlir::MLIRContext context_;
};

struct LevelsSay {
  std::string text;                 // "" for nothing
  std::optional<LevelRun> buffers;  // as the machine rounds, where that runs
};

LevelsSay levels_say(compiler::LevelRuns& runs, const Compiled& compiled) {
  LevelsSay said;
  std::optional<LevelRun> last;
  for (std::size_t i = 0; i < compiled.modules.size(); ++i) {
    LevelRun now = runs.run(compiled.modules[i].get());
    if (!now.problem.empty()) return {compiled.forms[i] + ": not run, " + now.problem, {}};
    const std::string text = last ? runs.compare(*last, now) : "";
    last = std::move(now);
    if (said.text.empty() && !text.empty()) said.text = compiled.forms[i] + ": " + text;
  }
  if (last) said.buffers = runs.run_rounded(compiled.modules.back().get(), *last);
  return said;
}

const std::vector<std::string> limit{"--limit", "3000000"};
std::vector<std::string> with_limit(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), limit.begin(), limit.end());
  return arguments;
}

class Judge {
 public:
  Judge(Compiler& compiler, std::string folder)
      : compiler_(compiler), folder_(std::move(folder)), right_numbers_(0) {}

  int run(std::uint32_t seed) {
    std::mt19937 numbers(seed);
    const Compiled right = compiler_.run(std::nullopt, right_numbers_);
    const LevelsSay levels = levels_say(runs_, right);
    const std::string trouble = right.refusal + levels.text;
    LevelRun result = runs_.run_binary(right.elf, with_limit({"--check-lifetimes"}));
    const std::string problem = result.problem.empty() && trouble.empty()
                                    ? runs_.compare(*levels.buffers, result)
                                    : result.problem;
    if (!trouble.empty() || !problem.empty()) {
      std::cerr << "without a fault: " << trouble << problem << "\n";
      return 2;
    }
    const Target target = draw(right, numbers);
    const Compiled wrong = compiler_.run(target, numbers);
    tell(seed, target, right, wrong, result);
    return 0;
  }

 private:
  // Each level as often as another.
  static Target draw(const Compiled& right, std::mt19937& numbers) {
    const std::size_t place = numbers() % (levels.size() + 1);
    if (place == levels.size()) return {};
    const Level level = levels[place];
    return {level, numbers() % right.passes.at(level).size()};
  }

  void tell(std::uint32_t seed, const Target& target, const Compiled& right, const Compiled& wrong,
            const LevelRun& result) {
    json::Object told{{"seed", seed}, {"level", level_name(target.level)}};
    const bool in_text = target.level == Level::assembly;
    told["pass"] = in_text ? "assembly" : right.passes.at(target.level)[target.pass];
    told["number"] = static_cast<std::int64_t>(target.pass);
    told["planted"] = wrong.planted.has_value();
    if (wrong.planted) {
      told["kind"] = wrong.planted->kind;
      told["where"] = json::fixUTF8(wrong.planted->where);
    }
    told["refused"] = json::fixUTF8(wrong.refusal.substr(0, 300));
    told["same_program"] = wrong.refusal.empty() && wrong.elf == right.elf;
    if (wrong.planted && wrong.refusal.empty() && wrong.elf != right.elf) {
      judge(wrong, result, told);
    }
    std::cout << llvm::formatv("{0}", json::Value(std::move(told))).str() << "\n";
  }

  void judge(const Compiled& wrong, const LevelRun& right, json::Object& told) {
    const LevelsSay levels = levels_say(runs_, wrong);
    const LevelRun golden = runs_.run_binary(wrong.elf, with_limit({}));
    const LevelRun lives =
        runs_.run_binary(wrong.elf, with_limit({"--check-lifetimes", "--no-race-check"}));
    const LevelRun bare =
        runs_.run_binary(wrong.elf, with_limit({"--no-race-check", "--no-uninitialised-check"}));
    const bool differs = !bare.problem.empty() || !runs_.compare(right, bare).empty();
    told["levels"] = json::fixUTF8(levels.text);
    told["golden"] = json::fixUTF8(golden.problem.substr(0, 200));
    const bool is_ended = lives.problem.find("ended lifetime") != std::string::npos;
    told["lifetimes"] = json::fixUTF8(is_ended ? lives.problem.substr(0, 400) : "");
    const bool both_ran = levels.buffers && levels.buffers->problem.empty() && bare.problem.empty();
    told["binary"] = both_ran ? runs_.compare(*levels.buffers, bare) : "";
    told["changes"] = differs || !golden.problem.empty();
    if (!folder_.empty() && bare.problem.empty() && !runs_.save(bare, folder_)) {
      std::cerr << "tandem-mutate: cannot write to " << folder_ << "\n";
    }
  }

  Compiler& compiler_;
  std::string folder_;
  compiler::LevelRuns runs_;
  std::mt19937 right_numbers_;
};

int main_here(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "tandem-mutate PROGRAM PRESET SEED [FOLDER]\n";
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  const Parameters* machine = find_preset(argv[2]);
  if (!file || machine == nullptr) {
    std::cerr << "tandem-mutate: no such program or preset\n";
    return 2;
  }
  Compiler compiler(bytes.str(), *machine);
  return Judge(compiler, argc > 4 ? argv[4] : "")
      .run(static_cast<std::uint32_t>(std::stoul(argv[3])));
}

}  // namespace
}  // namespace tandem::mutants

int main(int argc, char** argv) { return tandem::mutants::main_here(argc, argv); }
