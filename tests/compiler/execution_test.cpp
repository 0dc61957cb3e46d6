// Stored artifacts, compiled and run on the golden model, against JAX's results.
#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "compiler/driver/isolate.hpp"
#include "isa/launch/npy.hpp"
#include "runtime/device/device.hpp"

namespace tandem {
namespace {

namespace fs = std::filesystem;

const fs::path artifacts = "tests/compiler/artifacts";

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.is_open());
  return {std::istreambuf_iterator<char>(file), {}};
}

NpyArray array(const fs::path& path) {
  const std::string bytes = contents(path);
  return parse_npy({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

compiler::Outcome compiled(const std::string& name, const std::string& preset) {
  return compiler::compile({name, contents(artifacts / name / "artifact.mlirbc"), std::nullopt,
                            compiler::Level::elf, find_preset(preset)});
}

// Equal, or both not a number, or within a part of a million of each other.
bool close(float got, float wanted) {
  if (std::isnan(got) || std::isnan(wanted)) return std::isnan(got) == std::isnan(wanted);
  return got == wanted || std::abs(got - wanted) <= 1e-5F * std::abs(wanted) + 1e-6F;
}

void check_equal(const NpyArray& got, const NpyArray& wanted) {
  REQUIRE(got.shape == wanted.shape);
  REQUIRE(got.bytes.size() == wanted.bytes.size());
  if (wanted.type != "f4") {
    CHECK(got.bytes == wanted.bytes);
    return;
  }
  std::size_t wrong = 0;
  for (std::size_t at = 0; at < wanted.bytes.size(); at += sizeof(float)) {
    float left = 0;
    float right = 0;
    std::memcpy(&left, got.bytes.data() + at, sizeof(float));
    std::memcpy(&right, wanted.bytes.data() + at, sizeof(float));
    if (!close(left, right)) ++wrong;
  }
  CHECK(wrong == 0);
}

void run_and_check(const std::string& name, const std::string& preset, runtime::Model model) {
  INFO(name << " on " << preset);
  const compiler::Outcome outcome = compiled(name, preset);
  INFO(outcome.messages);
  REQUIRE(outcome.ok);
  runtime::Device device({.preset = preset, .model = model});
  const runtime::ProgramHandle program = device.load(
      {reinterpret_cast<const std::uint8_t*>(outcome.output.data()), outcome.output.size()});
  std::vector<runtime::TensorHandle> tensors;
  for (const Tensor& tensor : program->image().tensors) {
    tensors.push_back(device.allocate(tensor.type, tensor.dimensions));
    if (!tensor.input) continue;
    const NpyArray given = array(artifacts / name / (tensor.name + ".npy"));
    device.write(*tensors.back(), tensor_from_npy(given, tensor.type).bytes);
  }
  const runtime::LaunchResult result = device.launch(*program, tensors);
  INFO(result.report);
  REQUIRE(result.outcome == Outcome::halted);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = program->image().tensors[i];
    if (!tensor.output) continue;
    const NpyArray wanted = array(artifacts / name / (tensor.name + ".npy"));
    TensorData data{tensor.dimensions, {}};
    data.bytes.resize(tensor_from_npy(wanted, tensor.type).bytes.size());
    device.read(*tensors[i], data.bytes);
    check_equal(npy_from_tensor(data, tensor.type),
                npy_from_tensor(tensor_from_npy(wanted, tensor.type), tensor.type));
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& entry : fs::directory_iterator(artifacts)) {
    if (entry.is_directory()) result.push_back(entry.path().filename().string());
  }
  std::sort(result.begin(), result.end());
  return result;
}

TEST_CASE("stored artifacts compile and give JAX's results on the golden model") {
  REQUIRE(names().size() >= 8);
  for (const std::string& name : names()) run_and_check(name, "small", runtime::Model::golden);
}

TEST_CASE("compiled programs fit the smallest and the largest machine") {
  for (const std::string preset : {"nano", "full"}) {
    run_and_check("plus_one", preset, runtime::Model::golden);
    run_and_check("eight_lines", preset, runtime::Model::golden);
  }
}

TEST_CASE("compiled programs give the same results on the cycle-exact model") {
  for (const std::string& name : names()) run_and_check(name, "small", runtime::Model::cycle);
}

TEST_CASE("a truncated artifact is refused with a message") {
  const std::string whole = contents(artifacts / "eight_lines" / "artifact.mlirbc");
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    INFO("length " << length);
    const compiler::Outcome outcome = compiler::compile(
        {"cut", whole.substr(0, length), std::nullopt, compiler::Level::elf, find_preset("small")});
    CHECK_FALSE(outcome.ok);
    CHECK_FALSE(outcome.messages.empty());
  }
}

TEST_CASE("a damaged artifact never ends the process") {
  const std::string whole = contents(artifacts / "plus_one" / "artifact.mlirbc");
  std::uint32_t random = 1;
  for (int round = 0; round < 300; ++round) {
    std::string damaged = whole;
    for (int flips = 0; flips < 2; ++flips) {
      random = random * 1664525U + 1013904223U;
      damaged[(random >> 8U) % damaged.size()] = static_cast<char>(random >> 24U);
    }
    const compiler::Outcome outcome = compiler::compile(
        {"damaged", damaged, std::nullopt, compiler::Level::elf, find_preset("small")});
    CHECK((outcome.ok || !outcome.messages.empty()));
  }
}

TEST_CASE("artifacts of versions that are not known are refused with those that are") {
  const std::string whole = contents(artifacts / "plus_one" / "artifact.mlirbc");
  const std::size_t at = whole.find("StableHLO_v");
  REQUIRE(at != std::string::npos);
  const std::size_t end = whole.find('\0', at);
  const auto said_of = [&](const std::string& version) {
    std::string other = whole;
    other.replace(at, end - at, "StableHLO_v" + version);
    return compiler::compile(
        {"a.mlirbc", other, std::nullopt, compiler::Level::elf, find_preset("small")});
  };
  for (const std::string known : {"0.9.0", "0.14.0", "1.0.3", "1.17.0"}) CHECK(said_of(known).ok);
  for (const std::string unknown : {"1.18.0", "1.17.1", "2.0.0", "0.8.9"}) {
    const compiler::Outcome outcome = said_of(unknown);
    CHECK_FALSE(outcome.ok);
    CHECK(outcome.messages.find("of StableHLO " + unknown + ", read are 0.9.0 to 1.17.0") !=
          std::string::npos);
  }
  for (const std::string damaged : {"", "1", "1.2", "1.2.x", "1.2.3.4", "99999999999.0.0"}) {
    CHECK(said_of(damaged).messages.find("damaged") != std::string::npos);
  }
}

TEST_CASE("what is not supported is refused by name") {
  const std::string text = R"mlir(
    func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %y = "stablehlo.cholesky"(%x) {lower = true} : (tensor<4xf32>) -> tensor<4xf32>
      return %y : tensor<4xf32>
    })mlir";
  const compiler::Outcome outcome = compiler::compile(
      {"program.mlir", text, std::nullopt, compiler::Level::elf, find_preset("small")});
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.messages.find("program.mlir:3:12: error: unimplemented: stablehlo.cholesky") !=
        std::string::npos);
}

}  // namespace
}  // namespace tandem
