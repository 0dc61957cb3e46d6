#include "isa/source/source_table.hpp"

#include <fmt/format.h>

#include <bit>
#include <utility>

namespace tandem {
namespace {

// Consecutive lines are adjacent, eight at a time: texts are read in order.
std::size_t hash_of(const SourceFrame& frame) {
  std::uint64_t mixed = 0;
  for (const std::uint32_t part : {frame.file, frame.line / 8, frame.caller, frame.operation}) {
    mixed = (mixed ^ part) * 0x9e37'79b9'7f4a'7c15U;
    mixed ^= mixed >> 29U;
  }
  return static_cast<std::size_t>(mixed * 8 + frame.line % 8);
}

}  // namespace

const SourceFrame& SourceTable::outermost(const SourceFrame& frame) const {
  const SourceFrame* at = &frame;
  while (at->caller != no_frame) at = &this->frame(at->caller);
  return *at;
}

std::string SourceTable::place_text(const SourceFrame& frame) const {
  return fmt::format("{}:{}", file_of(frame), frame.line);
}

std::string SourceTable::callers_text(const SourceFrame& frame) const {
  std::string text;
  for (FrameId id = frame.caller; id != no_frame; id = this->frame(id).caller) {
    text += (text.empty() ? " (called at " : ", ") + place_text(this->frame(id));
  }
  return text.empty() ? text : text + ")";
}

std::string SourceTable::text(const SourceFrame& frame) const {
  const std::string_view operation = operation_of(frame);
  const std::string name = operation.empty() ? "" : fmt::format(" [{}]", operation);
  return place_text(frame) + name + callers_text(frame);
}

std::uint32_t SourceTableBuilder::index_of(std::vector<std::string>& names, Names& indices,
                                           std::string_view name) {
  const auto found = indices.find(name);
  if (found != indices.end()) return found->second;
  const auto next = static_cast<std::uint32_t>(names.size());
  indices.emplace(name, next);
  names.emplace_back(name);
  return next;
}

std::uint32_t SourceTableBuilder::file(std::string_view name) {
  if (last_file_ >= table_.files.size() || table_.files[last_file_] != name) {
    last_file_ = index_of(table_.files, files_, name);
  }
  return last_file_;
}

std::size_t SourceTableBuilder::probe(const SourceFrame& frame) const {
  const std::size_t mask = frames_.size() - 1;
  std::size_t place = hash_of(frame) & mask;
  while (frames_[place] != no_frame && table_.frame(frames_[place]) != frame) {
    place = (place + 1) & mask;
  }
  return place;
}

// All of them, with room for one more.
void SourceTableBuilder::index_frames() {
  if (frames_.size() < 2 * (table_.frames.size() + 1)) {
    frames_.assign(std::bit_ceil(4 * (table_.frames.size() + 1)), no_frame);
    indexed_ = 0;
  }
  for (; indexed_ < table_.frames.size(); ++indexed_) {
    frames_[probe(table_.frames[indexed_])] = static_cast<FrameId>(indexed_ + 1);
  }
}

FrameId SourceTableBuilder::add(const SourceFrame& frame) {
  index_frames();
  FrameId& indexed = frames_[probe(frame)];
  if (indexed != no_frame) return indexed;
  table_.frames.push_back(frame);
  indexed = static_cast<FrameId>(table_.frames.size());
  indexed_ = table_.frames.size();
  return indexed;
}

FrameId SourceTableBuilder::frame(std::span<const SourceStep> chain, std::string_view operation) {
  // Files are numbered in the order in which a text names them, innermost first.
  if (chain.size() > 1) {
    for (const SourceStep& step : chain) file(step.file);
  }
  FrameId caller = no_frame;
  for (std::size_t i = chain.size(); i-- > 0;) {
    SourceFrame frame{file(chain[i].file), chain[i].line, caller, 0};
    if (i == 0 && !operation.empty()) {
      frame.operation = index_of(table_.operations, operations_, operation) + 1;
    }
    caller = add(frame);
  }
  return caller;
}

SourceTable SourceTableBuilder::release() {
  SourceTable table = std::move(table_);
  *this = {};
  return table;
}

// No comparison needed: the frames are already distinct and only need to be inserted.
void SourceTableBuilder::take(const SourceTable& other, std::uint32_t base) {
  std::vector<FrameId> frame_of(other.frames.size() + 1, no_frame);
  std::vector<FrameId> chain;
  for (SourceLocation line : other.lines) {
    chain.clear();
    for (FrameId id = line.frame; id != no_frame && frame_of[id] == no_frame;) {
      chain.push_back(id);
      id = other.frame(id).caller;
    }
    for (const FrameId id : chain) file(other.file_of(other.frame(id)));
    for (std::size_t i = chain.size(); i-- > 0;) {
      SourceFrame frame = other.frame(chain[i]);
      frame.file = file(other.file_of(frame));
      frame.caller = frame_of[frame.caller];
      const std::string_view operation = other.operation_of(frame);
      if (!operation.empty())
        frame.operation = index_of(table_.operations, operations_, operation) + 1;
      table_.frames.push_back(frame);
      frame_of[chain[i]] = static_cast<FrameId>(table_.frames.size());
    }
    line.pc += base;
    line.frame = frame_of[line.frame];
    table_.lines.push_back(line);
  }
}

void SourceTableBuilder::append(const SourceTable& other, std::uint32_t base) {
  if (table_.frames.empty()) return take(other, base);
  std::vector<FrameId> frame_of(other.frames.size() + 1, no_frame);
  std::vector<SourceStep> chain;
  for (SourceLocation line : other.lines) {
    FrameId& mine = frame_of[line.frame];
    if (mine == no_frame) {
      const SourceFrame& frame = other.frame(line.frame);
      chain.clear();
      for (FrameId id = line.frame; id != no_frame; id = other.frame(id).caller) {
        chain.push_back({other.file_of(other.frame(id)), other.frame(id).line});
      }
      mine = this->frame(chain, other.operation_of(frame));
    }
    line.pc += base;
    line.frame = mine;
    table_.lines.push_back(line);
  }
}

}  // namespace tandem
