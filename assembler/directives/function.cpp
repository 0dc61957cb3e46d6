// The parameters of a function that other texts call: `.parameter` and `.scratch`. Objects keep
// them for the linker of a call; they add no bundle and no byte to the program.
#include <algorithm>

#include "assembler/directives/directives.hpp"
#include "assembler/expressions/expression.hpp"
#include "assembler/statement.hpp"
#include "assembler/words.hpp"

namespace tandem::assembly {
namespace {

constexpr std::string_view parameter_form =
    "the form is `.parameter function, name, type|any [, [sizes], in|out|inout]`";

// The function that the directive describes, which other texts may call from now on.
Function* named_function(Context& context, Lexer& lexer) {
  const Span where = lexer.span();
  if (!lexer.token().is(TokenKind::identifier)) {
    report_expected(context, lexer, "the name of a function");
    return nullptr;
  }
  const std::string_view name = lexer.token().text();
  if (!check_new_name(context, where)) return nullptr;
  lexer.advance();
  SymbolEntry& entry = context.symbols[context.symbols.intern(name)];
  if (entry.defined.buffer == nullptr) entry.defined = where;
  entry.global = true;
  std::vector<Function>& functions = context.object.functions;
  const auto known = std::find_if(functions.begin(), functions.end(),
                                  [name](const Function& other) { return other.name == name; });
  if (known != functions.end()) return &*known;
  context.declared.push_back(where);
  functions.push_back({});
  functions.back().name = name;
  return &functions.back();
}

bool type_or_any(Context& context, Lexer& lexer, Parameter& parameter) {
  parameter.any_type = lexer.token().text() == "any";
  if (!parameter.any_type) return parse_element_type(context, lexer, parameter.tensor.type);
  lexer.advance();
  return true;
}

// After the type of a tensor: `[rows, 64], in`.
bool sizes_and_direction(Context& context, Lexer& lexer, Parameter& parameter) {
  const Span shape = lexer.span();
  Tensor& tensor = parameter.tensor;
  if (!parse_shape(context, lexer, tensor, SizeForms::names)) return false;
  if (std::count(tensor.dimension_names.begin(), tensor.dimension_names.end(), more_dimensions) >
      1) {
    return context.reporter.error(Code::attribute_twice, shape, "", more_dimensions);
  }
  return expect(context, lexer, TokenKind::comma, "`,`") && parse_direction(context, lexer, tensor);
}

// `.parameter softmax, x, f32, [rows, columns], in`; for a number, `.parameter rms_norm, epsilon,
// f32`.
bool parameter(Context& context, Lexer& lexer, const Span& name) {
  Function* const function = named_function(context, lexer);
  if (function == nullptr || !expect(context, lexer, TokenKind::comma, "`,`")) return false;
  const Span where = lexer.span();
  if (!lexer.token().is(TokenKind::identifier)) {
    return report_expected(context, lexer, "the name of the parameter",
                           std::string(parameter_form));
  }
  Parameter parameter;
  parameter.tensor.name = lexer.token().text();
  lexer.advance();
  if (!expect(context, lexer, TokenKind::comma, "`,`") || !type_or_any(context, lexer, parameter)) {
    return false;
  }
  parameter.number = !lexer.accept(TokenKind::comma);
  if (parameter.number) {
    parameter.tensor.input = true;
    if (parameter.any_type || element_bytes(parameter.tensor.type) != 4) {
      return report_expected(context, lexer, "`,` and sizes",
                             "a number in a register is f32, s32 or u32");
    }
  } else if (!sizes_and_direction(context, lexer, parameter)) {
    return false;
  }
  for (const Parameter& other : function->parameters) {
    if (other.tensor.name != parameter.tensor.name) continue;
    return context.reporter.error(Code::attribute_twice, where, "", parameter.tensor.name);
  }
  if (function->parameters.size() == max_parameters) {
    return context.reporter.error(Code::too_many_parameters, name, "", function->name,
                                  max_parameters);
  }
  function->parameters.push_back(std::move(parameter));
  return true;
}

// `.scratch softmax, kernel_rows, 512`: rows of VMEM from s3 on, words of SMEM below s2.
bool scratch(Context& context, Lexer& lexer, const Span& name) {
  Function* const function = named_function(context, lexer);
  if (function == nullptr || !expect(context, lexer, TokenKind::comma, "`,`")) return false;
  const Parameters& preset = context.parameters();
  std::int64_t rows = 0;
  std::int64_t words = 0;
  if (!parse_integer(context, lexer, "rows of VMEM", 0, preset.vmem_rows(), rows) ||
      !expect(context, lexer, TokenKind::comma, "`,`") ||
      !parse_integer(context, lexer, "words of SMEM", 0, preset.smem_words(), words)) {
    return false;
  }
  if (function->has_scratch) {
    return context.reporter.error(Code::attribute_twice, name, "", ".scratch " + function->name);
  }
  function->has_scratch = true;
  function->vmem_rows = static_cast<std::uint32_t>(rows);
  function->smem_words = static_cast<std::uint32_t>(words);
  return true;
}

}  // namespace

std::span<const DirectiveRow> function_directives() {
  static constexpr DirectiveRow rows[] = {{".parameter", parameter}, {".scratch", scratch}};
  return rows;
}

}  // namespace tandem::assembly
