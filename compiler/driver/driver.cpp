#include "compiler/driver/driver.hpp"

#include "assembler/assembler.hpp"
#include "assembler/disassemble.hpp"
#include "assembler/elf.hpp"
#include "compiler/asm/emit.hpp"
#include "compiler/check/levels_checker.hpp"
#include "compiler/contract/attributes.hpp"
#include "compiler/contract/decisions_json.hpp"
#include "compiler/contract/places.hpp"
#include "compiler/contract/verify_level.hpp"
#include "compiler/driver/context.hpp"
#include "compiler/functions/library.hpp"
#include "compiler/pipelines/pipelines.hpp"
#include "compiler/reader/read.hpp"
#include "compiler/stablehlo/verify/verify.hpp"
#include "compiler/stats/costs_json.hpp"
#include "compiler/stats/memory_map.hpp"
#include "compiler/stats/useful_work.hpp"
#include "host/printable.hpp"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

namespace tandem::compiler {
namespace {

// "file.py:3:10: error: ..."; notes follow their message.
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

// "file.py:3: ", the user's line of the first text that the assembler refuses: the last `.loc`
// before it. Empty where there is none.
std::string user_place(llvm::StringRef text, const std::vector<Diagnostic>& diagnostics) {
  if (diagnostics.empty()) return "";
  llvm::StringRef place;
  std::uint64_t line = 0;
  while (!text.empty() && ++line <= diagnostics.front().where.line) {
    const auto [first, rest] = text.split('\n');
    if (first.trim().starts_with(".loc ")) place = first.trim().drop_front(5);
    text = rest;
  }
  const auto [number, file] = place.split(", \"");
  return place.empty() ? "" : (file.split('"').first + ":" + number + ": ").str();
}

class Compilation {
 public:
  Compilation(const Job& job, const std::function<void()>& on_read)
      : job_(job),
        on_read_(on_read),
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
    outcome_.messages = printable(outcome_.messages);
    return std::move(outcome_);
  }

 private:
  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    register_dialects(registry);
    return registry;
  }

  mlir::LogicalResult work() {
    if (job_.from && *job_.from > Level::tpu) return assemble_input(*job_.from);
    module_ = read_module(context_, job_.input, job_.name);
    if (on_read_) on_read_();
    if (!module_ || mlir::failed(mlir::verify(*module_))) return mlir::failure();
    const Level from = job_.from.value_or(level_of(*module_));
    if (from == Level::stablehlo && mlir::failed(verify_stablehlo(*module_))) {
      return mlir::failure();
    }
    if (from > Level::stablehlo && mlir::failed(verify_level(*module_, from))) {
      return mlir::failure();
    }
    const Level to = job_.print == Print::identity ? from : std::min(job_.emit, Level::tpu);
    if (job_.print == Print::check || job_.print == Print::check_passes) return check();
    if (from > to) {
      return module_->emitError("this is at the level ")
             << level_name(from) << ", which comes after " << level_name(to);
    }
    mlir::PassManager manager(&context_);
    add_passes(manager, from, to, *job_.machine,
               {job_.choices ? &*job_.choices : nullptr, job_.regions, job_.links, job_.room,
                job_.log_bytes, job_.start_copies});
    if (mlir::failed(manager.run(*module_)) || mlir::failed(check_choices(to))) {
      return mlir::failure();
    }
    if (job_.emit > Level::tpu && job_.print == Print::level) return write_program();
    print_module(to);
    return mlir::success();
  }

  mlir::LogicalResult check() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    const auto binary = [&](mlir::ModuleOp module) -> std::optional<std::string> {
      module_ = module.clone();
      mlir::PassManager manager(&context_);
      add_passes(manager, Level::buffers, Level::tpu, *job_.machine);
      if (mlir::failed(manager.run(*module_)) || mlir::failed(write_program())) return std::nullopt;
      return std::exchange(outcome_.output, {});
    };
    const auto read = [&] { return read_module(context_, job_.input, job_.name); };
    const bool is_right =
        mlir::succeeded(check_levels(*job_.machine, job_.choices ? &*job_.choices : nullptr,
                                     job_.print == Print::check_passes, read, binary, stream));
    outcome_.output = std::move(text);
    if (!is_right) messages_ << outcome_.output;
    return mlir::success(is_right);
  }

  mlir::LogicalResult check_choices(Level reached) {
    if (!job_.choices || reached < Level::tiled) return mlir::success();
    const std::string wrong = misfit(*job_.choices, decisions_of(*module_));
    if (wrong.empty()) return mlir::success();
    messages_ << job_.name << ": error: the choices do not fit this program: " << wrong << "\n";
    return mlir::failure();
  }

  void print_module(Level to) {
    switch (job_.print) {
      case Print::level: return print_level(to);
      case Print::memory: outcome_.output = memory_text(*module_, *job_.machine); return;
      case Print::memory_drawn: outcome_.output = memory_svg(*module_, *job_.machine); return;
      case Print::useful_work:
        outcome_.output = useful_work_json(*module_, *job_.machine, job_.turns);
        return;
      case Print::costs: outcome_.output = costs_json(*module_, *job_.machine, job_.turns); return;
      case Print::decisions: outcome_.output = decisions_json(decisions_of(*module_)); return;
      case Print::identity: return print_identity();
      case Print::check:
      case Print::check_passes: return;
    }
  }

  // Names of files and lines do not affect a program's identity.
  void print_identity() {
    llvm::raw_string_ostream stream(outcome_.output);
    (*module_)->print(stream, mlir::OpPrintingFlags().enableDebugInfo(false));
  }

  void print_level(Level to) {
    attribute::level.set(*module_, level_name(to));
    llvm::raw_string_ostream stream(outcome_.output);
    (*module_)->print(stream, mlir::OpPrintingFlags().enableDebugInfo());
    stream << "\n";
  }

  // The input is the text of one of the levels after `tpu`.
  mlir::LogicalResult assemble_input(Level from) {
    if (from > job_.emit || from == Level::elf) {
      messages_ << job_.name << ": error: nothing leads from the level " << level_name(from)
                << " to " << level_name(job_.emit) << "\n";
      return mlir::failure();
    }
    const LinkResult linked = assembled({{job_.name, job_.input}}, "");
    if (!linked.ok()) {
      messages_ << diagnostics_text(linked.diagnostics);
      return mlir::failure();
    }
    const std::string trouble = target_mismatch(*linked.program.preset, *job_.machine);
    if (job_.machine_asked && !trouble.empty()) {
      messages_ << job_.name << ": error: " << trouble << "\n";
      return mlir::failure();
    }
    hand_out(linked.program, job_.input);
    return mlir::success();
  }

  // `preset`: "" for the preset named in the text.
  static LinkResult assembled(const std::vector<SourceText>& texts, std::string_view preset) {
    AssembleOptions options;
    options.preset = preset;
    options.include_paths = {kernels_folder()};
    return build(texts, options);
  }

  // The texts of the functions that are called.
  std::vector<SourceText> functions() {
    std::vector<SourceText> texts;
    for (auto function : module_->getOps<mlir::func::FuncOp>()) {
      const auto file = attribute::file.get(function);
      const auto text = attribute::kernel.get(function);
      const bool is_known = file && llvm::any_of(texts, [&](const SourceText& other) {
                              return other.name == file.getValue() && other.text == text.getValue();
                            });
      if (file && !is_known) texts.push_back({file.getValue().str(), text.getValue().str()});
    }
    return needed_texts(texts, *job_.machine);
  }

  void hand_out(const Object& program, const std::string& text) {
    switch (job_.emit) {
      case Level::assembly: outcome_.output = text; return;
      case Level::vliw: outcome_.output = disassemble(program); return;
      case Level::elf: {
        const std::vector<std::uint8_t> bytes = write_elf(program);
        outcome_.output.assign(bytes.begin(), bytes.end());
        return;
      }
      case Level::stablehlo:
      case Level::tensor:
      case Level::tiled:
      case Level::buffers:
      case Level::tpu: return;  // levels of MLIR: print_level
    }
  }

  // Without a frame if it fits: loops have their memory to themselves then. Assembly that the
  // assembler refuses is returned too, so that the user can see what was refused.
  mlir::LogicalResult write_program() {
    std::string refusal;
    std::string place;
    std::string frameless;
    std::vector<SourceText> texts = functions();
    texts.insert(texts.begin(), {job_.name + ".s", ""});
    for (const Frame frame : {Frame::none, Frame::of_what_is_left}) {
      const auto text = emit_assembly(*module_, *job_.machine, frame);
      if (mlir::failed(text)) return mlir::failure();
      texts.front().text = *text;
      const LinkResult linked = assembled(texts, job_.machine->name);
      if (linked.ok()) {
        hand_out(linked.program, *text);
        return mlir::success();
      }
      if (refusal.empty()) {
        refusal = diagnostics_text(linked.diagnostics);
        place = user_place(*text, linked.diagnostics);
        frameless = *text;
      }
    }
    if (job_.emit == Level::assembly) {
      messages_ << "remark: the assembler refuses this\n" << refusal;
      outcome_.output = std::move(frameless);
      return mlir::success();
    }
    messages_ << place << "error: unimplemented: the assembler refuses what was compiled\n"
              << refusal;
    return mlir::failure();
  }

  const Job& job_;
  const std::function<void()>& on_read_;
  Outcome outcome_;
  llvm::raw_string_ostream messages_;
  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

}  // namespace

Outcome compile_here(const Job& job, const std::function<void()>& on_read) {
  return Compilation(job, on_read).run();
}

}  // namespace tandem::compiler
