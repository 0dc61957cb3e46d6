// Lines from a terminal, with editing, history and completion (libedit).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::debug {

class LineEditor {
 public:
  // Words that can replace the last word of a line.
  using Complete = std::function<std::vector<std::string>(std::string_view line)>;

  LineEditor(std::string prompt, Complete complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // Absent at the end of the input; an empty line after Ctrl-C.
  std::optional<std::string> read();

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace tandem::debug
