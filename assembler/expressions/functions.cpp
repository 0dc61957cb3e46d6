#include "assembler/expressions/functions.hpp"

#include "host/nearest_name.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace tandem::assembly {
namespace {

constexpr Code unknown_function = Code::unknown_function;
constexpr Code wrong_arguments = Code::wrong_arguments;
constexpr Code bad_argument = Code::bad_argument;

struct BuiltinRow {
  std::string_view name;
  Value (*value)(const Parameters& parameters);
};

constexpr std::array<BuiltinRow, 7> builtins{{
    {"LANES", [](const Parameters& p) { return integer_value(p.lanes); }},
    {"SUBLANES", [](const Parameters&) { return integer_value(sublanes); }},
    {"VMEM_ROWS", [](const Parameters& p) { return integer_value(p.vmem_rows()); }},
    {"SMEM_WORDS", [](const Parameters& p) { return integer_value(p.smem_words()); }},
    {"ROW_BYTES", [](const Parameters& p) { return integer_value(p.row_bytes()); }},
    {"INF", [](const Parameters&) { return real_value(std::numeric_limits<double>::infinity()); }},
    {"NAN", [](const Parameters&) { return real_value(std::numeric_limits<double>::quiet_NaN()); }},
}};

const BuiltinRow* find_builtin(std::string_view name) {
  for (const BuiltinRow& row : builtins) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

using Arguments = const std::vector<Value>&;

const Code* half(Arguments arguments, Value& result, Half which) {
  const Value& value = arguments[0];
  if (value.is_real || value.half != Half::whole) return &bad_argument;
  result = value;
  if (!value.is_constant()) {
    result.half = which;
    return nullptr;
  }
  const auto bits = static_cast<std::uint64_t>(value.integer);
  result.integer = static_cast<std::int64_t>(which == Half::hi ? bits >> 32U : bits & 0xffffffffU);
  return nullptr;
}

const Code* logarithm(Arguments arguments, Value& result) {
  const Value& value = arguments[0];
  if (value.is_real) {
    result = real_value(std::log2(value.real));
    return nullptr;
  }
  const auto bits = static_cast<std::uint64_t>(value.integer);
  if (!value.is_constant() || !std::has_single_bit(bits)) return &bad_argument;
  result = integer_value(std::countr_zero(bits));
  return nullptr;
}

const Code* choose(Arguments arguments, Value& result, bool larger) {
  const Value& a = arguments[0];
  const Value& b = arguments[1];
  if (!a.is_constant() || !b.is_constant()) return &bad_argument;
  const bool a_larger = a.is_real || b.is_real ? a.as_real() > b.as_real() : a.integer > b.integer;
  result = a_larger == larger ? a : b;
  return nullptr;
}

template <double (*function)(double)>
const Code* real_function(Arguments arguments, Value& result) {
  if (!arguments[0].is_constant()) return &bad_argument;
  result = real_value(function(arguments[0].as_real()));
  return nullptr;
}

template <typename Bits, Bits (*convert)(double)>
const Code* bits_function(Arguments arguments, Value& result) {
  if (!arguments[0].is_constant()) return &bad_argument;
  result = integer_value(convert(arguments[0].as_real()));
  return nullptr;
}

// Towards zero, as a C cast.
const Code* to_integer(Arguments arguments, Value& result) {
  const Value& value = arguments[0];
  if (!value.is_constant()) return &bad_argument;
  if (!value.is_real) {
    result = value;
    return nullptr;
  }
  if (!(std::fabs(value.real) < 9e18)) return &bad_argument;
  result = integer_value(static_cast<std::int64_t>(value.real));
  return nullptr;
}

struct FunctionRow {
  std::string_view name;
  std::size_t arguments;
  const Code* (*apply)(Arguments arguments, Value& result);
};

constexpr std::array<FunctionRow, 11> functions{{
    {"lo", 1, [](Arguments a, Value& r) { return half(a, r, Half::lo); }},
    {"hi", 1, [](Arguments a, Value& r) { return half(a, r, Half::hi); }},
    {"f32", 1, bits_function<std::uint32_t, fp32_bits>},
    {"bf16", 1, bits_function<std::uint16_t, bf16_bits>},
    {"log2", 1, logarithm},
    {"sqrt", 1, real_function<std::sqrt>},
    {"exp2", 1, real_function<std::exp2>},
    {"abs", 1,
     [](Arguments a, Value& r) {
       r = a[0];
       if (!r.is_constant()) return &bad_argument;
       r.real = std::fabs(r.real);
       r.integer = r.integer < 0 ? static_cast<std::int64_t>(-static_cast<std::uint64_t>(r.integer))
                                 : r.integer;
       return static_cast<const Code*>(nullptr);
     }},
    {"int", 1, to_integer},
    {"min", 2, [](Arguments a, Value& r) { return choose(a, r, false); }},
    {"max", 2, [](Arguments a, Value& r) { return choose(a, r, true); }},
}};

}  // namespace

bool builtin_constant(Context& context, std::string_view name, Value& value) {
  const BuiltinRow* row = find_builtin(name);
  if (row == nullptr) return false;
  value = row->value(context.parameters());
  return true;
}

bool is_builtin_constant(std::string_view name) { return find_builtin(name) != nullptr; }

const Code* apply_function(std::string_view name, const std::vector<Value>& arguments,
                           Value& result) {
  for (const FunctionRow& row : functions) {
    if (row.name != name) continue;
    if (row.arguments != arguments.size()) return &wrong_arguments;
    return row.apply(arguments, result);
  }
  return &unknown_function;
}

std::vector<std::string_view> function_names() {
  std::vector<std::string_view> names{"defined"};  // which the parser of expressions knows
  for (const FunctionRow& row : functions) names.push_back(row.name);
  return names;
}

std::vector<std::string_view> constant_names() {
  std::vector<std::string_view> names;
  names.reserve(builtins.size());
  for (const BuiltinRow& row : builtins) names.push_back(row.name);
  return names;
}

std::string function_hint(Code code, std::string_view name) {
  if (code == Code::bad_argument && name == "log2") return "an integer must be a power of two";
  if (code != Code::unknown_function) return {};
  NearestName nearest(name);
  for (const std::string_view function : function_names()) nearest.consider(function);
  return nearest.hint();
}

}  // namespace tandem::assembly
