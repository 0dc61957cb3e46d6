#include "cli/sweep/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "assembler/elf.hpp"
#include "cli/files/compiler_path.hpp"
#include "cli/files/files.hpp"
#include "cli/files/python_path.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/sweep/whole_folder.hpp"
#include "host/child.hpp"
#include "host/host_file.hpp"
#include "host/process.hpp"
#include "runtime/device/digest.hpp"

namespace tandem {
namespace {

namespace fs = std::filesystem;

void add_text(runtime::Digest& digest, const std::string& text) {
  digest.add(text.size());
  digest.add(text.data(), text.size());
}

void add_file(runtime::Digest& digest, const std::string& path) {
  const std::vector<std::uint8_t> bytes = read_bytes(path);
  digest.add(bytes.size());
  digest.add(bytes.data(), bytes.size());
}

// Assembled for these sizes, so that files included by the text count too.
void add_assembled(runtime::Digest& digest, const LaunchOptions& launch) {
  try {
    const std::vector<std::uint8_t> bytes =
        write_elf(load_program(launch.inputs, assemble_options(launch)));
    digest.add(bytes.data(), bytes.size());
  } catch (const UserError& error) {  // the point's run will report it
    add_text(digest, error.message);
  }
}

bool uses(const Study& study, ProgramKind kind) {
  return std::any_of(study.programs.begin(), study.programs.end(),
                     [kind](const StudyProgram& program) { return program.kind == kind; });
}

// Runs the command, and throws its output if it fails.
void run_or_throw(const ChildCommand& command) {
  const Ended ended = run_process(command);
  if (ended.ok()) return;
  std::string said = ended.trouble.empty() ? ended.errors : ended.trouble;
  while (!said.empty() && said.back() == '\n') said.pop_back();
  if (said.empty()) said = fmt::format(message::ended_without_a_word, command.words.front());
  throw UserError{said, true};
}

}  // namespace

StudyPrograms::StudyPrograms(const Study& study, const std::string& folder)
    : study_(study), folder_(fs::absolute(folder).string() + "/programs") {
  if (uses(study, ProgramKind::compiled) || uses(study, ProgramKind::python)) {
    compiler_ = compiler_path();
    if (!fs::exists(compiler_)) throw UserError{fmt::format(message::no_compiler, compiler_)};
    runtime::Digest digest;
    add_file(digest, compiler_);
    compiler_sum_ = digest.text();
  }
  if (!uses(study, ProgramKind::python)) return;
  python_ = python_path(study.python);
}

std::string StudyPrograms::digest(std::size_t program, const Parameters& sizes) {
  std::string& known = digests_[{program, &sizes}];
  if (!known.empty()) return known;
  const StudyProgram& made = study_.programs[program];
  runtime::Digest digest;
  LaunchOptions launch = made.launch;
  launch.preset = sizes.name;
  add_text(digest, launch.preset);
  if (made.kind == ProgramKind::assembled) {
    add_assembled(digest, launch);
  } else {
    add_text(digest, compiler_sum_);
    for (const std::string& file : launch.inputs) add_file(digest, file);
  }
  for (const std::string& pair : launch.tensors_in) {
    add_text(digest, pair.substr(0, pair.find('=')));
    add_file(digest, pair.substr(pair.find('=') + 1));
  }
  for (const std::string& option : made.options) add_text(digest, option);
  for (const std::string& size : launch.sizes) add_text(digest, size);
  add_text(digest, fmt::format("{} {}", launch.hbm, launch.limit));
  return known = digest.text();
}

std::vector<PointLaunch> StudyPrograms::launches(std::size_t program, const Parameters& sizes) {
  const StudyProgram& made = study_.programs[program];
  if (made.kind == ProgramKind::assembled) {
    PointLaunch one{made.launch, 1};
    one.launch.preset = sizes.name;
    return {one};
  }
  std::string name = digest(program, sizes);
  std::replace(name.begin(), name.end(), '/', '-');
  const std::string folder = fmt::format("{}/{}-{}", folder_, made.name, name);
  return made.kind == ProgramKind::compiled ? compiled(made, sizes, folder)
                                            : recorded(made, sizes, folder);
}

std::vector<PointLaunch> StudyPrograms::compiled(const StudyProgram& program,
                                                 const Parameters& sizes,
                                                 const std::string& folder) const {
  make_whole(folder, [&](const std::string& begun) {
    std::vector<std::string> words{compiler_,   program.launch.inputs.front(),
                                   "-o",        begun + "/program.elf",
                                   "--machine", std::string(sizes.name)};
    words.insert(words.end(), program.options.begin(), program.options.end());
    run_or_throw({words});
  });
  PointLaunch one{program.launch, 1};
  one.launch.inputs = {folder + "/program.elf"};
  one.launch.preset = sizes.name;
  return {one};
}

// As written by python/tandem/recording.py: a folder for each program with its inputs, and how
// often each ran.
std::vector<PointLaunch> StudyPrograms::recorded(const StudyProgram& program,
                                                 const Parameters& sizes,
                                                 const std::string& folder) const {
  make_whole(folder, [&](const std::string& begun) {
    // -P: nothing is imported from the current folder.
    std::vector<std::string> words{python_, "-P",
                                   "-m",    "tandem.recording",
                                   begun,   fs::absolute(program.launch.inputs.front()).string()};
    words.insert(words.end(), program.options.begin(), program.options.end());
    run_or_throw({words,
                  {},
                  {"JAX_PLATFORMS=tandem,cpu", "TANDEM_MODEL=golden",
                   fmt::format("TANDEM_PRESET={}", sizes.name)}});
  });
  std::vector<PointLaunch> launches;
  std::string lines;
  read_file(folder + "/counts.txt", lines);
  std::istringstream counts(lines);
  std::string name;
  for (std::uint64_t runs = 0; counts >> name >> runs;) {
    PointLaunch launch{program.launch, runs};
    launch.launch.inputs = {fmt::format("{}/{}/program.elf", folder, name)};
    launch.launch.preset = sizes.name;
    for (const auto& entry : fs::directory_iterator(fmt::format("{}/{}", folder, name))) {
      if (entry.path().extension() != ".npy") continue;
      launch.launch.tensors_in.push_back(
          fmt::format("{}={}", entry.path().stem().string(), entry.path().string()));
    }
    launches.push_back(std::move(launch));
  }
  if (launches.empty()) throw UserError{fmt::format(message::nothing_ran, program.name), true};
  return launches;
}

}  // namespace tandem
