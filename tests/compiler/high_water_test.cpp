// The memory that a compiled program plans is the memory that its run uses: the highest row of VMEM
// that was written is in the last eight rows of the plan (which end with the padding of a row,
// mostly).
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "assembler/elf.hpp"
#include "compiler/driver/isolate.hpp"
#include "isa/golden/golden_model.hpp"
#include "isa/golden/marks/marks.hpp"
#include "isa/launch/launch.hpp"
#include "isa/parameters.hpp"

namespace tandem {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t hbm_bytes = std::uint64_t{1} << 32U;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.is_open());
  return {std::istreambuf_iterator<char>(file), {}};
}

Object compiled(const fs::path& artifact, const std::string& preset) {
  const compiler::Outcome outcome =
      compiler::compile({artifact.string(), contents(artifact), std::nullopt, compiler::Level::elf,
                         find_preset(preset)});
  REQUIRE(outcome.ok);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(outcome.output.data());
  return read_elf({bytes, outcome.output.size()}).object;
}

// Zeros: placement does not depend on values.
std::map<std::string, TensorData> inputs(const Image& image) {
  std::map<std::string, TensorData> bound;
  for (const Tensor& tensor : image.tensors) {
    if (!tensor.input) continue;
    std::uint64_t bytes = element_bytes(tensor.type);
    for (const std::int64_t size : tensor.dimensions) bytes *= static_cast<std::uint64_t>(size);
    bound[tensor.name] = {tensor.dimensions, std::vector<std::uint8_t>(bytes)};
  }
  return bound;
}

std::uint32_t rows_written(const GoldenModel& model) {
  const golden::Marks& marks = model.marks();
  std::uint32_t row = model.parameters().vmem_rows();
  while (row > 0 && marks.vmem_row(row - 1) == marks.full_row()) --row;
  return row;
}

}  // namespace

TEST_CASE("the planned peak of VMEM is the high-water mark of a run") {
  std::size_t programs = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator("tests/compiler/cycles")) {
    if (entry.path().extension() != ".mlirbc") continue;
    for (const std::string preset : {"small", "full"}) {
      INFO(entry.path() << " on " << preset);
      const Object program = compiled(entry.path(), preset);
      const Image image = make_image(program);
      const Launch launch = make_launch(image, inputs(image), hbm_bytes, 1);
      GoldenModel model(launch);
      model.run(std::uint64_t{1} << 40U);
      REQUIRE(model.status() == RunStatus::halted);
      CHECK((rows_written(model) + sublanes - 1) / sublanes * sublanes == program.vmem_rows);
      ++programs;
    }
  }
  CHECK(programs > 20);
}

}  // namespace tandem
