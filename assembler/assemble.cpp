#include <fmt/format.h>

#include "assembler/assembler.hpp"
#include "assembler/context.hpp"
#include "assembler/linear/linear.hpp"
#include "assembler/resolve.hpp"
#include "assembler/statement.hpp"
#include "isa/machine.hpp"

namespace tandem {
namespace {

using assembly::Buffer;
using assembly::Code;
using assembly::Context;

void set_preset(Context& context) {
  const std::string& name = context.options.preset;
  if (name.empty()) return;
  const FoundMachine found = find_machine(name);
  context.preset = found.machine;
  if (context.preset != nullptr) return;
  context.reporter.error(Code::unknown_preset, {}, found.complaint, name);
}

// Each define is a separate .equ, so that its errors are shown like any other.
void apply_defines(Context& context) {
  for (const auto& [name, expression] : context.options.defines) {
    Buffer buffer;
    buffer.name = "<command line>";
    buffer.storage = fmt::format(".equ {}, {}\n", name, expression);
    parse_text(context, context.sources.add(std::move(buffer)));
  }
  for (assembly::SymbolId id = 0; id < context.symbols.size(); ++id) {
    context.symbols[id].from_command_line = true;
  }
}

}  // namespace

AssembleResult assemble(const SourceText& source, const AssembleOptions& options) {
  Context context(options);
  set_preset(context);
  apply_defines(context);
  Buffer buffer;
  buffer.name = source.name;
  buffer.text = source.text;  // no copy: the caller's text outlives this function
  parse_text(context, context.sources.add(std::move(buffer)));
  if (context.linear != nullptr) {
    context.reporter.error(Code::open_block, context.linear->opened, "", ".linear", ".endlinear");
  }
  context.object.preset = &context.parameters();
  resolve(context);
  if (context.watch) {
    context.watch->finish(context);
    warn_of_unused(context);
  }
  // In the order of the bundles, without entries that scheduling left empty, so that a disassembled
  // text gives the same bytes.
  SourceTableBuilder in_order;
  in_order.append(context.source.table(), 0);
  context.object.source = in_order.release();
  return {std::move(context.object), context.reporter.take(), context.reporter.take_warnings()};
}

LinkResult build(std::span<const SourceText> sources, const AssembleOptions& options) {
  LinkResult result;
  std::vector<LinkInput> inputs;
  for (const SourceText& source : sources) {
    AssembleResult part = assemble(source, options);
    for (Diagnostic& item : part.diagnostics) result.diagnostics.push_back(std::move(item));
    inputs.push_back({source.name, std::move(part.object)});
  }
  if (!result.ok()) return result;
  return link(inputs);
}

}  // namespace tandem
