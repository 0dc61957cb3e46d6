#include "assembler/resolve.hpp"

#include <algorithm>
#include <set>

#include "assembler/expressions/expression.hpp"
#include "assembler/statement.hpp"
#include "host/nearest_name.hpp"
#include "isa/launch/size_expression.hpp"
#include "isa/object/patch.hpp"

namespace tandem::assembly {
namespace {

// Names mentioned but never defined, once each.
class UndefinedReporter {
 public:
  explicit UndefinedReporter(Context& context)
      : context_(context), reported_(context.symbols.size(), false) {}

  bool defined(SymbolId id, const Span& where) {
    if (id == no_symbol || context_.symbols[id].kind != SymbolKind::unknown) return true;
    if (!reported_[id] && !context_.reporter.full()) {
      reported_[id] = true;
      const std::string_view name = context_.symbols[id].name;
      context_.reporter.error(Code::undefined_symbol, where, hint(name), name);
    }
    return false;
  }

 private:
  [[nodiscard]] std::string hint(std::string_view name) const {
    NearestName nearest(name);
    for (SymbolId id = 0; id < context_.symbols.size(); ++id) {
      const SymbolEntry& entry = context_.symbols[id];
      if (entry.kind != SymbolKind::unknown && entry.kind != SymbolKind::register_alias) {
        nearest.consider(entry.name);
      }
    }
    const std::string text = nearest.hint();
    return text.empty() ? "if another object defines it, write `.extern`" : text;
  }

  Context& context_;
  std::vector<bool> reported_;
};

RelocationKind with_half(RelocationKind kind, Half half) {
  if (half == Half::whole) return kind;
  const bool is_operand = kind == RelocationKind::operand;
  if (half == Half::lo) {
    return is_operand ? RelocationKind::operand_lo : RelocationKind::word32_lo;
  }
  return is_operand ? RelocationKind::operand_hi : RelocationKind::word32_hi;
}

bool is_exported(const SymbolEntry& entry) {
  switch (entry.kind) {
    case SymbolKind::label:
    case SymbolKind::imported: return true;
    case SymbolKind::constant: return entry.global && entry.value.is_integer();
    case SymbolKind::unknown:
    case SymbolKind::register_alias:
    case SymbolKind::tensor: break;
  }
  return false;
}

class Resolver {
 public:
  explicit Resolver(Context& context) : context_(context), undefined_(context) {}

  void run() {
    settle_constants();
    make_symbols();
    keep_given_names();
    check_size_names();
    entry();
    check_functions();
    for (Fixup& fixup : context_.fixups) {
      if (context_.reporter.full()) return;
      settle(fixup);
    }
    // Fixups of text are in order already, those of `.reloc` and of slots within a bundle are not.
    const auto by_offset = [](const Relocation& a, const Relocation& b) {
      return a.offset < b.offset;
    };
    std::stable_sort(context_.object.text_relocations.begin(),
                     context_.object.text_relocations.end(), by_offset);
    std::stable_sort(context_.object.data_relocations.begin(),
                     context_.object.data_relocations.end(), by_offset);
  }

 private:
  // Exported constants must be numbers; a global name must be something.
  void settle_constants() {
    for (SymbolId id = 0; id < context_.symbols.size() && !context_.reporter.full(); ++id) {
      SymbolEntry& entry = context_.symbols[id];
      if (entry.global) undefined_.defined(id, entry.defined);
      if (entry.global) reachable(entry, entry.defined);
      if (entry.kind != SymbolKind::constant) continue;
      if (!simplify(context_.symbols, entry.value)) {
        context_.reporter.error(Code::circular, entry.defined, "", entry.name);
      } else if (entry.global && !entry.value.is_integer()) {
        context_.reporter.error(Code::not_constant, entry.defined,
                                "only labels and integers can be global");
      }
    }
  }

  void make_symbols() {
    std::vector<Symbol>& symbols = context_.object.symbols;
    std::vector<SymbolId> ids;
    for (SymbolId id = 0; id < context_.symbols.size(); ++id) {
      const SymbolEntry& entry = context_.symbols[id];
      if (!is_exported(entry)) continue;
      const bool is_constant = entry.kind == SymbolKind::constant;
      symbols.push_back(
          {std::string(entry.name), is_constant ? Place::absolute : entry.place, entry.global,
           is_constant ? static_cast<std::uint64_t>(entry.value.integer) : entry.offset});
      ids.push_back(id);
    }
    const std::vector<std::uint32_t> places = sort_symbols(symbols);
    index_.assign(context_.symbols.size(), 0);
    for (std::size_t i = 0; i < ids.size(); ++i) index_[ids[i]] = places[i];
  }

  void keep_given_names() {
    for (Given& given : context_.given) {
      const std::string name(context_.symbols[given.name].name);
      if (!given.register_name.empty()) {
        context_.object.given.push_back({name, given.from, std::string(given.register_name), 0});
      } else if (simplify(context_.symbols, given.value) && given.value.is_integer()) {
        context_.object.given.push_back({name, given.from, "", given.value.integer});
      }
    }
  }

  void entry() {
    if (!context_.has_entry) return;
    Value value = context_.entry;
    const Span& where = context_.entry_where;
    if (!undefined_.defined(value.symbol, where) || !reachable(value, where)) return;
    simplify(context_.symbols, value);
    std::int64_t pc = value.integer;
    bool good = value.is_integer();
    if (value.symbol != no_symbol && value.minus == no_symbol) {
      const SymbolEntry& symbol = context_.symbols[value.symbol];
      good = symbol.kind == SymbolKind::label && symbol.place == Place::text;
      pc += static_cast<std::int64_t>(symbol.offset);
    }
    if (!good || pc < 0 || pc >= static_cast<std::int64_t>(context_.object.text.size())) {
      context_.reporter.error(Code::bad_entry, where, "");
      return;
    }
    context_.object.entry_pc = static_cast<std::uint32_t>(pc);
  }

  // Undefined names have been reported as global names.
  void check_functions() {
    for (std::size_t i = 0; i < context_.declared.size(); ++i) {
      const std::string& name = context_.object.functions[i].name;
      const SymbolEntry& symbol = context_.symbols[context_.symbols.find(name)];
      const bool is_text = symbol.kind == SymbolKind::label && symbol.place == Place::text;
      if (is_text || symbol.kind == SymbolKind::unknown) continue;
      context_.reporter.error(Code::not_a_function, context_.declared[i], "", name);
    }
  }

  // What others are made of must be the whole size of some tensor, whose data then tells it.
  void check_size_names() {
    std::set<std::string_view> known;
    for (const Tensor& tensor : context_.object.tensors) {
      known.insert(tensor.dimension_names.begin(), tensor.dimension_names.end());
    }
    for (const Span& where : context_.size_names) {
      if (known.count(text_of(where)) != 0) continue;
      NearestName nearest(text_of(where));
      for (const std::string_view name : known) {
        if (!name.empty() && !is_size_expression(name)) nearest.consider(name);
      }
      std::string hint = nearest.hint();
      if (hint.empty()) hint = "sizes are made of numbers and of what is a whole size of a tensor";
      context_.reporter.error(Code::undefined_symbol, where, hint, text_of(where));
    }
  }

  // Only the beginning of a linear block is a place that others may know.
  bool reachable(const SymbolEntry& entry, const Span& where) {
    if (!entry.inside_linear) return true;
    return context_.reporter.error(Code::inside_linear, where,
                                   "its operations may be anywhere; end the block before it",
                                   entry.name);
  }
  bool reachable(const Value& value, const Span& where) {
    for (const SymbolId id : {value.symbol, value.minus}) {
      if (id != no_symbol && !reachable(context_.symbols[id], where)) return false;
    }
    return true;
  }

  void settle(Fixup& fixup) {
    Value& value = fixup.value;
    if (!fixup.inside_linear && !reachable(value, fixup.where)) return;
    if (!undefined_.defined(value.symbol, fixup.where)) return;
    if (!undefined_.defined(value.minus, fixup.where)) return;
    if (!simplify(context_.symbols, value)) {
      context_.reporter.error(Code::not_constant, fixup.where,
                              "define what it is made of before this line");
    } else if (value.is_constant()) {
      store(fixup);
    } else {
      relocate(fixup);
    }
  }

  void store(const Fixup& fixup) {
    const std::int64_t number =
        fixup.value.is_real ? fp32_bits(fixup.value.real) : fixup.value.integer;
    const std::string trouble = fixup.in_text
                                    ? patch_text(context_.object, fixup.offset, number)
                                    : patch_data(context_.object, fixup.offset, fixup.kind, number);
    if (trouble.empty()) return;
    context_.reporter.error(Code::relocation_range, fixup.where, "", text_of(fixup.where), number,
                            "here", trouble);
  }

  // A label of .smem cannot be used in an address of VMEM.
  bool right_space(const Fixup& fixup) {
    const Operand* operand =
        fixup.in_text ? patched_operand(context_.object, fixup.offset) : nullptr;
    if (operand == nullptr) return true;
    const Value& value = fixup.value;
    const SymbolEntry& symbol =
        context_.symbols[value.symbol == no_symbol ? value.minus : value.symbol];
    const std::string_view wanted =
        symbol.kind == SymbolKind::label ? wrong_space(*operand, symbol.place) : "";
    if (wanted.empty()) return true;
    return context_.reporter.error(Code::wrong_space, fixup.where, space_hint(symbol.place),
                                   symbol.name, section_name(symbol.place), wanted);
  }

  static std::string space_hint(Place place) {
    switch (place) {
      case Place::smem: return "`sld` and `sst` take it";
      case Place::vmem: return "`vld` and `vst` take it";
      case Place::data:
      case Place::bss: return "HBM is reached by copies";
      case Place::tensor: return "`.entry` is an offset in bytes from the argument pointer";
      case Place::text: return "`br` and `call` take it";
      case Place::undefined:
      case Place::absolute: break;
    }
    return {};
  }

  void relocate(const Fixup& fixup) {
    const Value& value = fixup.value;
    if (value.symbol != no_symbol && value.minus != no_symbol) {
      context_.reporter.error(Code::not_relocatable, fixup.where,
                              "only symbols of one section can be subtracted", "-");
      return;
    }
    if (value.half != Half::whole && fixup.kind == RelocationKind::word64) {
      context_.reporter.error(Code::not_relocatable, fixup.where, "use .u32", "lo() or hi()");
      return;
    }
    if (!right_space(fixup)) return;
    std::vector<Relocation>& list =
        fixup.in_text ? context_.object.text_relocations : context_.object.data_relocations;
    const bool negative = value.symbol == no_symbol;
    list.push_back({fixup.offset, value.integer, index_[negative ? value.minus : value.symbol],
                    with_half(fixup.kind, value.half), value.log2_scale, negative});
  }

  Context& context_;
  UndefinedReporter undefined_;
  std::vector<std::uint32_t> index_;  // of a SymbolId in object.symbols
};

}  // namespace

void resolve(Context& context) { Resolver(context).run(); }

}  // namespace tandem::assembly
