// Tensors to a launch: sizes, places, argument block, and every refusal.
#include "isa/launch/launch.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

#include "isa/launch/launch_messages.hpp"
#include "isa/launch/size_expression.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

constexpr std::uint64_t hbm = 1U << 20U;

Tensor tensor(const std::string& name, ElementType type, std::vector<std::int64_t> dimensions,
              std::vector<std::string> names, bool input, bool output) {
  return {name, type, std::move(dimensions), std::move(names), input, output, ""};
}

// x: f32 [rows, cols] in; y: s8 [cols] in; z: bf16 [rows, 3] out
Image image() {
  Image result;
  result.preset = find_preset("nano");
  result.text.resize(10);
  result.hbm_end = text_base + 640;
  result.tensors = {
      tensor("x", ElementType::f32, {-1, -1}, {"rows", "cols"}, true, false),
      tensor("y", ElementType::s8, {-1}, {"cols"}, true, false),
      tensor("z", ElementType::bf16, {-1, 3}, {"rows", ""}, false, true),
  };
  return result;
}

std::map<std::string, TensorData> data() {
  return {{"x", {{2, 5}, std::vector<std::uint8_t>(40, 1)}},
          {"y", {{5}, std::vector<std::uint8_t>(5, 2)}}};
}

// Of all tests so far, in the order of this file.
std::vector<std::string>& refusals() {
  static std::vector<std::string> messages;
  return messages;
}

std::string refusal(const Image& image, const std::map<std::string, TensorData>& bound,
                    std::uint64_t bytes = hbm) {
  try {
    make_launch(image, bound, bytes, 1);
  } catch (const LaunchError& error) {
    refusals().push_back(error.message);
    return error.message;
  }
  return "";
}

// Whether the message is the wording with something for each {}.
bool is_worded(const std::string& message, std::string_view wording) {
  std::size_t at = 0;
  while (!wording.empty()) {
    const std::size_t gap = wording.find('{');
    const std::string_view part = wording.substr(0, gap);
    const std::size_t found = message.find(part, at);
    if (found == std::string::npos) return false;
    at = found + part.size();
    if (gap == std::string_view::npos) break;
    wording.remove_prefix(wording.find('}', gap) + 1);
  }
  return true;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const HbmSegment& segment_at(const Launch& launch, std::uint64_t address) {
  for (const HbmSegment& segment : launch.segments) {
    if (segment.address == address) return segment;
  }
  FAIL("no segment at " << address);
  return launch.segments.front();
}

std::uint32_t word(const HbmSegment& segment, std::size_t number) {
  std::uint32_t value = 0;
  std::memcpy(&value, segment.bytes.data() + number * 4, 4);
  return value;
}

}  // namespace

TEST_CASE("tensors are placed with their sizes and described at the argument pointer") {
  const Image program = image();
  const Launch launch = make_launch(program, data(), hbm, 9);
  CHECK(launch.seed == 9);
  REQUIRE(launch.tensors.size() == 3);
  for (const PlacedTensor& placed : launch.tensors) CHECK(placed.address % 4096 == 0);
  CHECK(launch.tensors[1].pitch == 8);  // five bytes rounded up to words
  CHECK(launch.tensors[2].tensor.dimensions == std::vector<std::int64_t>{2, 3});
  CHECK(launch.tensors[2].pitch == 8);  // three bf16 rounded up
  CHECK(launch.tensors[2].bytes == 16);

  const HbmSegment& arguments = segment_at(launch, launch.argument_pointer);
  CHECK(arguments.bytes.size() == 3 * 64);
  CHECK(word(arguments, 0) == launch.tensors[0].address);
  CHECK(word(arguments, 2) == 0);       // f32
  CHECK(word(arguments, 16 + 2) == 3);  // s8
  CHECK(word(arguments, 3) == 2);       // rank
  CHECK(word(arguments, 4) == 2);
  CHECK(word(arguments, 5) == 5);
  CHECK(word(arguments, 6) == 1);   // beyond the rank
  CHECK(word(arguments, 8) == 20);  // pitch
  CHECK(word(arguments, 9) == 40);  // bytes
  CHECK(segment_at(launch, launch.tensors[1].address).bytes ==
        std::vector<std::uint8_t>{2, 2, 2, 2, 2, 0, 0, 0});
}

TEST_CASE("tensors without elements take no room whichever dimension is 0") {
  for (const auto& shape : {std::vector<std::int64_t>{0, 3}, {3, 0}, {0, 0}, {0x7fffffff, 0}}) {
    Image program = image();
    program.tensors.resize(1);
    const Launch launch = make_launch(program, {{"x", {shape, {}}}}, hbm, 1);
    CHECK(launch.tensors[0].bytes == 0);
    CHECK(launch.tensors[0].tensor.dimensions == shape);
  }
}

TEST_CASE("a size is worked out of others in 64 bits, or not at all") {
  const auto size = [](const std::string& text) {
    return read_size(text, [](std::string_view name) {
      return name == "n" ? std::optional<std::int64_t>(7) : std::nullopt;
    });
  };
  CHECK(size("n - 4").value == 3);
  CHECK(size("2 * n + 1").value == 15);
  CHECK(size("(n + 7) / 8 * 8").value == 8);
  CHECK(size("-n / 2").value == -3);  // cut off to zero, as in C
  CHECK(size("n % 4").value == 3);
  CHECK(size("n - (n - 4) - 1").value == 3);
  CHECK(size("n/(n-7)").trouble == "it divides by 0");
  CHECK(size("n % (7 - n)").trouble == "it divides by 0");
  CHECK(size("n * 9223372036854775807").trouble == "it needs more than 64 bits");
  CHECK(size("(-9223372036854775807 - 1) / (n - 8)").trouble == "it needs more than 64 bits");
  CHECK(size("n + m").trouble == "m is not known");
  for (const char* wrong : {"", "n +", "n n", "(n", "n)", "9223372036854775808", "n ^ 2", "3n"}) {
    INFO(wrong);
    CHECK(!size(wrong).good);
  }
}

TEST_CASE("a launch that cannot be made says why") {
  auto bound = data();
  bound.erase("y");
  CHECK(contains(refusal(image(), bound), "'y' is an input and needs data"));
  bound = data();
  bound["q"] = bound["x"];
  CHECK(contains(refusal(image(), bound), "no tensor 'q' (it declares: x, y, z)"));
  bound = data();
  bound["z"] = bound["x"];
  CHECK(contains(refusal(image(), bound), "'z' is an output"));
  bound = data();
  bound["y"] = {{6}, std::vector<std::uint8_t>(6)};
  CHECK(contains(refusal(image(), bound), "'cols' is 5 in tensor 'x' but 6 in tensor 'y'"));
  bound = data();
  bound["y"] = {{5, 1}, std::vector<std::uint8_t>(5)};
  CHECK(contains(refusal(image(), bound), "declared with 1 dimensions, its data has 2"));
  bound = data();
  bound["y"].bytes.pop_back();
  CHECK(contains(refusal(image(), bound), "needs 5 bytes of data, 4 were given"));

  Image fixed = image();
  fixed.tensors[0].dimensions = {3, -1};
  CHECK(contains(refusal(fixed, data()), "declared as 3, its data has 2"));
  Image unknown = image();
  unknown.tensors[2].dimension_names[0] = "depth";
  CHECK(contains(refusal(unknown, data()), "size of dimension 'depth' is not known"));
}

TEST_CASE("a program that does not fit is refused before anything runs") {
  CHECK(contains(refusal(image(), data(), 0x12000), "does not fit into HBM"));
  CHECK(contains(refusal(image(), data(), 4096), "needs"));
  CHECK(contains(refusal(image(), data(), 5000), "not a multiple of 4096"));
  Image huge = image();
  huge.tensors[2].dimensions = {0x7fffffff, 0x7fffffff};
  huge.tensors[2].dimension_names = {"", ""};
  CHECK(contains(refusal(huge, data()), "does not fit into HBM"));
  Image empty = image();
  empty.text.clear();
  CHECK(contains(refusal(empty, data()), "no bundles"));
  Image entry = image();
  entry.entry_pc = 10;
  CHECK(contains(refusal(entry, data()), "outside the text"));
  Image rows = image();
  rows.vmem_rows_reserved = 2049;
  CHECK(contains(refusal(rows, data()), "reserves 2049 rows of VMEM"));
  Image overlap = image();
  overlap.data.push_back({text_base + 64, {1, 2, 3}});
  CHECK(contains(refusal(overlap, data()), "overlaps the text"));
  Image outside = image();
  outside.data.push_back({~std::uint64_t{0} - 2, {1, 2, 3}});
  CHECK(contains(refusal(outside, data()), "leaves HBM"));
}

TEST_CASE("every refusal of a launch happens") {
  // Those that the tests above do not meet when this one runs alone.
  const auto refused = [](auto change, std::uint64_t bytes = hbm) {
    Image program = image();
    auto bound = data();
    change(program, bound);
    CHECK(refusal(program, bound, bytes) != "");
  };
  using Bound = std::map<std::string, TensorData>;
  refused([](Image&, Bound& bound) { bound.erase("y"); });
  refused([](Image&, Bound& bound) { bound["q"] = bound["x"]; });
  refused([](Image&, Bound& bound) { bound["z"] = bound["x"]; });
  refused([](Image&, Bound& bound) { bound["y"] = {{6}, std::vector<std::uint8_t>(6)}; });
  refused([](Image&, Bound& bound) { bound["y"] = {{5, 1}, std::vector<std::uint8_t>(5)}; });
  refused([](Image&, Bound& bound) { bound["y"].bytes.pop_back(); });
  refused([](Image& program, Bound&) { program.tensors[0].dimensions = {3, -1}; });
  refused([](Image& program, Bound&) { program.tensors[2].dimension_names[0] = "depth"; });
  refused([](Image& program, Bound&) { program.tensors[2].dimension_names[0] = "depth - 4"; });
  refused([](Image& program, Bound&) { program.tensors[2].dimensions[1] = -2; });
  refused([](Image& program, Bound&) { program.tensors[2].dimensions.resize(9, 1); });
  refused([](Image& program, Bound&) { program.tensors[2].shares = "x"; });
  refused([](Image& program, Bound&) { program.preset = nullptr; });
  refused([](Image& program, Bound&) {
    CopyDescriptor far;
    far.source = 1U << 20U;
    program.start_copies.push_back({0, 0, far.words()});
  });
  refused([](Image& program, Bound&) { program.text.clear(); });
  refused([](Image& program, Bound&) { program.entry_pc = 10; });
  refused([](Image& program, Bound&) { program.vmem_rows_reserved = 1U << 30U; });
  refused([](Image& program, Bound&) { program.smem_words_reserved = 1U << 30U; });
  refused([](Image& program, Bound&) { program.data.push_back({text_base, {1}}); });
  refused([](Image&, Bound&) {}, 5000);
  refused([](Image&, Bound&) {}, 4096);
  refused([](Image&, Bound&) {}, 0x11000);
  refused([](Image&, Bound&) {}, 0x13000);
  for (const std::string_view wording : launch_wordings) {
    INFO("never refused: " << wording);
    CHECK(std::any_of(refusals().begin(), refusals().end(),
                      [&](const std::string& message) { return is_worded(message, wording); }));
  }
}
