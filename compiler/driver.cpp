#include "compiler/driver.hpp"

#include "assembler/assembler.hpp"
#include "assembler/elf.hpp"
#include "compiler/asm/emit.hpp"
#include "compiler/asm/operands.hpp"
#include "compiler/buffers/memory_map.hpp"
#include "compiler/context.hpp"
#include "compiler/reader/read.hpp"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

namespace tandem::compiler {
namespace {

// "file.py:3:10: error: ..."; notes follow what they belong to.
void print(llvm::raw_ostream& stream, mlir::Diagnostic& diagnostic) {
  const auto kind = [&]() -> llvm::StringRef {
    switch (diagnostic.getSeverity()) {
      case mlir::DiagnosticSeverity::Note: return "note";
      case mlir::DiagnosticSeverity::Warning: return "warning";
      case mlir::DiagnosticSeverity::Error: return "error";
      case mlir::DiagnosticSeverity::Remark: return "remark";
    }
    return "";
  }();
  const mlir::FileLineColLoc place = source_place(diagnostic.getLocation());
  if (place) {
    stream << place.getFilename().getValue() << ":" << place.getLine() << ":" << place.getColumn()
           << ": ";
  }
  stream << kind << ": " << diagnostic << "\n";
  for (mlir::Diagnostic& note : diagnostic.getNotes()) print(stream, note);
}

class Compilation {
 public:
  explicit Compilation(const Job& job)
      : job_(job),
        messages_(outcome_.messages),
        context_(registry(), mlir::MLIRContext::Threading::DISABLED) {
    load_own_dialects(context_);
    context_.printOpOnDiagnostic(false);
    context_.getDiagEngine().registerHandler([this](mlir::Diagnostic& diagnostic) {
      print(messages_, diagnostic);
      return mlir::success();
    });
  }

  Outcome run() {
    outcome_.ok = mlir::succeeded(work());
    messages_.flush();
    if (!outcome_.ok && outcome_.messages.empty()) {
      messages_ << job_.name << ": error: internal: the compiler gave up without saying why\n";
      messages_.flush();
    }
    return std::move(outcome_);
  }

 private:
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    register_dialects(registry);
    return registry;
  }

  mlir::LogicalResult work() {
    module_ = read_module(context_, job_.input, job_.name);
    if (!module_ || mlir::failed(mlir::verify(*module_))) return mlir::failure();
    const Level from = job_.from.value_or(level_of(*module_));
    const Level to = std::min(job_.emit, Level::tpu);
    if (from > to) {
      return module_->emitError("this is at the level ")
             << level_name(from) << ", which is behind " << level_name(to);
    }
    mlir::PassManager manager(&context_);
    add_passes(manager, from, to, *job_.machine);
    if (mlir::failed(manager.run(*module_))) return mlir::failure();
    if (job_.emit > Level::tpu) return write_program();
    if (job_.print != Print::level) {
      outcome_.output = job_.print == Print::memory ? memory_text(*module_, *job_.machine)
                                                    : memory_svg(*module_, *job_.machine);
      return mlir::success();
    }
    (*module_)->setAttr("tandem.level", mlir::StringAttr::get(&context_, level_name(to)));
    llvm::raw_string_ostream stream(outcome_.output);
    (*module_)->print(stream, mlir::OpPrintingFlags().enableDebugInfo());
    stream << "\n";
    return mlir::success();
  }

  // Without a frame if it goes without: loops have their memory to themselves then.
  mlir::LogicalResult write_program() {
    std::string refusal;
    for (const Frame frame : {Frame::none, Frame::of_what_is_left}) {
      const auto text = emit_assembly(*module_, *job_.machine, frame);
      if (mlir::failed(text)) return mlir::failure();
      AssembleOptions options;
      options.preset = std::string(job_.machine->name);
      const SourceText source{job_.name + ".s", *text};
      const LinkResult linked = build(std::span(&source, 1), options);
      if (linked.ok()) {
        const std::vector<std::uint8_t> bytes = write_elf(linked.program);
        outcome_.output.assign(bytes.begin(), bytes.end());
        if (job_.emit == Level::assembly) outcome_.output = *text;
        return mlir::success();
      }
      if (refusal.empty()) refusal = diagnostics_text(linked.diagnostics);
    }
    messages_ << "error: unimplemented: the assembler refuses what was compiled\n" << refusal;
    return mlir::failure();
  }

  const Job& job_;
  Outcome outcome_;
  llvm::raw_string_ostream messages_;
  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

}  // namespace

Outcome compile_here(const Job& job) { return Compilation(job).run(); }

}  // namespace tandem::compiler
