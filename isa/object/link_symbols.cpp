#include "isa/object/link_symbols.hpp"

namespace tandem {
namespace {

bool same_signature(const Tensor& left, const Tensor& right) {
  return left.type == right.type && left.dimensions == right.dimensions &&
         left.dimension_names == right.dimension_names && left.input == right.input &&
         left.output == right.output && left.shares == right.shares;
}

std::string_view tensor_name(std::string_view symbol) {
  constexpr std::string_view suffix = ".entry";
  return symbol.substr(0, symbol.size() - std::min(symbol.size(), suffix.size()));
}

}  // namespace

void LinkedSymbols::collect() {
  for (std::size_t i = 0; i < inputs_.size(); ++i) merge_tensors(i);
  for (std::size_t i = 0; i < inputs_.size(); ++i) define_globals(i);
  for (const auto& [name, definition] : globals_) {
    names_.insert(name);
    program_.symbols.push_back(definition.symbol);
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) add_locals(i);
  for (std::size_t i = 0; i < inputs_.size(); ++i) look_up(i);
}

// The same tensor may be declared in several objects; it is one tensor.
void LinkedSymbols::merge_tensors(std::size_t input) {
  for (const Tensor& tensor : inputs_[input].object.tensors) {
    const auto [found, added] = tensors_.emplace(tensor.name, program_.tensors.size());
    if (added) {
      program_.tensors.push_back(tensor);
      tensor_from_[tensor.name] = input;
    } else if (!same_signature(program_.tensors[found->second], tensor)) {
      diagnostics_.push_back(link_diagnostic(inputs_[input].name, DiagnosticCode::tensor_differs,
                                             "", tensor.name,
                                             inputs_[tensor_from_[tensor.name]].name));
    }
  }
}

void LinkedSymbols::define_globals(std::size_t input) {
  for (const Symbol& symbol : inputs_[input].object.symbols) {
    if (!symbol.global || symbol.place == Place::undefined) continue;
    const auto [found, added] =
        globals_.emplace(symbol.name, Definition{input, placed(input, symbol)});
    if (added || (symbol.place == Place::tensor && found->second.symbol.place == Place::tensor)) {
      continue;
    }
    diagnostics_.push_back(link_diagnostic(inputs_[input].name, DiagnosticCode::symbol_twice, "",
                                           symbol.name, inputs_[found->second.input].name));
  }
}

void LinkedSymbols::add_locals(std::size_t input) {
  for (const Symbol& symbol : inputs_[input].object.symbols) {
    if (symbol.global) continue;
    Symbol local = placed(input, symbol);
    local.name = unique_name(symbol.name);
    program_.symbols.push_back(std::move(local));
  }
}

// Two objects may each use the same local name; in the program it must name one thing, or its
// disassembly would not assemble.
std::string LinkedSymbols::unique_name(const std::string& name) {
  if (names_.insert(name).second) return name;
  unsigned& next = next_suffix_.try_emplace(name, 2).first->second;
  for (;;) {
    std::string candidate = fmt::format("{}.{}", name, next++);
    if (names_.insert(candidate).second) return candidate;
  }
}

void LinkedSymbols::look_up(std::size_t input) {
  const std::vector<Symbol>& symbols = inputs_[input].object.symbols;
  std::vector<Resolved>& values = values_.emplace_back();
  values.reserve(symbols.size());
  for (const Symbol& symbol : symbols) {
    if (!symbol.global) {
      values.push_back({placed(input, symbol).value, symbol.place});
      continue;
    }
    const auto found = globals_.find(symbol.name);
    if (found == globals_.end()) {
      diagnostics_.push_back(link_diagnostic(inputs_[input].name, DiagnosticCode::symbol_missing,
                                             "define it with `.global` in one of the objects",
                                             symbol.name));
    }
    const Symbol* definition = found == globals_.end() ? nullptr : &found->second.symbol;
    values.push_back(definition == nullptr ? Resolved{}
                                           : Resolved{definition->value, definition->place});
  }
}

Symbol LinkedSymbols::placed(std::size_t input, const Symbol& symbol) const {
  Symbol result = symbol;
  const Bases& bases = bases_[input];
  switch (symbol.place) {
    case Place::text: result.value += bases.text; break;
    case Place::data: result.value += bases.data + data_address(program_); break;
    case Place::bss: result.value += bases.bss + bss_address(program_); break;
    case Place::vmem: result.value += bases.vmem; break;
    case Place::smem: result.value += bases.smem; break;
    case Place::tensor: {
      const auto found = tensors_.find(std::string(tensor_name(symbol.name)));
      if (found != tensors_.end()) result.value = found->second * argument_entry_bytes;
      break;
    }
    case Place::undefined:
    case Place::absolute: break;
  }
  return result;
}

}  // namespace tandem
