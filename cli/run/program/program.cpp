#include "cli/run/program/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "assembler/elf.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "isa/machine.hpp"

namespace tandem {
namespace {

// As many bundles and bytes of .data as an object may have, plus names and lines.
constexpr std::uint64_t largest_program = std::uint64_t{1} << 31U;

constexpr std::array<std::uint8_t, 4> elf_magic{0x7f, 'E', 'L', 'F'};

bool is_elf(const std::vector<std::uint8_t>& bytes) {
  return bytes.size() >= elf_magic.size() &&
         std::equal(elf_magic.begin(), elf_magic.end(), bytes.begin());
}

std::string title(const std::string& path) { return path == "-" ? "<stdin>" : path; }

// Text holds no control characters but white space.
void check_text(const std::string& path, const std::vector<std::uint8_t>& bytes) {
  const auto bad = std::find_if(bytes.begin(), bytes.end(), [](std::uint8_t byte) {
    return (byte < 0x20 && (byte < '\t' || byte > '\r')) || byte == 0x7f;
  });
  if (bad == bytes.end()) return;
  throw UserError{
      fmt::format(message::neither_elf_nor_text, title(path), *bad, bad - bytes.begin())};
}

[[noreturn]] void refuse(const std::vector<Diagnostic>& diagnostics) {
  throw DiagnosticsError{{fmt::format(message::assembly_failed, diagnostics_text(diagnostics),
                                      diagnostics.size(), diagnostics.size() == 1 ? "" : "s"),
                          true},
                         diagnostics};
}

Object object_from_elf(const std::string& path, const std::vector<std::uint8_t>& bytes,
                       const AssembleOptions& options) {
  if (!options.defines.empty()) {
    throw UserError{fmt::format(message::assembled_already, title(path))};
  }
  ElfResult result = read_elf(bytes);
  if (!result.ok()) throw UserError{elf_error_text(title(path), result)};
  if (!options.preset.empty()) {
    const std::string mismatch =
        target_mismatch(*result.object.preset, preset_named(options.preset));
    if (!mismatch.empty()) throw UserError{fmt::format(message::file_error, title(path), mismatch)};
  }
  return std::move(result.object);
}

}  // namespace

void add_schedule_option(Command command, schedule::Level& level) {
  const Option option = command.add_value_callback(
      "--schedule",
      [&level](const std::string& wanted) {
        if (const auto found = schedule::find_level(wanted)) {
          level = *found;
          return;
        }
        throw UserError{fmt::format(message::no_such_schedule, wanted, schedule::level_list())};
      },
      "Linear blocks: as written, packed into bundles, or loops pipelined too (the default)");
  option.words({"none", "list", "full"});
}

void add_define_option(Command command, AssembleOptions& options) {
  command
      .add_values_callback(
          "-D,--define",
          [&options](const std::vector<std::string>& defines) {
            for (const std::string& define : defines) {
              const std::size_t equals = define.find('=');
              if (equals == 0) throw UserError{fmt::format(message::define_without_name, define)};
              options.defines.emplace_back(
                  define.substr(0, equals),
                  equals == std::string::npos ? "1" : define.substr(equals + 1));
            }
          },
          "NAME=EXPRESSION, as by .equ; overrides the text's own")
      .allow_extra_args(false);
}

const Parameters& preset_named(const std::string& name) {
  const FoundMachine found = find_machine(name);
  if (found.machine != nullptr) return *found.machine;
  throw UserError{found.complaint};
}

Object load_object(const std::string& path, const AssembleOptions& options) {
  const std::vector<std::uint8_t> bytes = read_bytes(path, largest_program);
  if (is_elf(bytes)) return object_from_elf(path, bytes, options);
  check_text(path, bytes);
  const SourceText source{title(path), std::string(bytes.begin(), bytes.end())};
  AssembleOptions noting = options;
  noting.on_file = note_input;
  AssembleResult result = assemble(source, noting);
  if (options.on_warning) {
    for (const Diagnostic& warning : result.warnings) options.on_warning(warning);
  }
  if (!result.ok()) refuse(result.diagnostics);
  return std::move(result.object);
}

Object load_program(const std::vector<std::string>& paths, const AssembleOptions& options) {
  if (!options.preset.empty()) preset_named(options.preset);
  std::vector<LinkInput> inputs;
  for (const std::string& path : paths) {
    inputs.push_back({title(path), load_object(path, options)});
    if (!inputs.back().object.linked) continue;
    if (paths.size() == 1) return std::move(inputs.back().object);
    throw UserError{fmt::format(message::linked_already, title(path))};
  }
  LinkResult result = link(inputs);
  if (!result.ok()) refuse(result.diagnostics);
  return std::move(result.program);
}

}  // namespace tandem
