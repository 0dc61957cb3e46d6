// .npy files: NumPy's files are read, written ones read back, damage ends in a message.
#include "isa/launch/npy.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>

using namespace tandem;  // NOLINT: a test file

namespace {

std::vector<std::uint8_t> file_of(const std::string& header, const std::string& data,
                                  unsigned version = 1) {
  std::string text = "\x93NUMPY";
  text += static_cast<char>(version);
  text += '\0';
  for (unsigned byte = 0; byte < (version == 1 ? 2U : 4U); ++byte) {
    text += static_cast<char>(header.size() >> (8 * byte));
  }
  text += header + data;
  return {text.begin(), text.end()};
}

std::string header_of(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

std::string refusal(const std::vector<std::uint8_t>& file) {
  try {
    parse_npy(file);
  } catch (const NpyError& error) {
    return error.message;
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("headers of all three npy versions are read") {
  for (unsigned version = 1; version <= 3; ++version) {
    const NpyArray array =
        parse_npy(file_of(header_of("<f4", "(2, 3)"), std::string(24, 'x'), version));
    CHECK(array.type == "f4");
    CHECK(array.shape == std::vector<std::int64_t>{2, 3});
    CHECK(array.bytes.size() == 24);
  }
}

TEST_CASE("shapes of rank 0 and 1 and of no elements are read") {
  CHECK(parse_npy(file_of(header_of("|i1", "()"), "x")).shape.empty());
  CHECK(parse_npy(file_of(header_of("|i1", "(3,)"), "xyz")).shape.size() == 1);
  CHECK(parse_npy(file_of(header_of("<i4", "(0, 5)"), "")).bytes.empty());
}

TEST_CASE("an array that is written reads back the same") {
  for (const char* type : {"f4", "i4", "i1", "u2"}) {
    const std::size_t unit = static_cast<std::size_t>(type[1] - '0');
    for (const auto& shape : {std::vector<std::int64_t>{}, {4}, {2, 3}, {1, 2, 3, 4}}) {
      std::size_t count = unit;
      for (const auto size : shape) count *= static_cast<std::size_t>(size);
      NpyArray array{type, shape, std::vector<std::uint8_t>(count)};
      for (std::size_t i = 0; i < count; ++i) array.bytes[i] = static_cast<std::uint8_t>(i * 7);
      const std::vector<std::uint8_t> file = format_npy(array);
      CHECK((file.size() - count) % 64 == 0);
      const NpyArray again = parse_npy(file);
      CHECK(again.type == array.type);
      CHECK(again.shape == array.shape);
      CHECK(again.bytes == array.bytes);
    }
  }
}

TEST_CASE("what cannot be used is refused with a hint") {
  CHECK(contains(refusal(file_of(header_of(">f4", "(1,)"), "xxxx")), "big-endian"));
  CHECK(contains(refusal(file_of(header_of("<f4", "(1, 1)", true), "xxxx")), "ascontiguousarray"));
  CHECK(contains(refusal(file_of(header_of("<f4", "(2,)"), "xxxx")), "4 bytes follow"));
  CHECK(contains(refusal(file_of(header_of("<f4", "(1,)"), "xxxxy")), "5 bytes follow"));
  CHECK(contains(refusal(file_of(header_of("<f4", "(4000000000, 4000000000)"), "")), "more than"));
  CHECK(contains(refusal(file_of("{'descr': [('a', '<f4')], }", "")), "structured"));
  // NumPy counts the characters of a string, each of four bytes.
  CHECK(contains(refusal(file_of(header_of("<U2", "(1,)"), "abcdefgh")), "holds strings ('<U2')"));
  CHECK(contains(refusal(file_of(header_of("|S2", "(1,)"), "ab")), "holds strings ('|S2')"));
  CHECK(contains(refusal(file_of(header_of("|O", "(1,)"), "xx")), "holds Python objects"));
  CHECK(contains(refusal(file_of(header_of("<M8[ns]", "(1,)"), "abcdefgh")), "holds dates"));
  CHECK(contains(refusal(file_of(header_of("<m8[s]", "(1,)"), "abcdefgh")), "holds time spans"));
  CHECK(contains(refusal({'h', 'e', 'l', 'l', 'o', 'h', 'e', 'l', 'l', 'o'}), "not an .npy"));
}

TEST_CASE("a file cut off anywhere is refused and never read beyond") {
  const std::vector<std::uint8_t> file = file_of(header_of("<f4", "(2,)"), "12345678");
  for (std::size_t size = 0; size < file.size(); ++size) {
    const std::vector<std::uint8_t> part(file.begin(),
                                         file.begin() + static_cast<std::ptrdiff_t>(size));
    INFO("cut after " << size);
    CHECK(!refusal(part).empty());
  }
}

TEST_CASE("a byte changed anywhere gives an array or a message") {
  const std::vector<std::uint8_t> file = file_of(header_of("<f4", "(2,)"), "12345678");
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (unsigned value = 0; value < 256; ++value) {
      std::vector<std::uint8_t> bad = file;
      bad[at] = static_cast<std::uint8_t>(value);
      const std::string message = refusal(bad);  // must not crash
      if (message.empty()) CHECK(parse_npy(bad).bytes.size() == 8);
    }
  }
}

TEST_CASE("tensors take the types that their elements allow") {
  const float values[] = {1.0F, 1.00390625F, -2.5F};  // the second is a tie in bf16: goes to even
  NpyArray floats{"f4", {3}, std::vector<std::uint8_t>(12)};
  std::memcpy(floats.bytes.data(), values, 12);
  CHECK(tensor_from_npy(floats, ElementType::f32).bytes == floats.bytes);
  const TensorData packed = tensor_from_npy(floats, ElementType::bf16);
  CHECK(packed.bytes == std::vector<std::uint8_t>{0x80, 0x3f, 0x80, 0x3f, 0x20, 0xc0});
  CHECK(npy_from_tensor(packed, ElementType::bf16).type == "f4");
  CHECK_THROWS_AS(tensor_from_npy(floats, ElementType::s32), NpyError);
  CHECK_THROWS_AS(tensor_from_npy(floats, ElementType::s8), NpyError);

  NpyArray wide{"i8", {1}, {5, 0, 0, 0, 0, 0, 0, 0}};
  CHECK(tensor_from_npy(wide, ElementType::s32).bytes == std::vector<std::uint8_t>{5, 0, 0, 0});
  wide.bytes[5] = 1;
  CHECK_THROWS_AS(tensor_from_npy(wide, ElementType::s32), NpyError);
}
