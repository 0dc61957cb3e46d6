#include "cli/debug/dap/stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "isa/text/source_place.hpp"

namespace tandem::debug::dap {
namespace {

nlohmann::json source_of(const std::string& file) {
  nlohmann::json source{{"name", std::filesystem::path(file).filename().string()}};
  std::error_code missing;
  const std::filesystem::path path = std::filesystem::canonical(file, missing);
  if (!missing) source["path"] = path.string();
  return source;
}

nlohmann::json frame(std::int64_t number, const std::string& name) {
  return {{"id", number}, {"name", name}, {"line", 0}, {"column", 0}};
}

}  // namespace

nlohmann::json stack(const Session& session, std::int64_t start, std::int64_t levels,
                     std::int64_t first_line) {
  const Image& image = session.source().image();
  const std::uint32_t pc = session.golden().pc();
  const std::string label = session.source().label_offset(pc);
  std::string name = label.empty() ? fmt::format("pc {}", pc) : label;
  nlohmann::json frames = nlohmann::json::array();
  const SourceFrame* line = find_source(image, pc);
  while (line != nullptr) {
    nlohmann::json next = frame(static_cast<std::int64_t>(frames.size()) + 1, name);
    next["source"] = source_of(image.source.file_of(*line));
    next["line"] = std::int64_t{line->line} - 1 + first_line;
    next["column"] = first_line;
    next["instructionPointerReference"] = fmt::format("{}", pc);
    frames.push_back(std::move(next));
    if (line->caller == no_frame) break;
    line = &image.source.frame(line->caller);
    name = fmt::format("called at line {}", line->line);
  }
  if (frames.empty()) frames.push_back(frame(1, name));
  const auto total = static_cast<std::int64_t>(frames.size());
  const std::int64_t first = std::clamp<std::int64_t>(start, 0, total);
  const std::int64_t last = levels > 0 ? std::min(total, first + levels) : total;
  nlohmann::json wanted = nlohmann::json::array();
  for (std::int64_t i = first; i < last; ++i) wanted.push_back(frames[static_cast<std::size_t>(i)]);
  return {{"stackFrames", std::move(wanted)}, {"totalFrames", total}};
}

}  // namespace tandem::debug::dap
