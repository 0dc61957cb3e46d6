#include "cli/files/npy_values.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace tandem {
namespace {

[[noreturn]] void refuse(std::string message) { throw NpyError{std::move(message)}; }

struct TypeRow {
  std::string_view name;
  std::size_t bytes;
  NpyNumber (*read)(const std::uint8_t* bytes);
  void (*append)(std::vector<std::uint8_t>& bytes, const NpyNumber& number);
};

template <typename Value>
NpyNumber read(const std::uint8_t* bytes) {
  Value value;
  std::memcpy(&value, bytes, sizeof(value));
  if constexpr (std::is_floating_point_v<Value>) {
    return {true, 0, value};
  } else {
    return {false, value, 0};
  }
}

template <typename Value>
void put(std::vector<std::uint8_t>& bytes, Value value) {
  const auto raw = std::bit_cast<std::array<std::uint8_t, sizeof(Value)>>(value);
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

__int128 whole(const NpyNumber& number) {
  if (!number.is_real) return number.integer;
  constexpr double most = 0x1p100;
  if (std::isnan(number.real)) refuse("nan is no integer");
  if (std::abs(number.real) > most) refuse(fmt::format("{} is too large", number.real));
  if (number.real != std::nearbyint(number.real)) {
    refuse(fmt::format("{} is no integer", number.real));
  }
  return static_cast<__int128>(number.real);
}

template <typename Value, int low_bits = 0>
void append_integer(std::vector<std::uint8_t>& bytes, const NpyNumber& number) {
  using Limits = std::numeric_limits<Value>;
  constexpr __int128 high = low_bits != 0 ? (__int128{1} << low_bits) - 1 : __int128{Limits::max()};
  const __int128 value = whole(number);
  if (value < Limits::min() || value > high) {
    refuse(fmt::format("{} is outside {} .. {}", npy_number_text(number, "f8"), Limits::min(),
                       static_cast<std::uint64_t>(high)));
  }
  put(bytes, static_cast<Value>(value));
}

template <typename Value>
void append_real(std::vector<std::uint8_t>& bytes, const NpyNumber& number) {
  const double real = number.as_real();
  if (std::isfinite(real) && std::abs(real) > std::numeric_limits<Value>::max()) {
    refuse(fmt::format("{} is too large", real));
  }
  put(bytes, static_cast<Value>(real));
}

constexpr std::array<TypeRow, 11> types{{
    {"f4", 4, read<float>, append_real<float>},
    {"f8", 8, read<double>, append_real<double>},
    {"b1", 1, read<std::uint8_t>, append_integer<std::uint8_t, 1>},
    {"i1", 1, read<std::int8_t>, append_integer<std::int8_t>},
    {"u1", 1, read<std::uint8_t>, append_integer<std::uint8_t>},
    {"i2", 2, read<std::int16_t>, append_integer<std::int16_t>},
    {"u2", 2, read<std::uint16_t>, append_integer<std::uint16_t>},
    {"i4", 4, read<std::int32_t>, append_integer<std::int32_t>},
    {"u4", 4, read<std::uint32_t>, append_integer<std::uint32_t>},
    {"i8", 8, read<std::int64_t>, append_integer<std::int64_t>},
    {"u8", 8, read<std::uint64_t>, append_integer<std::uint64_t>},
}};

const TypeRow* find_type(std::string_view name) {
  for (const TypeRow& row : types) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

const TypeRow& type_of(const NpyArray& array) {
  const TypeRow* const row = find_type(array.type);
  if (row != nullptr) return *row;
  refuse(
      fmt::format("elements of type {} cannot be shown; {} can", array.type, npy_number_types()));
}

}  // namespace

std::string npy_number_types() {
  std::string names;
  for (const TypeRow& row : types) names += (names.empty() ? "" : " ") + std::string(row.name);
  return names;
}

bool is_npy_number_type(std::string_view type) { return find_type(type) != nullptr; }

std::size_t npy_count(const NpyArray& array) { return array.bytes.size() / type_of(array).bytes; }

NpyNumber npy_number(const NpyArray& array, std::size_t index) {
  const TypeRow& row = type_of(array);
  return row.read(array.bytes.data() + index * row.bytes);
}

std::string npy_number_text(const NpyNumber& number, std::string_view type) {
  if (!number.is_real) return fmt::format("{}", number.integer);
  return type == "f4" ? fmt::format("{:.9g}", number.real) : fmt::format("{}", number.real);
}

void append_npy_number(NpyArray& array, const NpyNumber& number) {
  type_of(array).append(array.bytes, number);
}

NpyNumber parse_npy_number(std::string_view text) {
  const bool negative = text.starts_with("-");
  const std::string_view digits = text.substr(negative ? 1 : 0);
  const bool hexadecimal = digits.starts_with("0x");
  const char* const end = text.data() + text.size();
  std::uint64_t magnitude = 0;
  const auto integer =
      std::from_chars(digits.data() + (hexadecimal ? 2 : 0), end, magnitude, hexadecimal ? 16 : 10);
  if (integer.ec == std::errc() && integer.ptr == end) {
    return {false, negative ? -static_cast<__int128>(magnitude) : __int128{magnitude}, 0};
  }
  NpyNumber number{true, 0, 0};
  const auto real = std::from_chars(text.data(), end, number.real);
  if (real.ec == std::errc() && real.ptr == end && !text.empty()) return number;
  refuse(fmt::format("'{}' is not a number{}", text,
                     real.ec == std::errc::result_out_of_range ? " that fits" : ""));
}

bool same_npy_number(const NpyNumber& left, const NpyNumber& right) {
  if (!left.is_real && !right.is_real) return left.integer == right.integer;
  const double a = left.as_real();
  const double b = right.as_real();
  return a == b || (std::isnan(a) && std::isnan(b));
}

double npy_distance(const NpyNumber& left, const NpyNumber& right) {
  if (left.is_real || right.is_real) return std::abs(left.as_real() - right.as_real());
  const __int128 distance = left.integer - right.integer;
  return static_cast<double>(distance < 0 ? -distance : distance);
}

}  // namespace tandem
