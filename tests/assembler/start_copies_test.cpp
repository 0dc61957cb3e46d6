// `.start_copy`: in text, in files, in linked programs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "assembler/disassemble.hpp"
#include "assembler/elf.hpp"
#include "isa/launch/launch.hpp"
#include "tests/assembler/support.hpp"

namespace tandem::test {
namespace {

constexpr const char* head =
    ".target nano\n.tensor x, f32, [4, 8], in\n.tensor y, f32, [8], out\n"
    ".buffer vmem, 16, 8, \"y\"\n";
constexpr const char* copy =
    ".start_copy y, buffer=1, flag=3, source=4, target=64, length=8, inner=2, "
    "inner_source_stride=-4, inner_target_stride=16\n";

CopyDescriptor expected() {
  CopyDescriptor fields;
  fields.flag = 3;
  fields.source = 4;
  fields.destination = 64;
  fields.length = 8;
  fields.dimensions[0] = {2, -4, 16};
  return fields;
}

std::string said(const std::string& line) { return errors_of(head + line + "\nhalt\n"); }

}  // namespace

TEST_CASE("a start copy has the fields of a descriptor, and goes to VMEM") {
  const Object object = assembled(std::string(head) + copy + "halt\n");
  REQUIRE(object.start_copies.size() == 1);
  CHECK(object.start_copies[0] == StartCopy{1, 1, expected().words()});
}

TEST_CASE("a file and a disassembly keep start copies") {
  const Object object = built(std::string(head) + copy + "halt\n");
  const ElfResult read = read_elf(write_elf(object));
  REQUIRE(read.ok());
  CHECK(read.object.start_copies == object.start_copies);
  const std::string text = disassemble(object);
  CHECK(text.find(".start_copy y, buffer=1, flag=3, source=4, target=64, length=8, inner=2, "
                  "inner_source_stride=-4, inner_target_stride=16") != std::string::npos);
  CHECK(built(text).start_copies == object.start_copies);
  const Object nothing = built(std::string(head) + ".start_copy x, length=0\nhalt\n");
  CHECK(built(disassemble(nothing)).start_copies == nothing.start_copies);
}

TEST_CASE("what is no start copy is an error") {
  CHECK(said(".start_copy z, length=4").find("a tensor declared before") != std::string::npos);
  CHECK(said(".start_copy x").find("`,`") != std::string::npos);
  CHECK(said(".start_copy x, lengths=4").find("a field of a copy descriptor") != std::string::npos);
  CHECK(said(".start_copy x, buffer=2, length=4").find("E012") != std::string::npos);
  CHECK(said(".start_copy x, length=l\nl:").find("E010") != std::string::npos);
  const std::string to_hbm = said(".start_copy x, destination_space=hbm, length=4");
  CHECK(to_hbm.find("E093") != std::string::npos);
  CHECK(to_hbm.find("from HBM to VMEM") != std::string::npos);
  CHECK(said(".start_copy x, chip=0, length=4").find("E093") != std::string::npos);
  std::string many;
  for (int i = 0; i < 8; ++i) many += ".start_copy x, length=4\n";
  CHECK(said(many).find("E092") != std::string::npos);
}

TEST_CASE("a program has the start copies of all objects, of the tensors that they name") {
  const std::string first = ".target nano\n.tensor y, f32, [8], out\n.buffer vmem, 0, 8\nhalt\n";
  const std::string second = std::string(head) + copy;
  const SourceText sources[] = {{"first.s", first}, {"second.s", second}};
  const LinkResult linked = build(sources, {});
  REQUIRE(linked.ok());
  REQUIRE(linked.program.start_copies.size() == 1);
  CHECK(linked.program.tensors[linked.program.start_copies[0].tensor].name == "y");
  CHECK(linked.program.start_copies[0].buffer == 2);
}

TEST_CASE("a launch adds the tensor's address, and keeps to the tensor") {
  const Image image = make_image(built(std::string(head) + copy + "halt\n"));
  const TensorData x{{4, 8}, std::vector<std::uint8_t>(128)};
  const Launch launch = make_launch(image, {{"x", x}}, std::uint64_t{1} << 24U, 1);
  CopyDescriptor placed = expected();
  placed.source += launch.tensors[1].address;
  REQUIRE(launch.start_copies.size() == 1);
  CHECK(launch.start_copies[0] == placed.words());
  for (const char* outside : {"source=28, length=8", "length=4, inner=2, inner_source_stride=-4",
                              "length=8, target=65536"}) {
    const Image bad =
        make_image(built(std::string(head) + ".start_copy y, " + outside + "\nhalt\n"));
    CHECK_THROWS_AS(make_launch(bad, {{"x", x}}, std::uint64_t{1} << 24U, 1), LaunchError);
  }
}

TEST_CASE("start copies that a file cannot have are refused") {
  const std::vector<std::uint8_t> whole = write_elf(built(std::string(head) + copy + "halt\n"));
  const DescriptorWords words = expected().words();
  const auto* first = reinterpret_cast<const std::uint8_t*>(words.data());
  const auto at = std::search(whole.begin(), whole.end(), first, first + sizeof(words));
  REQUIRE(at != whole.end());
  const auto place = static_cast<std::size_t>(at - whole.begin());
  const auto damaged = [&](std::size_t byte, std::uint8_t value) {
    std::vector<std::uint8_t> bytes = whole;
    bytes[byte] = value;
    const ElfResult result = read_elf(bytes);
    return result.ok() ? "" : result.error;
  };
  CHECK(damaged(place - 8, 2).find("a start copy of no tensor") != std::string::npos);
  CHECK(damaged(place - 4, 2).find("a start copy to no buffer") != std::string::npos);
  CHECK(damaged(place, 9).find("this is no start copy") != std::string::npos);
}

}  // namespace tandem::test
