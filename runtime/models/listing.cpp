#include "runtime/models/listing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa/text/source_place.hpp"
#include "isa/text/text.hpp"
#include "runtime/models/trap_note.hpp"

namespace tandem {
namespace {

std::string_view detail_meaning(TrapCause cause) {
  switch (cause) {
    case TrapCause::none: return "";
    case TrapCause::illegal_encoding: return "the bits of the slot are no instruction";
    case TrapCause::write_conflict: return "two slots write this register (file << 8 | number)";
    case TrapCause::address_range: return "the row, word, index or descriptor part out of range";
    case TrapCause::jump_range: return "the next PC, outside the text";
    case TrapCause::bad_descriptor: return "number of the offending descriptor word";
    case TrapCause::deadlock: return "the flag; no copy in flight can satisfy the wait";
    case TrapCause::explicit_trap: return "code of the trap instruction";
    case TrapCause::machine_check: return "bus error";
  }
  return "";
}

// One line per register row for vectors, one line for everything else.
void add_write(std::string& text, const RetireRecord& record, const Write& write,
               const Parameters& parameters) {
  const std::span<const std::uint32_t> data = record.data_of(write, parameters);
  const std::string place = place_text(write);
  const std::size_t row_words = write.space == Space::vreg ? parameters.lanes : data.size();
  for (std::size_t first = 0; first < data.size(); first += row_words) {
    text += "             " + place;
    if (write.space == Space::vreg) text += fmt::format("[{}]", first / row_words);
    text += write.space == Space::flag_add || write.space == Space::flag_set ? "" : " =";
    for (std::size_t lane = 0; lane < row_words; ++lane) {
      const bool written =
          write.space != Space::vmem || ((write.lanes[lane / 32] >> (lane % 32)) & 1U) != 0;
      text += written ? fmt::format(" {:08x}", data[first + lane]) : " --------";
    }
    text += '\n';
  }
}

}  // namespace

std::string source_location(const Image& image, std::uint32_t pc) {
  const SourceFrame* frame = find_source(image, pc);
  return frame == nullptr ? std::string() : image.source.text(*frame);
}

std::string source_location(const Image& image, std::uint32_t pc, Slot slot) {
  const SourceFrame* frame = find_source(image, pc, static_cast<std::uint32_t>(slot));
  return frame == nullptr ? std::string() : image.source.text(*frame);
}

std::string label_at(const Image& image, std::uint32_t pc) {
  const auto found =
      std::lower_bound(image.labels.begin(), image.labels.end(), pc,
                       [](const Label& label, std::uint32_t wanted) { return label.pc < wanted; });
  return found != image.labels.end() && found->pc == pc ? found->name : std::string{};
}

std::string place_text(const Write& write) {
  switch (write.space) {
    case Space::none: return "nothing";
    case Space::sreg: return fmt::format("s{}", write.index);
    case Space::preg: return fmt::format("p{}", write.index);
    case Space::mreg: return fmt::format("m{}", write.index);
    case Space::vreg: return fmt::format("v{}", write.index);
    case Space::smem: return fmt::format("smem[{:#x}]", write.index);
    case Space::vmem: return fmt::format("vmem[{}]", write.index);
    case Space::acc: return fmt::format("a{}[{}]", write.index / sublanes, write.index % sublanes);
    case Space::flag_add: return fmt::format("f{} +=", write.index);
    case Space::flag_set: return fmt::format("f{} =", write.index);
  }
  return "nothing";
}

std::string trap_text(const Trap& trap) {
  const bool is_slot = static_cast<std::size_t>(trap.slot) < slot_count;  // RTL may give anything
  std::string text =
      fmt::format("{} in slot {}, detail {:#x}: {}", trap_name(trap.cause),
                  is_slot ? slot_name(trap.slot) : "?", trap.detail, detail_meaning(trap.cause));
  if (trap.cause == TrapCause::bad_descriptor) {
    text += fmt::format(" ({})", descriptor_word_meaning(trap.detail));
  }
  return text;
}

std::string listing_text(const RetireRecord& record, const Image& image) {
  const auto label_of = [&image](std::uint32_t pc) { return label_at(image, pc); };
  const std::string location = source_location(image, record.pc);
  std::string text =
      fmt::format("{:8}  pc {}  {}{}{}\n", record.sequence, record.pc, location,
                  location.empty() ? "" : "  ", bundle_text(record.bundle, label_of));
  for (const Write& write : record.writes) add_write(text, record, write, *image.preset);
  if (record.has_copy) {
    text += fmt::format("             copy from {:#x} to {:#x}\n", record.copy.source,
                        record.copy.destination);
  }
  if (record.trap) text += fmt::format("             trap: {}\n", trap_text(record.trap));
  if (record.halted) text += "             halt\n";
  return text;
}

}  // namespace tandem
