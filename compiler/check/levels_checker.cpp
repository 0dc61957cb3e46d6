#include "compiler/check/levels_checker.hpp"

#include <cmath>
#include <cstring>
#include <random>

#include "compiler/check/native_run.hpp"
#include "compiler/contract/attributes.hpp"
#include "compiler/pipelines/pipelines.hpp"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

namespace tandem::compiler {
namespace {

// An argument of the launch, as the program says first.
struct Tensor {
  std::string name;
  mlir::MemRefType type;
  bool is_input = false;
};

std::vector<Tensor> tensors_of(mlir::ModuleOp module) {
  std::vector<Tensor> tensors;
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    const auto name = attribute::name.get(main, i);
    const auto direction = attribute::direction.get(main, i);
    tensors.push_back({name ? name.getValue().str() : "",
                       mlir::cast<mlir::MemRefType>(main.getArgument(i).getType()),
                       direction && direction.getValue() == "in"});
  }
  return tensors;
}

// Reals in [-1, 1), integers from 0 to 7, truth values.
void draw(mlir::Type element, std::mt19937& numbers, std::uint8_t* to) {
  const std::uint32_t drawn = numbers();
  const auto real = static_cast<float>(static_cast<std::int32_t>(drawn)) * 0x1p-31F;
  if (element.isF32()) {
    std::memcpy(to, &real, sizeof(real));
  } else if (element.isBF16()) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &real, sizeof(bits));
    const auto half = static_cast<std::uint16_t>(bits >> 16U);
    std::memcpy(to, &half, sizeof(half));
  } else {
    *to = static_cast<std::uint8_t>(element.isInteger(1) ? drawn >> 31U : drawn >> 29U);
  }
}

std::size_t element_size(mlir::Type element) { return (element.getIntOrFloatBitWidth() + 7) / 8; }

Bytes memory_of(const Tensor& tensor, unsigned seed) {
  Bytes bytes(static_cast<std::size_t>(bytes_of(tensor.type)), tensor.is_input ? 0 : 0xFF);
  if (!tensor.is_input) return bytes;
  std::mt19937 numbers(seed);
  const mlir::Type element = tensor.type.getElementType();
  const std::size_t size = element_size(element);
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    draw(element, numbers, bytes.data() + at);
  }
  return bytes;
}

double number_at(const Bytes& bytes, mlir::Type element, std::size_t index) {
  const std::size_t size = element_size(element);
  const std::uint8_t* from = bytes.data() + index * size;
  if (element.isF32()) {
    float real = 0;
    std::memcpy(&real, from, sizeof(real));
    return real;
  }
  if (element.isBF16()) {
    std::uint16_t half = 0;
    std::memcpy(&half, from, sizeof(half));
    const std::uint32_t bits = std::uint32_t{half} << 16U;
    float real = 0;
    std::memcpy(&real, &bits, sizeof(real));
    return real;
  }
  std::int64_t integer = 0;
  std::memcpy(&integer, from, size);
  return static_cast<double>(integer);
}

// How far the order of sums may move a result, of its largest number.
double tolerance(mlir::Type element) {
  if (element.isF32()) return 1e-4;
  return element.isBF16() ? 0x1p-6 : 0;
}

// "" where they agree.
std::string difference(const Tensor& tensor, const Bytes& before, const Bytes& now) {
  const mlir::Type element = tensor.type.getElementType();
  // Rows of packed memory end with what nobody reads.
  const std::size_t count = before.size() / element_size(element);
  const auto columns = static_cast<std::size_t>(
      tensor.type.getRank() == 0 ? 1 : std::max<std::int64_t>(1, tensor.type.getShape().back()));
  const auto rows = static_cast<std::size_t>(
      std::max<std::int64_t>(1, tensor.type.getNumElements()) / static_cast<std::int64_t>(columns));
  const std::size_t pitch = rows == 0 ? count : count / rows;
  double largest = 0;
  double worst = 0;
  std::size_t differ = 0;
  const auto each = [&](auto&& act) {
    for (std::size_t row = 0; row < rows && tensor.type.getNumElements() > 0; ++row) {
      for (std::size_t i = 0; i < columns; ++i) act(row * pitch + i);
    }
  };
  each([&](std::size_t i) {
    const double x = std::abs(number_at(before, element, i));
    if (std::isfinite(x)) largest = std::max(largest, x);
  });
  each([&](std::size_t i) {
    const double x = number_at(before, element, i);
    const double y = number_at(now, element, i);
    if (x == y || (std::isnan(x) && std::isnan(y))) return;
    const double off = std::abs(x - y);
    if (off <= tolerance(element) * (largest + 1e-3)) return;
    ++differ;
    worst = std::isnan(off) ? off : std::max(worst, off);
  });
  if (differ == 0) return "";
  std::string text;
  llvm::raw_string_ostream(text) << tensor.name << ": " << differ << " numbers differ, by up to "
                                 << worst << " of " << largest;
  return text;
}

struct Run {
  std::string problem;
  std::vector<Bytes> memories;
};

class Checker {
 public:
  Run run(mlir::ModuleOp module) {
    if (tensors_.empty()) {
      tensors_ = tensors_of(module);
      unsigned seed = 1;
      for (const Tensor& tensor : tensors_) inputs_.push_back(memory_of(tensor, seed++));
    }
    Run result;
    result.memories = inputs_;
    mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
    const NativeForm form = to_native_form(*copy);
    result.problem = form.problem.empty() ? run_native(*copy, form, result.memories) : form.problem;
    return result;
  }

  [[nodiscard]] std::string compare(const Run& before, const Run& now) const {
    for (std::size_t i = 0; i < tensors_.size(); ++i) {
      if (tensors_[i].is_input) continue;
      std::string text = difference(tensors_[i], before.memories[i], now.memories[i]);
      if (!text.empty()) return text;
    }
    return "";
  }

 private:
  std::vector<Tensor> tensors_;
  std::vector<Bytes> inputs_;
};

// Runs the program after each pass.
class AfterPasses : public mlir::PassInstrumentation {
 public:
  AfterPasses(Checker& checker, std::optional<Run> before, llvm::raw_ostream& text)
      : checker_(checker), before_(std::move(before)), text_(text) {}

  void runAfterPass(mlir::Pass* pass, mlir::Operation* op) override {
    auto module = mlir::dyn_cast<mlir::ModuleOp>(op);
    if (!module) module = op->getParentOfType<mlir::ModuleOp>();
    if (busy_ || !module || pass->getArgument().empty() || found_) return;
    auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
    if (!main || main.getNumArguments() == 0 || has_other_operations(main)) return;
    if (op != module && op != main) return;
    busy_ = true;
    Run now = checker_.run(module);
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

  Checker& checker_;
  std::optional<Run> before_;
  llvm::raw_ostream& text_;
  bool busy_ = false;
  bool found_ = false;
};

class LevelCheck {
 public:
  LevelCheck(const Parameters& machine, const Choices* choices, bool each_pass,
             llvm::raw_ostream& text)
      : machine_(machine), choices_(choices), each_pass_(each_pass), text_(text) {}

  mlir::LogicalResult run(mlir::ModuleOp module,
                          llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()> read) {
    module.getContext()->loadDialect<mlir::LLVM::LLVMDialect>();
    Level from = level_of(module);
    std::optional<Run> before;
    if (Level::stablehlo < from) {
      before = checker_.run(module);
      if (!before->problem.empty()) return refused(from, before->problem);
    }
    for (const Level to : {Level::tensor, Level::tiled, Level::buffers}) {
      if (to <= from) continue;
      if (mlir::failed(lead(module, from, to, before, each_pass_))) return mlir::failure();
      Run now = checker_.run(module);
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
    return mlir::success();
  }

 private:
  mlir::LogicalResult refused(Level level, llvm::StringRef why) {
    text_ << level_name(level) << ": not run, " << why << "\n";
    return mlir::failure();
  }

  mlir::LogicalResult lead(mlir::ModuleOp module, Level from, Level to,
                           const std::optional<Run>& before, bool each_pass,
                           bool* found = nullptr) {
    mlir::PassManager manager(module.getContext());
    AfterPasses* passes = nullptr;
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
                                const Run& before) {
    if (each_pass_) return mlir::failure();  // it has been said
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
  llvm::raw_ostream& text_;
  Checker checker_;
};

}  // namespace

mlir::LogicalResult check_levels(const Parameters& machine, const Choices* choices, bool each_pass,
                                 llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()> read,
                                 llvm::raw_ostream& text) {
  mlir::OwningOpRef<mlir::ModuleOp> module = read();
  if (!module) return mlir::failure();
  return LevelCheck(machine, choices, each_pass, text).run(*module, read);
}

}  // namespace tandem::compiler
