#include "compiler/functions/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "host/installed.hpp"
#include "isa/encoding.hpp"
#include "llvm/ADT/StringRef.h"

namespace tandem::compiler {
namespace {

namespace fs = std::filesystem;

// The names after `.parameter` at the beginning of a line.
std::vector<std::string> functions_of(llvm::StringRef text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line = line.trim();
    if (!line.consume_front(".parameter ")) continue;
    names.push_back(line.split(',').first.trim().str());
  }
  return names;
}

// As fast as possible: the bundles are not used.
AssembleResult read_quickly(const SourceText& source, const Parameters& machine) {
  AssembleOptions options = function_options(machine);
  options.schedule = schedule::Level::none;
  options.line_table = false;
  return assemble(source, options);
}

bool halts(const Object& object) {
  return std::any_of(object.text.begin(), object.text.end(), [](const Bundle& bundle) {
    const auto operation = decode(Slot::sa, slot_bits(bundle, Slot::sa));
    return operation && operation->op == Op::halt;
  });
}

bool defines(const Object& object, const std::string& name) {
  return std::any_of(object.symbols.begin(), object.symbols.end(), [&](const Symbol& symbol) {
    return symbol.global && symbol.place == Place::text && symbol.name == name;
  });
}

}  // namespace

std::string foreign_part(const Object& object) {
  if (!object.tensors.empty()) return "it declares tensors (`.tensor`)";
  if (object.arguments_in_smem) return "it places arguments (`.arguments`)";
  if (object.entry_pc) return "it says where a program begins (`.entry`)";
  if (object.vmem_rows != 0 || object.smem_words != 0) {
    return "it reserves memory of its own (`.vmem`, `.smem`): `.scratch` says what calls need";
  }
  return "";
}

std::string kernels_folder() { return installed_file("kernels"); }

std::map<std::string, std::string> library_functions() {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(kernels_folder(), error)) {
    if (entry.path().extension() == ".s") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::map<std::string, std::string> functions;
  for (const fs::path& path : paths) {
    const auto source = read_source(path.string());
    if (!source) continue;
    for (const std::string& name : functions_of(source->text)) functions.emplace(name, path);
  }
  return functions;
}

AssembleOptions function_options(const Parameters& machine) {
  AssembleOptions options;
  options.preset = machine.name;
  options.include_paths = {kernels_folder()};
  return options;
}

Declared declared_function(const SourceText& source, const std::string& name,
                           const Parameters& machine) {
  const AssembleResult result = read_quickly(source, machine);
  if (!result.ok()) return {{}, "it does not assemble\n" + diagnostics_text(result.diagnostics)};
  if (const std::string part = foreign_part(result.object); !part.empty()) return {{}, part};
  if (halts(result.object)) return {{}, "it ends the program (`halt`): a function returns"};
  std::string others;
  for (const Function& function : result.object.functions) {
    if (function.name == name) return {function, ""};
    others += (others.empty() ? "" : ", ") + function.name;
  }
  return {{},
          fmt::format("{} declares no function of this name (`.parameter {}, ...`){}", source.name,
                      name, others.empty() ? "" : "; it has " + others)};
}

std::vector<SourceText> needed_texts(const std::vector<SourceText>& texts,
                                     const Parameters& machine) {
  if (texts.size() < 2) return texts;
  std::vector<Object> objects;
  objects.reserve(texts.size());
  for (const SourceText& text : texts) objects.push_back(read_quickly(text, machine).object);
  std::vector<SourceText> needed;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto has_all = [&](const Object& other) {
      const auto& functions = objects[i].functions;
      return std::all_of(functions.begin(), functions.end(),
                         [&](const Function& function) { return defines(other, function.name); });
    };
    bool is_in_another = false;
    for (std::size_t j = 0; j < texts.size(); ++j) {
      const bool is_larger = objects[j].functions.size() > objects[i].functions.size();
      is_in_another = is_in_another || (is_larger && has_all(objects[j]));
    }
    if (!is_in_another) needed.push_back(texts[i]);
  }
  return needed;
}

}  // namespace tandem::compiler
