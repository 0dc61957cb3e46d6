// Assembly text to objects (isa/object/link.hpp makes programs from them). The language is
// described in docs/assembly.md. Nothing here throws on bad input: every complaint is a Diagnostic.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "assembler/linear/block_report.hpp"
#include "assembler/warnings/warnings.hpp"
#include "isa/object/diagnostic.hpp"
#include "isa/object/link.hpp"
#include "isa/object/object.hpp"
#include "schedule/level.hpp"
#include "schedule/schedule.hpp"

namespace tandem {

struct SourceText {
  std::string name;  // the name used in diagnostics and in the line table
  std::string text;
};

struct AssembleOptions {
  std::string preset;      // overrides .target; "" leaves it to the text, else default_preset
  bool line_table = true;  // record file and line of every bundle
  std::vector<std::string> include_paths;  // tried after the folder of the including file
  std::vector<std::pair<std::string, std::string>> defines;  // name, expression: as by .equ
  std::size_t error_limit = 100;
  WarningSet warnings;                                 // those to look for
  schedule::Level schedule = schedule::default_level;  // of linear blocks
  // Called with the scheduler's report on each linear block, in text order.
  std::function<void(const BlockReport& report)> on_report;
  // Called with each linear block (named by its first line) and its schedule.
  std::function<void(const SourceSpan& opened, const schedule::LinearBlock& block,
                     const schedule::Result& result)>
      on_block;
  // Called with each warning, by code that loads programs.
  std::function<void(const Diagnostic& warning)> on_warning;
  // Called with every file that the text names and that is read.
  std::function<void(const std::string& path)> on_file;
  bool check_disjoint = false;  // linear blocks trap when a `.disjoint` promise is broken
  bool prove = false;  // check every schedule with schedule/proof; E089 when the proof fails
};

struct AssembleResult {
  Object object;                        // meaningful when diagnostics is empty
  std::vector<Diagnostic> diagnostics;  // all errors, in text order
  std::vector<Diagnostic> warnings;     // the same for warnings
  [[nodiscard]] bool ok() const { return diagnostics.empty(); }
};

// Assembles one text to a relocatable object. `.include` and `.incbin` read files.
AssembleResult assemble(const SourceText& source, const AssembleOptions& options = {});

// Reads a whole file; "-" is standard input (named "<stdin>"). nullopt when it cannot be read.
std::optional<SourceText> read_source(const std::string& path);

// assemble() of every source, then link(): the whole of `tandem asm a.s b.s -o x.elf`.
LinkResult build(std::span<const SourceText> sources, const AssembleOptions& options = {});

}  // namespace tandem
