#include "python/pjrt/programs/saved_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "python/pjrt/core/files.hpp"
#include "python/pjrt/core/status.hpp"
#include "python/pjrt/devices/device.hpp"

namespace tandem::pjrt {
namespace {

namespace fs = std::filesystem;

// Version 1.0: a header of a multiple of 64 bytes, then the elements.
void write_npy(const std::string& path, const Shape& shape, std::string_view elements) {
  std::string header =
      fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                  element_bytes(shape.type) == 1 ? "|" : "<", numpy_type(shape.type),
                  fmt::join(shape.dimensions, ", "), shape.dimensions.size() == 1 ? "," : "");
  constexpr std::size_t before = 10;
  header.resize((before + header.size() + 1 + 63) / 64 * 64 - before - 1, ' ');
  header += '\n';
  const auto size = static_cast<std::uint16_t>(header.size());
  const std::string start{'\x93',
                          'N',
                          'U',
                          'M',
                          'P',
                          'Y',
                          1,
                          0,
                          static_cast<char>(size & 0xFFU),
                          static_cast<char>(size >> 8U)};
  write_file(path, {start, header, elements});
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) return;
  fail(PJRT_Error_Code_UNAVAILABLE,
       fmt::format("cannot create {}: {}", folder.string(), error.message()));
}

std::string_view text(const std::vector<std::uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string folder_for_run(const std::string& parent) {
  create_folder(parent);
  std::string folder = fs::path(parent) / "run-XXXXXX";
  if (mkdtemp(folder.data()) != nullptr) return folder;
  fail(PJRT_Error_Code_UNAVAILABLE,
       fmt::format("cannot create a folder in {}: {}", parent, std::strerror(errno)));
}

std::string save_run(const std::string& folder, const CompiledProgram& program,
                     std::span<const ChipArguments> chips) {
  const fs::path place = folder;
  create_folder(place);
  const std::string elf = place / "program.elf";
  write_file(elf, {text(program.elf)});
  const runtime::DeviceOptions& options = chips[0].device->options();
  const bool is_group = chips.size() > 1;
  std::string command = options.model == runtime::Model::lockstep
                            ? fmt::format("tandem lockstep {}", elf)
                            : fmt::format("tandem run --on {} {}", model_name(options.model), elf);
  if (is_group) command += fmt::format(" --chips {}", chips.size());
  for (std::size_t i = 0; i < chips[0].arguments.size(); ++i) {
    const Argument& argument = program.arguments[i];
    const auto path = [&](std::string_view chip) -> std::string {
      return place / fmt::format("{}{}.npy", argument.name, chip);
    };
    for (std::size_t chip = 0; chip < chips.size(); ++chip) {
      std::vector<std::uint8_t> elements(dense_bytes(argument.shape));
      chips[chip].device->read(*chips[chip].arguments[i], elements);
      write_npy(path(is_group ? fmt::format(".{}", chip) : ""), argument.shape, text(elements));
    }
    command += fmt::format(" --in {}={}", argument.name, path(is_group ? ".{chip}" : ""));
  }
  if (!options.plant.empty()) command += " --plant " + options.plant;
  return command + fmt::format(" --hbm {} --seed {}", options.hbm_bytes, options.seed);
}

}  // namespace tandem::pjrt
