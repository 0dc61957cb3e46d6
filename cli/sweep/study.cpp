#include "cli/sweep/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "assembler/named_machine.hpp"
#include "cli/messages/user_error.hpp"
#include "cosim/campaign/toml_reader.hpp"

namespace tandem {
namespace {

constexpr std::uint64_t most_points = 100'000;

bool ends_with(const std::string& text, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&text](std::string_view ending) { return text.ends_with(ending); });
}

ProgramKind kind_of(const std::string& file) {
  if (ends_with(file, {".py"})) return ProgramKind::python;
  if (ends_with(file, {".mlir", ".mlirbc"})) return ProgramKind::compiled;
  return ProgramKind::assembled;
}

class StudyReader {
 public:
  explicit StudyReader(const std::string& file)
      : toml_(file), folder_(std::filesystem::path(file).parent_path()) {}

  Study read(const std::string& text) {
    const toml::table table = toml_.parse(text);
    toml_.only(table, {"name", "timeout", "python", "machines", "timings", "vary", "programs"});
    Study study;
    study.name = toml_.text(table, "name", toml_.file());
    study.timeout = toml_.number(table, "timeout", study.timeout, 1, 1'000'000);
    study.python = toml_.text(table, "python", study.python);
    toml_.each_table(table, "programs", "programs", [&](const toml::table& each) {
      study.programs.push_back(program(each));
      if (!names_.insert(study.programs.back().name).second) {
        toml_.refuse(&each, fmt::format("a second program called {}", study.programs.back().name));
      }
    });
    if (study.programs.empty()) toml_.refuse(nullptr, "has no [[programs]]");
    read_machines(table, study);
    add_points(study);
    return study;
  }

 private:
  [[nodiscard]] std::string beside(const std::string& file) const {
    return (folder_ / file).lexically_normal().string();
  }

  StudyProgram program(const toml::table& table) const {
    toml_.only(table, {"name", "file", "files", "in", "size", "define", "include", "hbm", "limit",
                       "options"});
    StudyProgram program;
    const std::string file = toml_.text(table, "file", "");
    for (const std::string& each : toml_.texts(table, "files")) add_file(program, each);
    if (!file.empty()) add_file(program, file);
    if (program.launch.inputs.empty()) {
      toml_.refuse(&table, "a program has a file = \"...\", or files = [...]");
    }
    const std::string& first = program.launch.inputs.front();
    program.name = toml_.text(table, "name", std::filesystem::path(first).stem().string());
    program.kind = kind_of(first);
    program.options = toml_.texts(table, "options");
    if (program.kind == ProgramKind::assembled && !program.options.empty()) {
      toml_.refuse(table.get("options"), "options are those of tandem-compile or of a Python file");
    }
    read_launch(table, program.launch);
    return program;
  }

  void add_file(StudyProgram& program, const std::string& file) const {
    program.launch.inputs.push_back(beside(file));
  }

  void read_launch(const toml::table& table, LaunchOptions& launch) const {
    toml_.each_text(table, "in", [&](const toml::node& node, const std::string& pair) {
      const std::size_t equals = pair.find('=');
      if (equals == std::string::npos || equals == 0) {
        toml_.refuse(&node, "an input is written NAME=FILE.npy");
      }
      launch.tensors_in.push_back(pair.substr(0, equals + 1) + beside(pair.substr(equals + 1)));
    });
    launch.sizes = toml_.texts(table, "size");
    for (const std::string& text : toml_.texts(table, "define")) {
      const std::size_t equals = text.find('=');
      const bool has_value = equals != std::string::npos;
      launch.text.defines.emplace_back(text.substr(0, equals),
                                       has_value ? text.substr(equals + 1) : "1");
    }
    for (const std::string& folder : toml_.texts(table, "include")) {
      launch.include_paths.push_back(beside(folder));
    }
    launch.hbm = toml_.text(table, "hbm", launch.hbm);
    toml_.checked(table.get("hbm"), [&] { parse_size(launch.hbm); });
    launch.limit = toml_.number(table, "limit", 0, 1, std::uint64_t{1} << 50U);
    launch.draw_inputs = true;
  }

  // Machines x timings x every combination of varied parameters, in the syntax of find_machine.
  void read_machines(const toml::table& table, Study& study) {
    std::vector<std::string> timings{""};
    std::vector<std::string> machines = bases(table);
    if (table.get("timings") != nullptr) timings = toml_.texts(table, "timings");
    if (timings.empty()) toml_.refuse(table.get("timings"), "timings has none");
    const toml::node* const node = table.get("vary");
    const std::vector<std::string> varied = combinations(node);
    if (machines.size() * timings.size() * varied.size() > most_points) {
      toml_.refuse(nullptr, fmt::format("has more than {} machines", most_points));
    }
    for (const std::string& timing : timings) {
      for (const std::string& variant : varied) {
        for (const std::string& base : machines) {
          add_machine(study, node, base + and_then(timing) + and_then(variant));
        }
      }
    }
  }

  static std::string and_then(const std::string& item) { return item.empty() ? "" : "," + item; }

  std::vector<std::string> bases(const toml::table& table) const {
    std::vector<std::string> machines;
    toml_.each_text(table, "machines", [&](const toml::node& node, const std::string& name) {
      toml_.checked(&node, [&] {
        const FoundMachine found = named_machine(name.ends_with(".toml") ? beside(name) : name);
        if (found.machine == nullptr) throw UserError{found.complaint};
        machines.push_back(name.ends_with(".toml") ? found.name() : name);
      });
    });
    if (machines.empty()) machines.emplace_back(default_preset);
    return machines;
  }

  // "lanes=16,hbm_beat=2", ... of lanes = [16, 32], hbm_beat = [1, 2].
  std::vector<std::string> combinations(const toml::node* node) const {
    std::vector<std::string> made{""};
    if (node == nullptr) return made;
    const toml::table* const table = node->as_table();
    if (table == nullptr) toml_.refuse(node, "what varies is written as [vary]");
    for (const auto& [key, values] : *table) {
      const toml::array* const list = values.as_array();
      if (list == nullptr || list->empty()) {
        toml_.refuse(&values, fmt::format("{} varies over a list of values", key.str()));
      }
      std::vector<std::string> longer;
      for (const toml::node& value : *list) {
        const std::string item = fmt::format("{}={}", key.str(), value_text(value));
        for (const std::string& begun : made) {
          longer.push_back(begun.empty() ? item : fmt::format("{},{}", begun, item));
        }
      }
      made = std::move(longer);
      if (made.size() > most_points) toml_.refuse(node, "has too many combinations");
    }
    return made;
  }

  std::string value_text(const toml::node& node) const {
    if (const auto number = node.value_exact<std::int64_t>()) return fmt::format("{}", *number);
    const auto text = node.value_exact<std::string>();
    if (text && text->find_first_of(",=") == std::string::npos) return *text;
    toml_.refuse(&node, "a value is a number, or text as \"2MiB\"");
  }

  void add_machine(Study& study, const toml::node* node, const std::string& text) {
    FoundMachine found = find_machine(text);
    if (found.machine == nullptr) toml_.refuse(node, fmt::format("{}: {}", text, found.complaint));
    if (!machines_.insert(found.name()).second) return;  // the same in another form
    study.machines.push_back({found.name(), found.machine, std::move(found.timing)});
  }

  void add_points(Study& study) const {
    if (study.machines.size() * study.programs.size() > most_points) {
      toml_.refuse(nullptr, fmt::format("has more than {} points", most_points));
    }
    for (std::size_t program = 0; program < study.programs.size(); ++program) {
      for (std::size_t machine = 0; machine < study.machines.size(); ++machine) {
        study.points.push_back({program, machine});
      }
    }
    // A program compiled for one machine serves all of its timings: others wait while it is built.
    std::set<std::pair<std::size_t, const Parameters*>> made;
    std::stable_partition(study.points.begin(), study.points.end(), [&](const StudyPoint& point) {
      return made.insert({point.program, study.machines[point.machine].sizes}).second;
    });
  }

  TomlReader toml_;
  std::filesystem::path folder_;
  std::set<std::string> names_;
  std::set<std::string> machines_;
};

}  // namespace

Study parse_study(const std::string& text, const std::string& file) {
  return StudyReader(file).read(text);
}

}  // namespace tandem
