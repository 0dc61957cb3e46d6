#include "isa/launch/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "isa/numerics/convert.hpp"

namespace tandem {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t header_unit = 64;  // NumPy aligns the data to this

[[noreturn]] void refuse(std::string message) { throw NpyError{std::move(message)}; }

// The header: a Python dictionary literal with three known keys.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::size_t base) : text_(text), base_(base) {}

  void parse() {
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        descr = quoted();
      } else if (key == "fortran_order") {
        fortran_order = boolean();
      } else if (key == "shape") {
        shape = tuple();
      } else {
        fail(fmt::format("unknown key '{}'", key));
      }
      if (!accept(',') && peek() != '}') fail("expected ',' or '}'");
    }
    if (peek() != '\0') fail("text after the dictionary");
    if (!descr || !fortran_order || !shape) fail("descr, fortran_order or shape is missing");
  }

  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;

 private:
  [[noreturn]] void fail(const std::string& what) const {
    refuse(fmt::format("damaged .npy header at offset {}: {}", base_ + at_, what));
  }

  // Next character that is not white space; 0 at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail(fmt::format("expected '{}'", wanted));
  }

  std::string quoted() {
    const char quote = peek();
    if (quote == '[') fail("structured types are not supported");
    if (quote != '\'' && quote != '"') fail("expected a quoted string");
    const std::size_t begin = ++at_;
    const std::size_t end = text_.find(quote, begin);
    if (end == std::string_view::npos) fail("string without an end");
    at_ = end + 1;
    return std::string(text_.substr(begin, end - begin));
  }

  bool boolean() {
    (void)peek();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.substr(at_, word.size()) == word) {
        at_ += word.size();
        return word == "True";
      }
    }
    fail("expected True or False");
  }

  std::int64_t number() {
    const char first = peek();
    if (first < '0' || first > '9') fail("expected a size");
    std::int64_t value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      value = value * 10 + (text_[at_++] - '0');
      if (value > std::int64_t{1} << 48U) fail("a size is too large");
    }
    return value;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> sizes;
    expect('(');
    while (!accept(')')) {
      sizes.push_back(number());
      if (sizes.size() > 32) fail("too many dimensions");
      if (!accept(',') && peek() != ')') fail("expected ',' or ')'");
    }
    return sizes;
  }

  std::string_view text_;
  std::size_t base_;
  std::size_t at_ = 0;
};

struct HeaderPlace {
  std::size_t begin;
  std::size_t size;
};

// Checks magic, version and length fields, all of which are before the dictionary.
HeaderPlace find_header(std::span<const std::uint8_t> file) {
  if (file.size() < 10 || std::memcmp(file.data(), magic.data(), magic.size()) != 0) {
    refuse("not an .npy file: no \\x93NUMPY at offset 0");
  }
  const unsigned version = file[6];
  if (version < 1 || version > 3) {
    refuse(fmt::format(".npy version {} at offset 6; versions 1 to 3 are known", version));
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  HeaderPlace place{8 + length_bytes, 0};
  if (file.size() < place.begin) refuse("the .npy file ends inside its header length, at offset 8");
  for (std::size_t byte = 0; byte < length_bytes; ++byte) {
    place.size |= static_cast<std::size_t>(file[8 + byte]) << (8 * byte);
  }
  if (place.size > file.size() - place.begin) {
    refuse(fmt::format("the .npy header at offset {} is {} bytes long, the file ends after {}",
                       place.begin, place.size, file.size() - place.begin));
  }
  return place;
}

// The name of a NumPy kind whose elements are not numbers or raw bytes; "" otherwise.
std::string_view what_is_no_number(char kind) {
  switch (kind) {
    case 'U':
    case 'S':
    case 'a': return "strings";
    case 'O': return "Python objects";
    case 'M': return "dates";
    case 'm': return "time spans";
    default: return "";
  }
}

// Checks the byte order and returns kind and size, as "f4".
std::string plain_type(const std::string& descr) {
  const std::string_view other = descr.size() < 2 ? "" : what_is_no_number(descr[1]);
  if (!other.empty()) {
    refuse(fmt::format("the array holds {} ('{}'); a tensor takes numbers", other, descr));
  }
  if (descr.size() < 3) refuse(fmt::format("unknown .npy element type '{}'", descr));
  std::string type = descr.substr(1);
  if (descr[0] == '>' && type != "i1" && type != "u1") {
    refuse(fmt::format("big-endian elements '{}'; save array.astype('<{}')", descr, type));
  }
  if (descr[0] != '<' && descr[0] != '|' && descr[0] != '=' && descr[0] != '>') {
    refuse(fmt::format("unknown .npy element type '{}'", descr));
  }
  return type;
}

std::size_t type_bytes(const std::string& type) {
  std::size_t size = 0;
  for (const char digit : type.substr(1)) {
    if (digit < '0' || digit > '9' || size > 1000) {
      refuse(fmt::format("unknown .npy element type '{}'", type));
    }
    size = size * 10 + static_cast<std::size_t>(digit - '0');
  }
  if (size == 0) refuse(fmt::format("elements of type '{}' have no bytes", type));
  return size;
}

// Elements in the shape, or more than `limit` as soon as that is clear.
std::uint64_t element_count(const std::vector<std::int64_t>& shape, std::uint64_t limit) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  unsigned __int128 count = 1;
  for (const std::int64_t size : shape) {
    count *= static_cast<unsigned __int128>(size);
    if (count > limit) return limit + 1;
  }
  return static_cast<std::uint64_t>(count);
}

template <typename To, typename From, typename Convert>
std::vector<std::uint8_t> convert(const std::vector<std::uint8_t>& from, Convert element) {
  std::vector<std::uint8_t> result(from.size() / sizeof(From) * sizeof(To));
  for (std::size_t index = 0; index < from.size() / sizeof(From); ++index) {
    From value;
    std::memcpy(&value, from.data() + index * sizeof(From), sizeof(From));
    const To converted = element(value);
    std::memcpy(result.data() + index * sizeof(To), &converted, sizeof(To));
  }
  return result;
}

// The contents of a header.
struct Announced {
  NpyArray array;         // without its bytes
  std::size_t begin = 0;  // of the elements in the file
};

Announced read_header(std::span<const std::uint8_t> file) {
  const HeaderPlace place = find_header(file);
  HeaderParser header({reinterpret_cast<const char*>(file.data()) + place.begin, place.size},
                      place.begin);
  header.parse();
  Announced announced{{plain_type(*header.descr), *header.shape, {}}, place.begin + place.size};
  if (*header.fortran_order && announced.array.shape.size() > 1) {
    refuse("the array is in Fortran order; save numpy.ascontiguousarray(array)");
  }
  return announced;
}

// Throws unless exactly `available` bytes belong after the header.
void check_size(const Announced& announced, std::uint64_t available) {
  const std::size_t unit = type_bytes(announced.array.type);
  const std::uint64_t count = element_count(announced.array.shape, available + 1);
  if (unit * count == available) return;
  refuse(fmt::format(
      "the .npy header announces {}{} elements of {} bytes, but {} bytes follow it at offset {}",
      count > available ? "more than " : "", count > available ? available : count, unit, available,
      announced.begin));
}

[[noreturn]] void refuse_type(const NpyArray& array, ElementType type) {
  const std::string_view wanted = numpy_type(type);
  refuse(
      fmt::format("a tensor of {} needs '{}' elements, the file has '{}'; save "
                  "array.astype('{}')",
                  element_name(type), wanted, array.type, wanted));
}

}  // namespace

std::uint64_t npy_bytes(std::span<const std::uint8_t> head, std::uint64_t file_bytes) {
  const Announced announced = read_header(head);
  const std::uint64_t available = file_bytes > announced.begin ? file_bytes - announced.begin : 0;
  check_size(announced, available);
  return announced.begin + available;
}

NpyArray parse_npy(std::span<const std::uint8_t> file) {
  Announced announced = read_header(file);
  check_size(announced, file.size() - announced.begin);
  announced.array.bytes.assign(file.begin() + static_cast<std::ptrdiff_t>(announced.begin),
                               file.end());
  return std::move(announced.array);
}

std::vector<std::uint8_t> format_npy(const NpyArray& array) {
  std::string shape;
  for (const std::int64_t size : array.shape) shape += fmt::format("{}, ", size);
  if (array.shape.size() > 1) shape.resize(shape.size() - 2);
  const char order = type_bytes(array.type) == 1 ? '|' : '<';
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                   order, array.type, shape);
  const std::size_t prefix = magic.size() + 4;
  header.resize((prefix + header.size() + header_unit) / header_unit * header_unit - prefix - 1,
                ' ');
  header += '\n';

  std::vector<std::uint8_t> file(magic.begin(), magic.end());
  file.push_back(1);
  file.push_back(0);
  file.push_back(static_cast<std::uint8_t>(header.size()));
  file.push_back(static_cast<std::uint8_t>(header.size() >> 8U));
  file.insert(file.end(), header.begin(), header.end());
  file.insert(file.end(), array.bytes.begin(), array.bytes.end());
  return file;
}

TensorData tensor_from_npy(const NpyArray& array, ElementType type) {
  if (array.type == numpy_type(type)) return {array.shape, array.bytes};
  if (type == ElementType::bf16) {
    if (array.type == "V2") return {array.shape, array.bytes};
    if (array.type == "f4") {
      return {array.shape,
              convert<std::uint16_t, std::uint32_t>(array.bytes, numerics::bf16_from_f32)};
    }
    refuse(
        fmt::format("a bf16 tensor needs '<f4' (rounded) or raw '<u2' elements, the file has "
                    "'{}'; save array.astype('<f4')",
                    array.type));
  }
  if (type == ElementType::s32 && array.type == "i8") {
    return {array.shape, convert<std::int32_t, std::int64_t>(array.bytes, [](std::int64_t v) {
              if (v == static_cast<std::int32_t>(v)) return static_cast<std::int32_t>(v);
              refuse(fmt::format("element {} does not fit 32 bits", v));
            })};
  }
  refuse_type(array, type);
}

NpyArray npy_from_tensor(const TensorData& data, ElementType type) {
  if (type == ElementType::bf16) {
    return {"f4", data.dimensions,
            convert<std::uint32_t, std::uint16_t>(data.bytes, numerics::f32_from_bf16)};
  }
  return {std::string(numpy_type(type)), data.dimensions, data.bytes};
}

}  // namespace tandem
