// The source position of each bundle and each operation in it, with its callers and the operation
// that it is part of: the line table of an object and of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tandem {

// A frame as its index + 1, so that 0 means "none".
using FrameId = std::uint32_t;
inline constexpr FrameId no_frame = 0;

// A line, and the line that called its a macro, a function, a Python function.
struct SourceFrame {
  std::uint32_t file = 0;       // index into SourceTable::files
  std::uint32_t line = 0;       // from 1
  FrameId caller = no_frame;    // an earlier frame of the table
  std::uint32_t operation = 0;  // index + 1 into SourceTable::operations; 0: unnamed

  bool operator==(const SourceFrame&) const = default;
};

// Longest chain of calls that a table may have.
inline constexpr std::size_t max_source_depth = 128;

inline constexpr std::uint32_t whole_bundle = 0xffff'ffff;

struct SourceLocation {
  std::uint32_t pc = 0;
  std::uint32_t slot = whole_bundle;  // the slot, if not at its bundle's position
  FrameId frame = no_frame;
};

struct SourceTable {
  std::vector<std::string> files;
  std::vector<std::string> operations;  // free text: "jit(f)/dot_general"
  std::vector<SourceFrame> frames;
  // By ascending bundle; of a bundle its own first, then those of slots, ascending.
  std::vector<SourceLocation> lines;

  [[nodiscard]] bool empty() const { return lines.empty(); }
  // Preconditions of these: the id is that of a frame of this table.
  [[nodiscard]] const SourceFrame& frame(FrameId id) const { return frames[id - 1]; }
  [[nodiscard]] const std::string& file_of(const SourceFrame& f) const { return files[f.file]; }
  // "" when it has none.
  [[nodiscard]] std::string_view operation_of(const SourceFrame& frame) const {
    return frame.operation == 0 ? std::string_view() : operations[frame.operation - 1];
  }
  // The outermost calling line: the frame itself without a caller.
  [[nodiscard]] const SourceFrame& outermost(const SourceFrame& frame) const;
  // "k.s:3"
  [[nodiscard]] std::string place_text(const SourceFrame& frame) const;
  // "k.s:3 [jit(f)/add] (called at k.s:9)"
  [[nodiscard]] std::string text(const SourceFrame& frame) const;
  // " (called at k.s:9, k.s:12)", innermost first; "" without a caller.
  [[nodiscard]] std::string callers_text(const SourceFrame& frame) const;
};

// One line of a chain.
struct SourceStep {
  std::string_view file;
  std::uint32_t line = 0;
};

// Builds a table; the same chain gives the same frame, the same name the same index.
class SourceTableBuilder {
 public:
  std::uint32_t file(std::string_view name);
  // The frame of chain.front(), which chain[1] called, and so on. Precondition: it is not empty.
  FrameId frame(std::span<const SourceStep> chain, std::string_view operation = {});
  // Sets the position of a bundle's operations, or of one of its slots. Bundles come in order, each
  // before its slots; a bundle without a frame is omitted.
  void line(std::uint32_t pc, FrameId frame) { slot(pc, whole_bundle, frame); }
  void slot(std::uint32_t pc, std::uint32_t slot, FrameId frame) {
    if (frame != no_frame) table_.lines.push_back({pc, slot, frame});
  }
  // The lines of another table, whose bundle 0 has become `base`.
  void append(const SourceTable& other, std::uint32_t base);

  [[nodiscard]] const SourceTable& table() const { return table_; }
  // Empties the builder.
  [[nodiscard]] SourceTable release();

 private:
  void take(const SourceTable& other, std::uint32_t base);

  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>()(name);
    }
  };
  using Names = std::unordered_map<std::string, std::uint32_t, NameHash, std::equal_to<>>;
  static std::uint32_t index_of(std::vector<std::string>& names, Names& indices,
                                std::string_view name);
  FrameId add(const SourceFrame& frame);
  // The position of the frame, or of a free place for it, in frames_.
  [[nodiscard]] std::size_t probe(const SourceFrame& frame) const;
  void index_frames();

  SourceTable table_;
  Names files_;
  Names operations_;
  std::uint32_t last_file_ = 0;  // the last result of file(); most frames repeat it
  // The frames of the table by their hash: a power of two of places, at most half of them taken.
  std::vector<FrameId> frames_;
  std::size_t indexed_ = 0;
};

}  // namespace tandem
