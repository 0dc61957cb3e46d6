#include "cli/explore/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/files/compiler_path.hpp"
#include "cli/files/files.hpp"
#include "cli/files/python_path.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"

namespace tandem {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_programs = 12;  // of a Python file, the largest ones

std::string output_of(const ChildCommand& command) {
  const Ended ended = run_process(command);
  if (ended.ok()) return ended.output;
  std::string said = ended.trouble.empty() ? ended.errors : ended.trouble;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  if (said.empty()) said = fmt::format(message::ended_without_a_word, command.words.front());
  throw UserError{said, true};
}

ExploreProgram compiled(const std::string& path, const ExploreRequest& request,
                        const WorkFolder& work, std::size_t number) {
  const std::string compiler = compiler_path();
  if (!fs::exists(compiler)) throw UserError{fmt::format(message::no_compiler, compiler)};
  std::vector<std::string> words{compiler, path, "--emit=asm"};
  if (!request.launch.preset.empty()) {
    words.insert(words.end(), {"--machine", request.launch.preset});
  }
  const std::string file = work.file(fmt::format("{}.s", number));
  write_text(file, output_of({.words = words}));
  return {fs::path(path).filename(), {file}, true};
}

// The modules that JAX compiles when the file is run, largest first.
std::vector<fs::path> modules_of(const std::string& path, const ExploreRequest& request,
                                 const std::string& folder) {
  const std::string machine = request.launch.preset.empty() ? "small" : request.launch.preset;
  output_of({.words = {python_path(request.python), fs::absolute(path).string()},
             .variables = {"JAX_PLATFORMS=tandem,cpu", "TANDEM_MODEL=golden",
                           "JAX_ENABLE_COMPILATION_CACHE=false", "JAX_DUMP_IR_TO=" + folder,
                           "TANDEM_PRESET=" + machine}});
  std::vector<fs::path> modules;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".mlir") modules.push_back(entry.path());
  }
  std::sort(modules.begin(), modules.end());
  std::stable_sort(modules.begin(), modules.end(), [](const fs::path& a, const fs::path& b) {
    return fs::file_size(a) > fs::file_size(b);
  });
  if (modules.size() > most_programs) modules.resize(most_programs);
  if (modules.empty()) throw UserError{fmt::format(message::nothing_ran, path), true};
  return modules;
}

bool is_text_or_object(const std::string& path) {
  const std::string extension = fs::path(path).extension();
  return extension == ".s" || extension == ".o" || extension == ".elf" || path == "-";
}

}  // namespace

std::vector<ExploreProgram> explore_programs(const ExploreRequest& request,
                                             const WorkFolder& work) {
  const std::vector<std::string>& inputs = request.launch.inputs;
  const std::string& first = inputs.front();
  if (inputs.size() > 1 || is_text_or_object(first)) {
    return {{fs::path(first).filename(), inputs, false}};
  }
  read_bytes(first);  // so that a file that is not there is told of as everywhere
  if (fs::path(first).extension() != ".py") return {compiled(first, request, work, 0)};
  const std::string folder = work.file("modules");
  fs::create_directory(folder);
  std::vector<ExploreProgram> programs;
  for (const fs::path& module : modules_of(first, request, folder)) {
    programs.push_back(compiled(module, request, work, programs.size()));
  }
  return programs;
}

}  // namespace tandem
