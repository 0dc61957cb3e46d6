#include "isa/launch/size_expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tandem {
namespace {

constexpr unsigned max_nesting = 32;  // of parentheses and signs
constexpr std::size_t longest_text = 400;
constexpr std::string_view operators = "+-*/%()";

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_name_part(char letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         letter == '_' || letter == '.' || letter == '$';
}

bool is_sum(char op) { return op == '+' || op == '-'; }
bool is_product(char op) { return op == '*' || op == '/' || op == '%'; }

// left = left op right; "" or why that cannot be.
std::string apply(char op, std::int64_t& left, std::int64_t right) {
  if (right == 0 && (op == '/' || op == '%')) return "it divides by 0";
  bool overflow = false;
  switch (op) {
    case '+': overflow = __builtin_add_overflow(left, right, &left); break;
    case '-': overflow = __builtin_sub_overflow(left, right, &left); break;
    case '*': overflow = __builtin_mul_overflow(left, right, &left); break;
    case '%': left = right == -1 ? 0 : left % right; break;
    default:
      if (right != -1)
        left /= right;
      else
        overflow = __builtin_sub_overflow(std::int64_t{0}, left, &left);
  }
  return overflow ? "it needs more than 64 bits" : "";
}

// Reads from left to right and works out what it can on the way.
class Reader {
 public:
  Reader(std::string_view text, const SizeLookup& size_of) : rest_(text), size_of_(size_of) {}

  SizeExpression read() {
    std::int64_t value = 0;
    result_.good = rest_.size() <= longest_text && sum(value) && next() == '\0';
    if (result_.good && result_.trouble.empty()) result_.value = value;
    return std::move(result_);
  }

 private:
  // The next letter that is no blank; 0 at the end.
  char next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }

  template <typename Operand>
  bool operations(std::int64_t& left, bool (*belongs)(char), Operand operand) {
    if (!operand(left)) return false;
    while (belongs(next())) {
      const char op = rest_.front();
      rest_.remove_prefix(1);
      result_.text += fmt::format(" {} ", op);
      std::int64_t right = 0;
      if (!operand(right)) return false;
      if (result_.trouble.empty()) result_.trouble = apply(op, left, right);
    }
    return true;
  }

  bool sum(std::int64_t& value) {
    return operations(value, is_sum, [this](std::int64_t& part) { return product(part); });
  }

  bool product(std::int64_t& value) {
    return operations(value, is_product, [this](std::int64_t& part) { return factor(part); });
  }

  bool factor(std::int64_t& value) {
    const char first = next();
    if (first == '-' || first == '(') return nested(first, value);
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_name_part);
    const std::string_view word = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    if (word.empty()) return false;
    rest_.remove_prefix(word.size());
    result_.text += word;
    return is_digit(first) ? number(word, value) : name(word, value);
  }

  bool nested(char first, std::int64_t& value) {
    if (++nesting_ > max_nesting) return false;
    rest_.remove_prefix(1);
    result_.text += first;
    if (first == '-') {
      if (!factor(value)) return false;
      std::int64_t zero = 0;
      if (result_.trouble.empty()) result_.trouble = apply('-', zero, value);
      value = zero;
    } else {
      if (!sum(value) || next() != ')') return false;
      rest_.remove_prefix(1);
      result_.text += ')';
    }
    --nesting_;
    return true;
  }

  static bool number(std::string_view word, std::int64_t& value) {
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && stop == word.data() + word.size();
  }

  bool name(std::string_view word, std::int64_t& value) {
    if (std::find(result_.names.begin(), result_.names.end(), word) == result_.names.end()) {
      result_.names.emplace_back(word);
    }
    const std::optional<std::int64_t> known = size_of_(word);
    if (known) value = *known;
    if (!known && result_.trouble.empty()) result_.trouble = fmt::format("{} is not known", word);
    return true;
  }

  std::string_view rest_;
  const SizeLookup& size_of_;
  SizeExpression result_;
  unsigned nesting_ = 0;
};

}  // namespace

SizeLookup sizes_in(const std::map<std::string, std::int64_t>& sizes) {
  return [&sizes](std::string_view name) {
    const auto found = sizes.find(std::string(name));
    return found == sizes.end() ? std::nullopt : std::optional(found->second);
  };
}

bool is_size_expression(std::string_view text) {
  return text.find_first_of(operators) != std::string_view::npos;
}

SizeExpression read_size(std::string_view text, const SizeLookup& size_of) {
  return Reader(text, size_of).read();
}

SizeExpression read_size(std::string_view text) {
  return read_size(text, [](std::string_view) { return std::nullopt; });
}

std::string known_sizes_text(const SizeExpression& expression, const SizeLookup& size_of) {
  std::string text;
  for (const std::string& name : expression.names) {
    const std::optional<std::int64_t> known = size_of(name);
    if (known) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, *known);
  }
  return text;
}

}  // namespace tandem
