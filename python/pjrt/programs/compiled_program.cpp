#include "python/pjrt/programs/compiled_program.hpp"

#include <utility>

#include "assembler/elf.hpp"
#include "isa/launch/log.hpp"
#include "python/pjrt/core/digest.hpp"
#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

Shape shape_of(const Tensor& tensor) {
  for (const std::int64_t dimension : tensor.dimensions) {
    if (dimension < 0) {
      fail(PJRT_Error_Code_INTERNAL,
           "internal: the compiled program leaves a size of `" + tensor.name + "` open");
    }
  }
  return {tensor.type, tensor.dimensions};
}

std::optional<std::size_t> shared_argument(CompiledProgram& program, const Tensor& result) {
  for (std::size_t i = 0; i < program.arguments.size(); ++i) {
    if (program.arguments[i].name != result.shares) continue;
    program.arguments[i].donated = true;
    return i;
  }
  return std::nullopt;
}

// A number that the compiler left with a name; 0 without it.
std::uint64_t number_named(const Object& object, std::string_view name) {
  for (const Symbol& symbol : object.symbols) {
    if (symbol.place == Place::absolute && symbol.name == name) return symbol.value;
  }
  return 0;
}

}  // namespace

SharedProgram read_compiled_program(std::string artifact, std::vector<std::uint8_t> elf) {
  const ElfResult read = read_elf(elf);
  if (!read.ok()) {
    fail(PJRT_Error_Code_INTERNAL, "internal: " + elf_error_text("the compiled program", read));
  }
  auto program = std::make_shared<CompiledProgram>();
  for (const Tensor& tensor : read.object.tensors) {
    if (tensor.name == log_tensor) {
      program->log = shape_of(tensor);
    } else if (tensor.input) {
      program->arguments.push_back({tensor.name, shape_of(tensor)});
    } else {
      program->results.push_back({shape_of(tensor), shared_argument(*program, tensor)});
    }
  }
  program->flops = number_named(read.object, "cost_flops");
  program->transcendentals = number_named(read.object, "cost_transcendentals");
  program->code_bytes = read.object.text.size() * sizeof(Bundle);
  program->temporary_bytes = read.object.data.size() + read.object.bss_bytes;
  program->artifact = std::move(artifact);
  program->elf = std::move(elf);
  const std::string_view bytes(reinterpret_cast<const char*>(program->elf.data()),
                               program->elf.size());
  program->fingerprint = digits_of(sha256({bytes}));
  return program;
}

std::int64_t argument_bytes(const CompiledProgram& program) {
  std::int64_t bytes = 0;
  for (const Argument& argument : program.arguments) {
    bytes += static_cast<std::int64_t>(dense_bytes(argument.shape));
  }
  return bytes;
}

std::int64_t result_bytes(const CompiledProgram& program) {
  std::int64_t bytes = 0;
  for (const Result& result : program.results) {
    bytes += static_cast<std::int64_t>(dense_bytes(result.shape));
  }
  return bytes;
}

}  // namespace tandem::pjrt
