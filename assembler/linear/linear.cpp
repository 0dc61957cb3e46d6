#include "assembler/linear/linear.hpp"

#include <algorithm>

#include "assembler/directives/directives.hpp"
#include "assembler/expressions/expression.hpp"
#include "assembler/macro.hpp"
#include "assembler/statement.hpp"
#include "assembler/words.hpp"
#include "host/nearest_name.hpp"
#include "isa/analysis/effects.hpp"
#include "schedule/memory/disjoint_checks.hpp"
#include "schedule/proof/validate.hpp"
#include "schedule/schedule.hpp"

namespace tandem::assembly {
namespace {

using schedule::LinearOperation;
using schedule::no_virtual;
using schedule::Trouble;
using schedule::TroubleKind;
using schedule::VirtualId;

std::string file_name(File file) {
  constexpr std::array<std::string_view, file_count> names{"scalar", "predicate", "mask", "vector",
                                                           "accumulator"};
  return std::string(names[static_cast<std::size_t>(file)]);
}

// Processing of a block once all of it is known.
class Finisher {
 public:
  Finisher(Context& context, LinearState& state) : context_(context), state_(state) {}

  void run() {
    const bool good = !state_.broken && settle_sources() && check_written() && settle_hints();
    settle_targets();
    settle_anchors();
    if (good) make_bundles();
    define_labels();
  }

 private:
  // Numbers of schedule::LinearOperation::anchor.
  static constexpr std::uint32_t fixed_anchor = schedule::number_anchor;
  static constexpr std::uint32_t section_anchor = 2;
  static constexpr std::uint32_t other_anchor = 32;

  // The files of vector sources that were used before they were written.
  bool settle_sources() {
    bool good = true;
    for (LinearOperation& item : state_.block.operations) {
      const Instruction& row = instruction(item.operation.op);
      for (std::size_t i = 0; i < row.operands.count; ++i) {
        const VirtualId id = item.registers[i];
        if (id == no_virtual || row.operands.items[i]->kind != OperandKind::vsource) continue;
        good = settle_source(item, i, id) && good;
      }
    }
    return good;
  }

  bool settle_source(LinearOperation& item, std::size_t place, VirtualId id) {
    const std::optional<File> file = state_.block.virtuals[id].file;
    OperandValue& value = item.operation.operands[place];
    const auto scalar = static_cast<std::uint32_t>(SourceForm::scalar);
    if (!file || file == File::v) return true;  // without a file: check_written() reports it
    if (file == File::s && value.extra == 0) {
      value.extra = scalar;
      return true;
    }
    return context_.reporter.error(Code::virtual_file, state_.sources[item.tag].where,
                                   file_hint(id), name_of(id), file_name(*file),
                                   file == File::s ? "a vector" : "a vector or scalar register");
  }

  bool check_written() {
    std::vector<bool> written(state_.block.virtuals.size(), false);
    for (const LinearOperation& item : state_.block.operations) {
      const Effects effects = effects_of(item.operation);
      if (!effects.writes) continue;
      const VirtualId id = item.registers[effects.write.place];
      if (id != no_virtual) written[id] = true;
    }
    bool good = true;
    for (VirtualId id = 0; id < written.size(); ++id) {
      if (written[id]) continue;
      if (context_.reporter.full()) return false;
      const std::string name = fmt::format("%{}", name_of(id));
      NearestName nearest(name);
      for (VirtualId other = 0; other < written.size(); ++other) {
        if (written[other]) nearest.consider(fmt::format("%{}", name_of(other)));
      }
      good = context_.reporter.error(Code::virtual_unwritten, state_.mentions[id], nearest.hint(),
                                     name_of(id));
    }
    return good;
  }

  bool settle_hints() {
    bool good = true;
    for (const LinearHint& item : state_.hints) {
      const auto label =
          std::find_if(state_.labels.begin(), state_.labels.end(),
                       [&](const LinearLabel& other) { return other.symbol == item.symbol; });
      if (label == state_.labels.end()) {
        good = context_.reporter.error(Code::undefined_symbol, item.where,
                                       "a hint is about a label of its own block",
                                       text_of(item.where));
        continue;
      }
      state_.block.hints.push_back(item.hint);
      state_.block.hints.back().label =
          static_cast<schedule::LabelId>(label - state_.labels.begin());
    }
    return good;
  }

  // Branches within the block; other uses of its labels stay fixups, which resolve() checks.
  void settle_targets() {
    std::unordered_map<SymbolId, schedule::LabelId> labels;
    for (const LinearLabel& label : state_.labels) {
      labels.emplace(label.symbol, static_cast<schedule::LabelId>(labels.size()));
    }
    for (LinearOperation& item : state_.block.operations) {
      PendingConstant& pending = state_.sources[item.tag].pending;
      if (!pending.used || effects_of(item.operation).control != Control::branch) continue;
      const Value& value = pending.value;
      if (value.minus != no_symbol || value.integer != 0 || value.log2_scale != 0) continue;
      const auto found = labels.find(value.symbol);
      if (found == labels.end()) continue;
      item.target = found->second;
      pending.used = false;
    }
  }

  // Constants that are not fixed yet, for address analysis: labels of one section of this text are
  // at known distances, everything else is only equal to itself.
  void settle_anchors() {
    std::unordered_map<std::string, std::uint32_t> others;
    for (LinearOperation& item : state_.block.operations) {
      const PendingConstant& pending = state_.sources[item.tag].pending;
      if (!pending.used) continue;
      Value value = pending.value;
      simplify(context_.symbols, value);
      if (value.is_integer()) {
        item.anchor = fixed_anchor;
        item.anchor_offset = value.integer;
        continue;
      }
      item.anchor_offset = value.integer;
      const bool plain = value.symbol != no_symbol && value.minus == no_symbol &&
                         value.half == Half::whole && value.log2_scale == 0;
      if (plain && context_.symbols[value.symbol].kind == SymbolKind::label) {
        const SymbolEntry& label = context_.symbols[value.symbol];
        item.anchor = section_anchor + static_cast<std::uint32_t>(label.place);
        item.anchor_offset += static_cast<std::int64_t>(label.offset);
        continue;
      }
      const std::string key =
          fmt::format("{} {} {} {} {} {}", value.symbol, value.minus, value.log2_scale,
                      static_cast<int>(value.half), value.is_real, value.real);
      item.anchor = others.emplace(key, other_anchor + static_cast<std::uint32_t>(others.size()))
                        .first->second;
    }
  }

  void make_bundles() {
    if (context_.options.check_disjoint) {
      state_.block = schedule::with_disjoint_checks(state_.block, context_.parameters().lanes);
    }
    const schedule::Result result =
        schedule::schedule_block(state_.block, {context_.options.schedule, &context_.parameters()});
    for (const Trouble& trouble : result.troubles) complain(trouble);
    if (!result.ok()) return;
    if (context_.options.prove && !result.cuts.empty()) {
      const std::string trouble =
          schedule::validate(state_.block, result, context_.parameters().lanes);
      if (!trouble.empty()) {
        context_.reporter.error(Code::unproved_schedule, state_.opened, "", trouble);
      }
    }
    const std::size_t base = context_.object.text.size();
    if (base + result.bundles > max_bundles) {
      context_.reporter.error(Code::too_large, state_.opened, "", "text", max_bundles, "bundles");
      return;
    }
    if (context_.options.on_block) {
      context_.options.on_block(locate(state_.opened), state_.block, result);
    }
    if (context_.options.on_report) context_.options.on_report(report(result));
    state_.block.labels = result.labels;
    std::size_t next = 0;
    for (std::uint32_t b = 0; b < result.bundles; ++b) {
      std::size_t end = next;
      while (end < result.issues.size() && result.issues[end].bundle == b) ++end;
      emit({result.issues.data() + next, end - next}, result);
      next = end;
    }
  }

  [[nodiscard]] SourceSpan place_of(std::uint32_t tag) const {
    return locate(state_.sources[tag].where);
  }
  [[nodiscard]] BlockReport report(const schedule::Result& result) const {
    BlockReport report;
    report.name = state_.block.name;
    report.opened = locate(state_.opened);
    report.level = context_.options.schedule;
    report.operations = static_cast<std::uint32_t>(state_.block.operations.size());
    report.first_bundle = static_cast<std::uint32_t>(context_.object.text.size());
    report.bundles = result.bundles;
    report.cycles = result.cycles;
    report.spills = result.spills;
    for (const schedule::Issue& issue : result.issues) {
      ++report.slots[static_cast<std::size_t>(issue.slot)];
    }
    for (const std::uint32_t branch : result.converted) {
      report.predicated.push_back(place_of(state_.block.operations[branch].tag));
    }
    for (const schedule::LoopReport& loop : result.loops) {
      PlacedLoop placed{loop, place_of(loop.head), place_of(loop.tag), std::nullopt, {}};
      if (loop.culprit != schedule::no_tag) placed.culprit = place_of(loop.culprit);
      for (const std::uint32_t tag : loop.round) placed.round.push_back(place_of(tag));
      report.loops.push_back(std::move(placed));
    }
    return report;
  }

  void emit(std::span<const schedule::Issue> issues, const schedule::Result& result) {
    Bundle bundle{};
    const auto pc = static_cast<std::uint32_t>(context_.object.text.size());
    const LinearSource* earliest = nullptr;
    for (const schedule::Issue& issue : issues) {
      const LinearSource& source = state_.sources[issue.tag];
      set_slot_bits(bundle, issue.slot, encode(issue.operation));
      if (earliest == nullptr || &source < earliest) earliest = &source;
      const std::uint64_t offset = std::uint64_t{pc} * bundle_bytes +
                                   slot_layouts[static_cast<std::size_t>(issue.slot)].lsb / 8U;
      if (issue.target != schedule::no_label) {
        context_.fixups.push_back({offset, target_value(issue.target, result),
                                   RelocationKind::operand, true, source.where, true});
      } else if (takes_pending(issue)) {
        context_.fixups.push_back(
            {offset, source.pending.value, RelocationKind::operand, true, source.pending.where});
      }
    }
    context_.object.text.push_back(bundle);
    if (earliest != nullptr) record_lines(pc, issues, earliest->frame);
    if (!context_.object.buffers.empty()) record_touches(pc, issues);
  }

  // Loads and stores added by scheduling are those of the frame.
  void record_touches(std::uint32_t pc, std::span<const schedule::Issue> issues) {
    SlotTouches touches{};
    for (const schedule::Issue& issue : issues) {
      std::vector<Touch>& slot = touches[static_cast<std::size_t>(issue.slot)];
      if (!issue.added) {
        const LinearSource& source = state_.sources[issue.tag];
        slot.push_back(source.touch);
        const std::vector<Touch>& given = state_.given[source.given];
        slot.insert(slot.end(), given.begin(), given.end());
      } else if (issue.slot == Slot::ld) {
        slot.push_back({spill_buffer, no_buffer});
      } else if (issue.slot == Slot::st) {
        slot.push_back({no_buffer, spill_buffer});
      }
    }
    add_touches(context_.object, pc, touches);
  }

  // A bundle's line is that of its first operation in the text; the others may have other lines.
  void record_lines(std::uint32_t pc, std::span<const schedule::Issue> issues, FrameId first) {
    if (first == no_frame) return;
    context_.source.line(pc, first);
    std::array<FrameId, slot_count> frames{};
    for (const schedule::Issue& issue : issues) {
      const FrameId frame = state_.sources[issue.tag].frame;
      if (frame != first) frames[static_cast<std::size_t>(issue.slot)] = frame;
    }
    for (std::uint32_t slot = 0; slot < slot_count; ++slot) {
      context_.source.slot(pc, slot, frames[slot]);
    }
  }

  // Other operations may come from the same line: moves and checks.
  [[nodiscard]] bool takes_pending(const schedule::Issue& issue) const {
    return state_.sources[issue.tag].pending.used && !issue.added &&
           state_.block.operations[issue.source].anchor != 0;
  }

  // Labels added by scheduling are at a distance from the first label of the text.
  [[nodiscard]] Value target_value(schedule::LabelId label, const schedule::Result& result) const {
    Value value;
    const bool own = label < state_.labels.size();
    value.symbol = state_.labels[own ? label : 0].symbol;
    if (!own) value.integer = std::int64_t{result.labels[label]} - result.labels[0];
    return value;
  }

  void define_labels() {
    const std::uint64_t base = context_.object.text.size() - emitted();
    for (std::size_t i = 0; i < state_.labels.size(); ++i) {
      SymbolEntry& entry = context_.symbols[state_.labels[i].symbol];
      entry.kind = SymbolKind::label;
      entry.place = Place::text;
      entry.offset = base + state_.block.labels[i];
      entry.defined = state_.labels[i].where;
      entry.inside_linear = entry.offset != base && entry.offset < context_.object.text.size();
    }
  }
  [[nodiscard]] std::uint64_t emitted() const { return context_.object.text.size() - text_before_; }

  void complain(const Trouble& trouble) {
    const std::string_view name = name_of(trouble.id);
    const Span& where = state_.sources[trouble.tag].where;
    switch (trouble.kind) {
      case TroubleKind::file_full:
        context_.reporter.error(
            Code::registers_full, where,
            fmt::format("{} values live at once here; {} registers are left for them{}",
                        trouble.live, trouble.available, frame_hint(trouble.file)),
            file_name(trouble.file), name);
        return;
      case TroubleKind::file_fragmented:
        context_.reporter.error(Code::registers_full, where,
                                "none stays free wherever it lives; give its parts different names",
                                file_name(trouble.file), name);
        return;
      case TroubleKind::lives_across_call:
        context_.reporter.error(Code::lives_across_call, where,
                                "keep it in memory, or in a register that the callee leaves alone",
                                name);
        return;
      case TroubleKind::indexed_accumulators:
        context_.reporter.error(Code::registers_full, where,
                                "this block has accumulators a[...] that may be any of them",
                                file_name(trouble.file), name);
        return;
    }
  }

  [[nodiscard]] std::string frame_hint(File file) const {
    const schedule::LinearBlock& block = state_.block;
    if (file != File::s && file != File::v) return {};
    if (block.frame_words + block.frame_rows == 0) return "; `.frame words, rows` gives them room";
    return fmt::format("; the frame of {} words and {} rows is too small", block.frame_words,
                       block.frame_rows);
  }
  [[nodiscard]] std::string_view name_of(VirtualId id) const {
    return state_.block.virtuals[id].name;
  }
  [[nodiscard]] std::string file_hint(VirtualId id) const {
    if (state_.typed[id].buffer == nullptr) return {};
    const SourceSpan where = locate(state_.typed[id]);
    return fmt::format("its register file is given at {}:{}", where.file, where.line);
  }

  Context& context_;
  LinearState& state_;
  std::size_t text_before_ = context_.object.text.size();
};

}  // namespace

VirtualId virtual_named(LinearState& state, std::string_view name, const Span& where) {
  const auto id = static_cast<VirtualId>(state.block.virtuals.size());
  const auto [found, added] = state.names.emplace(name, id);
  if (!added) return found->second;
  state.block.virtuals.push_back({std::string(name), std::nullopt});
  state.mentions.push_back(where);
  state.typed.emplace_back();
  return id;
}

bool require_file(Context& context, VirtualId id, File file, const Span& where) {
  LinearState& state = *context.linear;
  schedule::VirtualRegister& entry = state.block.virtuals[id];
  if (entry.file == file) return true;
  if (!entry.file) {
    entry.file = file;
    state.typed[id] = where;
    return true;
  }
  const SourceSpan told = locate(state.typed[id]);
  return context.reporter.error(
      Code::virtual_file, where,
      fmt::format("its register file is given at {}:{}", told.file, told.line), entry.name,
      file_name(*entry.file), fmt::format("a {} register", file_name(file)));
}

bool add_disjoint(Context& context, Lexer& lexer) {
  LinearState& state = *context.linear;
  std::vector<schedule::VirtualId> ids;
  do {
    if (!lexer.token().is(TokenKind::percent)) {
      return report_expected(context, lexer, "a virtual register",
                             "those of the addresses that never meet");
    }
    const Token token = lexer.take_virtual();
    const Span where = lexer.span(token);
    const schedule::VirtualId id = virtual_named(state, token.text().substr(1), where);
    if (!require_file(context, id, File::s, where)) return false;
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) {
      return context.reporter.error(Code::attribute_twice, where, "", token.text());
    }
    for (const schedule::VirtualId other : ids) state.block.disjoint.push_back({other, id});
    ids.push_back(id);
    if (context.watch) context.watch->forget();  // it is read
  } while (lexer.accept(TokenKind::comma));
  if (ids.size() > 1) return true;
  return report_expected(context, lexer, "`,` and a second register");
}

schedule::Hint* hint_for(Context& context, Lexer& lexer) {
  if (!lexer.token().is(TokenKind::identifier)) {
    report_expected(context, lexer, "a label", "that of the loop or stretch that is meant");
    return nullptr;
  }
  const Span where = lexer.span();
  const SymbolId symbol = context.symbols.intern(lexer.token().text());
  lexer.advance();
  std::vector<LinearHint>& hints = context.linear->hints;
  const auto found = std::find_if(hints.begin(), hints.end(),
                                  [&](const LinearHint& item) { return item.symbol == symbol; });
  if (found != hints.end()) return &found->hint;
  hints.push_back({symbol, where, {}});
  return &hints.back().hint;
}

namespace {

// The `.touches` of an operation.
Touch touch_of_all(const LinearState& state, const Operation& operation) {
  if (state.vmem_buffer == no_buffer && state.smem_buffer == no_buffer) return {};
  const Effects effects = effects_of(operation);
  if (effects.copies() || effects.memory.space == LocalMemory::vmem) {
    return {state.vmem_buffer, state.vmem_buffer};
  }
  if (effects.memory.space == LocalMemory::smem) return {state.smem_buffer, state.smem_buffer};
  return {};
}

}  // namespace

void add_linear_operation(Context& context, const PlacedOperation& operation, const Buffer& buffer,
                          std::uint32_t line) {
  LinearState& state = *context.linear;
  if (operation.slot) {
    context.reporter.error(
        Code::not_in_linear, operation.where, "a block has no slots",
        fmt::format("{}:", slot_layouts[static_cast<std::size_t>(*operation.slot)].name));
    state.broken = true;
    return;
  }
  if (!charge_within(context, operation.where, ExpansionCost::linear_operation)) {
    state.broken = true;
    return;
  }
  FrameId frame = next_frame(context, buffer, line);
  if (frame == no_frame) frame = state.said;
  state.said = frame;
  if (context.watch) context.watch->together(context, {&operation, 1});
  LinearOperation item;
  item.operation = operation.operation;
  item.registers = operation.virtuals;
  item.tag = static_cast<std::uint32_t>(state.sources.size());
  state.block.operations.push_back(item);
  Touch touch = std::exchange(context.touch, {});
  std::uint32_t given = 0;
  if (!touch.says_something()) {
    touch = touch_of_all(state, operation.operation);
    if (effects_of(operation.operation).copies()) {
      given = static_cast<std::uint32_t>(state.given.size() - 1);
    }
  }
  state.sources.push_back({operation.where, operation.pending, frame, touch, given});
}

bool add_linear_label(Context& context, const Span& name) {
  LinearState& state = *context.linear;
  const SymbolId id = context.symbols.intern(text_of(name));
  SymbolEntry& entry = context.symbols[id];
  const bool here = state.label_symbols.count(id) != 0;
  if (here || entry.kind != SymbolKind::unknown) {
    return context.reporter.error(Code::already_defined, name, here ? "" : defined_where(entry),
                                  entry.name);
  }
  if (context.watch) context.watch->place();
  state.labels.push_back({id, name});
  state.label_symbols.insert(id);
  state.block.labels.push_back(static_cast<std::uint32_t>(state.block.operations.size()));
  return true;
}

void finish_linear(Context& context) {
  if (context.watch) context.watch->forget();
  Finisher(context, *context.linear).run();
  context.linear.reset();
}

}  // namespace tandem::assembly
