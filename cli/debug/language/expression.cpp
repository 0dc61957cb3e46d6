#include "cli/debug/language/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cli/debug/language/tokens.hpp"

namespace tandem::debug {
namespace {

struct BinaryOperator {
  std::string_view symbol;
  Operator operation;
  int strength;  // binds more tightly the higher it is
};
// As in C.
constexpr std::array<BinaryOperator, 18> binary_operators{{
    {"||", Operator::logical_or, 1},
    {"&&", Operator::logical_and, 2},
    {"|", Operator::bit_or, 3},
    {"^", Operator::bit_xor, 4},
    {"&", Operator::bit_and, 5},
    {"==", Operator::equal, 6},
    {"!=", Operator::not_equal, 6},
    {"<", Operator::less, 7},
    {"<=", Operator::less_equal, 7},
    {">", Operator::greater, 7},
    {">=", Operator::greater_equal, 7},
    {"<<", Operator::shift_left, 8},
    {">>", Operator::shift_right, 8},
    {"+", Operator::add, 9},
    {"-", Operator::subtract, 9},
    {"*", Operator::multiply, 10},
    {"/", Operator::divide, 10},
    {"%", Operator::remainder, 10},
}};
constexpr std::array<std::pair<std::string_view, Operator>, 3> unary_operators{{
    {"-", Operator::negate},
    {"!", Operator::logical_not},
    {"~", Operator::bit_not},
}};
constexpr int deepest_nesting = 200;

class Parser {
 public:
  Parser(std::string_view text, const Launch& launch, std::uint32_t pc)
      : text_(text), launch_(launch), pc_(pc), tokens_(tokens_of(text)) {}

  ExpressionPointer binary(int weakest) {
    if (++depth_ > deepest_nesting) fail("nested too deeply");
    ExpressionPointer left = unary();
    while (const BinaryOperator* found = binary_operator(weakest)) {
      ++at_;
      left = operation(found->operation, left, binary(found->strength + 1));
    }
    --depth_;
    return left;
  }

  [[nodiscard]] std::size_t offset() const { return tokens_[at_].at; }
  [[noreturn]] void fail(const std::string& message) const {
    expression_error(text_, offset(), message);
  }

 private:
  [[nodiscard]] bool is_symbol(std::string_view symbol) const {
    return tokens_[at_].kind == Token::Kind::symbol && tokens_[at_].text == symbol;
  }
  bool accept(std::string_view symbol) {
    if (!is_symbol(symbol)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view symbol) {
    if (!accept(symbol)) fail(fmt::format("'{}' is expected here", symbol));
  }

  [[nodiscard]] const BinaryOperator* binary_operator(int weakest) const {
    const auto* const found =
        std::find_if(binary_operators.begin(), binary_operators.end(),
                     [this](const BinaryOperator& item) { return is_symbol(item.symbol); });
    return found != binary_operators.end() && found->strength >= weakest ? found : nullptr;
  }

  static ExpressionPointer operation(Operator which, ExpressionPointer left,
                                     ExpressionPointer right) {
    Expression node;
    node.kind = Expression::Kind::operation;
    node.operation = which;
    node.left = std::move(left);
    node.right = std::move(right);
    return std::make_shared<const Expression>(std::move(node));
  }

  ExpressionPointer unary() {
    for (const auto& [symbol, which] : unary_operators) {
      if (!accept(symbol)) continue;
      if (++depth_ > deepest_nesting) fail("nested too deeply");
      ExpressionPointer operand = unary();
      --depth_;
      return operation(which, std::move(operand), nullptr);
    }
    return primary();
  }

  ExpressionPointer primary() {
    if (accept("(")) {
      ExpressionPointer inner = binary(1);
      expect(")");
      return inner;
    }
    const Token& token = tokens_[at_];
    if (token.kind == Token::Kind::number) {
      ++at_;
      return number(token.number);
    }
    if (token.kind != Token::Kind::name) fail("a number or a name is expected here");
    return named();
  }

  static ExpressionPointer number(const Number& value) {
    Expression node;
    node.number = value;
    return std::make_shared<const Expression>(std::move(node));
  }

  ExpressionPointer named() {
    const std::string& name = tokens_[at_].text;
    constexpr std::array<std::pair<std::string_view, Variable>, 3> variables{
        {{"pc", Variable::pc}, {"bundle", Variable::bundle}, {"cycle", Variable::cycle}}};
    for (const auto& [known, variable] : variables) {
      if (name != known) continue;
      ++at_;
      Expression node;
      node.kind = Expression::Kind::variable;
      node.variable = variable;
      return std::make_shared<const Expression>(std::move(node));
    }
    if (auto whole = find_selection(name, launch_)) {
      ++at_;
      return part(std::move(*whole));
    }
    for (const Label& label : launch_.image->labels) {
      if (label.name != name) continue;
      ++at_;
      return number({false, false, label.pc, 0});
    }
    for (const NamedValue& known : launch_.image->names) {
      if (known.name != name) continue;
      ++at_;
      return number({false, false, known.value, 0});
    }
    if (const GivenName* given = find_given(name)) return meaning(*given);
    fail(fmt::format("'{}' is no register, memory, tensor or label", name));
  }

  // The meaning of the name at the bundle; before its first definition, that of the first.
  [[nodiscard]] const GivenName* find_given(std::string_view name) const {
    const GivenName* found = nullptr;
    for (const GivenName& given : launch_.image->given) {
      if (given.name != name) continue;
      if (found != nullptr && given.from > pc_) break;
      found = &given;
    }
    return found;
  }

  ExpressionPointer meaning(const GivenName& given) {
    if (given.register_name.empty()) {
      ++at_;
      return number({false, false, given.value, 0});
    }
    const std::size_t dot = given.register_name.find('.');  // of "v3.lo"
    auto whole = find_selection(given.register_name.substr(0, dot), launch_);
    if (!whole) fail(fmt::format("'{}' cannot be shown", given.register_name));
    ++at_;
    return part(std::move(*whole));
  }

  ExpressionPointer part(Selection whole) {
    Expression node;
    node.kind = Expression::Kind::part;
    while (accept("[")) {
      do {
        if (node.indices.size() == whole.dimensions.size()) {
          fail(fmt::format("{} has {} dimension{}", whole.name, whole.dimensions.size(),
                           whole.dimensions.size() == 1 ? "" : "s"));
        }
        node.indices.push_back(index());
      } while (accept(","));
      expect("]");
    }
    if (accept(".")) {
      node.type = number_type(tokens_[at_].text);
      if (!node.type) fail(fmt::format("types are {}", number_type_names()));
      ++at_;
    }
    node.whole = std::move(whole);
    return std::make_shared<const Expression>(std::move(node));
  }

  Index index() {
    Index result;
    if (!is_symbol(":")) result.low = binary(1);
    if (accept(":")) {
      result.range = true;
      if (!is_symbol("]") && !is_symbol(",")) result.high = binary(1);
    }
    return result;
  }

  std::string_view text_;
  const Launch& launch_;
  std::uint32_t pc_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

ExpressionPointer parse_expression(std::string_view text, const Launch& launch, std::uint32_t pc) {
  Parser parser(text, launch, pc);
  ExpressionPointer expression = parser.binary(1);
  if (parser.offset() != text.size()) parser.fail("the expression should end here");
  return expression;
}

}  // namespace tandem::debug
