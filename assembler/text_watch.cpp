#include "assembler/text_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "assembler/bundle.hpp"
#include "assembler/context.hpp"
#include "assembler/linear/linear.hpp"

namespace tandem::assembly {
namespace {

bool is_unconditional(const Operation& operation) {
  return operation.predicate == 0 && !operation.negate;
}

// Registers by number: virtual ones after all others.
std::uint64_t number_of(File file, std::uint32_t index) {
  return static_cast<std::uint64_t>(file) << 8U | index;
}
std::uint64_t number_of(schedule::VirtualId id) { return (std::uint64_t{1} << 32U) + id; }

// The register that it writes; nothing for an accumulator, of which only parts are known.
std::optional<std::uint64_t> written_register(const PlacedOperation& operation,
                                              const Effects& effects) {
  if (!effects.writes || effects.write.file == File::a) return std::nullopt;
  const schedule::VirtualId id = operation.virtuals[effects.write.place];
  if (id != schedule::no_virtual) return number_of(id);
  return number_of(effects.write.file, effects.write.index);
}

std::string written_name(const Context& context, const PlacedOperation& operation,
                         const Effects& effects) {
  const schedule::VirtualId id = operation.virtuals[effects.write.place];
  if (id != schedule::no_virtual) return "%" + context.linear->block.virtuals[id].name;
  return fmt::format("{}{}", file_letter(effects.write.file), effects.write.index);
}

// A branch to a number, or to a given number of bundles after a label.
bool goes_to_number(const PlacedOperation& operation, const Effects& effects) {
  if (effects.control != Control::branch && effects.control != Control::call) return false;
  return !operation.pending.used || operation.pending.value.integer != 0;
}

}  // namespace

void TextWatch::place() {
  forget();
  reachable_ = true;
}

void TextWatch::forget() { unread_.clear(); }

void TextWatch::read(const PlacedOperation& operation, const Effects& effects) {
  for (const RegisterUse& use : effects.reads()) unread_.erase(number_of(use.file, use.index));
  const bool replaces = effects.writes && effects.write.file != File::a && !effects.keeps_old;
  for (std::size_t i = 0; i < operation.virtuals.size(); ++i) {
    const schedule::VirtualId id = operation.virtuals[i];
    if (id == schedule::no_virtual || (replaces && i == effects.write.place)) continue;
    unread_.erase(number_of(id));
  }
}

void TextWatch::write(Context& context, const PlacedOperation& operation, const Effects& effects) {
  const std::optional<std::uint64_t> number = written_register(operation, effects);
  if (!number) return;
  const auto before = unread_.find(*number);
  // The last of several made by a macro or a repetition often does more than is needed.
  const bool is_made = before != unread_.end() && before->second.buffer->parent != nullptr &&
                       !before->second.buffer->origin.empty();
  if (before != unread_.end() && !is_made && is_unconditional(operation.operation) &&
      !effects.keeps_old) {
    context.reporter.warn(Warning::overwritten, before->second, "", operation.where,
                          written_name(context, operation, effects));
  }
  unread_[*number] = operation.where;
}

void TextWatch::control(const PlacedOperation& operation, const Effects& effects) {
  if (goes_to_number(operation, effects)) numbers_are_targets_ = true;
  const bool ends = ends_block(effects.control) || effects.control == Control::trap;
  if (!ends) return;
  forget();
  const bool goes_on = effects.control == Control::call || !is_unconditional(operation.operation);
  if (!goes_on) reachable_ = false;
}

void TextWatch::together(Context& context, std::span<const PlacedOperation> operations) {
  if (operations.empty() || !context.automatic_lines) return;
  if (!reachable_) {
    unreachable_.push_back(operations.front().where);
    place();  // one report is enough
  }
  std::array<Effects, slot_count> effects;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    effects.at(i) = effects_of(operations[i].operation);
    read(operations[i], effects.at(i));
  }
  for (std::size_t i = 0; i < operations.size(); ++i) write(context, operations[i], effects.at(i));
  for (std::size_t i = 0; i < operations.size(); ++i) control(operations[i], effects.at(i));
}

void TextWatch::finish(Context& context) const {
  if (numbers_are_targets_) return;
  for (const Span& where : unreachable_) context.reporter.warn(Warning::unreachable, where, "", {});
}

void warn_of_unused(Context& context) {
  if (!context.automatic_lines) return;
  bool names_tensors = false;
  for (SymbolId id = 0; id < context.symbols.size(); ++id) {
    const SymbolEntry& entry = context.symbols[id];
    names_tensors = names_tensors || (entry.place == Place::tensor && entry.used);
  }
  for (SymbolId id = 0; id < context.symbols.size(); ++id) {
    const SymbolEntry& entry = context.symbols[id];
    // Output of a macro and contents of an included library may be unused; the very first label
    // names the program.
    const Buffer* buffer = entry.defined.buffer;
    if (entry.kind != SymbolKind::label || entry.used || buffer == nullptr) continue;
    if (buffer->parent != nullptr) continue;
    if (entry.place == Place::tensor) {
      if (!names_tensors) continue;  // the argument block may be read by numbers or by another text
      const std::string_view tensor = entry.name.substr(0, entry.name.rfind('.'));
      context.reporter.warn(Warning::unused_tensor, entry.defined, "", {}, tensor);
    } else if (!entry.global && !(entry.place == Place::text && entry.offset == 0)) {
      context.reporter.warn(Warning::unused_label, entry.defined, "", {}, entry.name);
    }
  }
}

}  // namespace tandem::assembly
