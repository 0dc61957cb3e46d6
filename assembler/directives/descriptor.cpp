// `.descriptor field=value, ...`: the sixteen words of a copy descriptor in .data, by the names of
// isa/descriptor.def. `source` and `target` take 64 bits and may be addresses that only the linker
// knows. A field that only version 1 has, or `chip`, makes it a version 1 descriptor.
//
// `.start_copy tensor, field=value, ...`: those of a copy that a start begins. Its source is a byte
// of the tensor, in HBM; VMEM is its target. `buffer=number` is the buffer that it writes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "assembler/directives/directives.hpp"
#include "assembler/expressions/expression.hpp"
#include "assembler/macro.hpp"
#include "assembler/statement.hpp"
#include "assembler/words.hpp"
#include "isa/descriptor.hpp"

namespace tandem::assembly {
namespace {

namespace field = descriptor_field;

struct Given {
  Value value;
  Span where;
  bool given = false;
};

// The fields that a text may set: not the version or the reserved words; an address is one value.
bool is_given_by_name(const DescriptorField& row) {
  return row.rule != DescriptorRule::zero && row.rule != DescriptorRule::version &&
         row.name != field::source_high.name && row.name != field::target_high.name;
}

std::string field_names() {
  std::string names;
  for (const DescriptorField& row : descriptor_fields) {
    if (is_given_by_name(row)) names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  }
  return names;
}

struct Limits {
  std::int64_t low = 0;
  std::int64_t high = std::numeric_limits<std::int32_t>::max();
  std::int64_t multiple = 1;
};

Limits limits_of(const DescriptorField& row) {
  switch (row.rule) {
    case DescriptorRule::version: return {0, 1};
    case DescriptorRule::zero: return {0, 0};
    case DescriptorRule::space:
    case DescriptorRule::target: return {0, std::int64_t{space_names.size()} - 1};
    case DescriptorRule::flag: return {0, std::int64_t{sync_flags} - 1};
    case DescriptorRule::chip: return {0, std::int64_t{max_chips} - 1};
    case DescriptorRule::positive: return {1};
    case DescriptorRule::not_zero: return {1, field_mask(row)};
    case DescriptorRule::address: return {0, std::numeric_limits<std::int64_t>::max(), 4};
    case DescriptorRule::any: return {0, field_mask(row)};
    case DescriptorRule::bytes: return {0, std::numeric_limits<std::int32_t>::max(), 4};
    case DescriptorRule::count: return {};
    case DescriptorRule::stride:
      return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(),
              4};
  }
  return {};
}

class DescriptorDirective {
 public:
  DescriptorDirective(Context& context, Lexer& lexer, const Span& name)
      : context_(context), lexer_(lexer), name_(name) {}

  bool build() { return is_room() && fields() && make_words() && append(); }

  bool build_start_copy() {
    StartCopy copy;
    of_start_ = true;
    if (!tensor(copy.tensor)) return false;
    if (!expect(context_, lexer_, TokenKind::comma, "`,`") || !fields() || !make_words()) {
      return false;
    }
    copy.buffer = buffer_;
    copy.words = words_;
    const std::string trouble = start_copy_trouble(copy.words);
    if (!trouble.empty()) {
      return context_.reporter.error(Code::bad_start_copy, name_, "", trouble);
    }
    std::vector<StartCopy>& all = context_.object.start_copies;
    all.push_back(copy);
    if (all.size() <= most_start_copies) return true;
    return context_.reporter.error(Code::too_many_start_copies, name_, "", all.size(),
                                   most_start_copies);
  }

 private:
  bool is_room() {
    const bool in_smem = context_.section == Place::smem;
    if (!in_smem && context_.section != Place::data) {
      return context_.reporter.error(Code::wrong_section, name_, "write `.data` first",
                                     text_of(name_), ".data or .smem");
    }
    return has_room(context_, name_, in_smem ? descriptor_words : sizeof(DescriptorWords));
  }

  bool tensor(std::uint32_t& number) {
    const std::string_view wanted = lexer_.token().text();
    const std::vector<Tensor>& tensors = context_.object.tensors;
    const auto found = std::find_if(tensors.begin(), tensors.end(), [wanted](const Tensor& tensor) {
      return tensor.name == wanted;
    });
    if (found == tensors.end()) {
      return report_expected(context_, lexer_, "a tensor declared before", "");
    }
    number = static_cast<std::uint32_t>(found - tensors.begin());
    lexer_.advance();
    return true;
  }

  bool fields() {
    do {
      if (!one_field()) return false;
    } while (lexer_.accept(TokenKind::comma));
    return fits_its_version();
  }

  bool written_buffer() {
    const auto count = static_cast<std::int64_t>(context_.object.buffers.buffers.size());
    std::int64_t number = 0;
    lexer_.advance();
    if (!expect(context_, lexer_, TokenKind::equals, "`=`") ||
        !parse_integer(context_, lexer_, "buffer", 0, count, number)) {
      return false;
    }
    buffer_ = static_cast<BufferId>(number);
    return true;
  }

  bool one_field() {
    const std::string_view wanted = lexer_.token().text();
    if (of_start_ && wanted == "buffer") return written_buffer();
    std::size_t index = 0;
    while (index < descriptor_fields.size() && (descriptor_fields[index].name != wanted ||
                                                !is_given_by_name(descriptor_fields[index]))) {
      ++index;
    }
    if (index == descriptor_fields.size()) {
      return report_expected(context_, lexer_, "a field of a copy descriptor", field_names());
    }
    if (given_[index].given) {
      return context_.reporter.error(Code::attribute_twice, lexer_.span(), "", wanted);
    }
    lexer_.advance();
    if (!expect(context_, lexer_, TokenKind::equals, "`=`")) return false;
    return value_of(descriptor_fields[index], given_[index]);
  }

  bool value_of(const DescriptorField& row, Given& given) {
    const char* first = lexer_.token().begin;
    given.given = true;
    const bool is_space = row.rule == DescriptorRule::space || row.rule == DescriptorRule::target;
    if (is_space && space_named(given.value)) {
      given.where = lexer_.span_from(first);
      return true;
    }
    if (!parse_expression(context_, lexer_, given.value)) return false;
    given.where = lexer_.span_from(first);
    return check(row, given);
  }

  bool space_named(Value& value) {
    for (std::size_t i = 0; i < space_names.size(); ++i) {
      if (lexer_.token().text() != space_names[i]) continue;
      value.integer = static_cast<std::int64_t>(i);
      lexer_.advance();
      return true;
    }
    return false;
  }

  bool check(const DescriptorField& row, const Given& given) {
    if (!given.value.is_constant()) {
      if (row.rule == DescriptorRule::address) return true;
      return context_.reporter.error(Code::not_constant, given.where, "");
    }
    if (given.value.is_real) {
      return context_.reporter.error(Code::not_integer, given.where, "", row.name);
    }
    const Limits limits = limits_of(row);
    const std::int64_t value = given.value.integer;
    if (value < limits.low || value > limits.high) {
      return context_.reporter.error(Code::out_of_range, given.where, std::string(row.meaning),
                                     row.name, value, limits.low, limits.high);
    }
    if (value % limits.multiple == 0) return true;
    return context_.reporter.error(Code::not_multiple, given.where, std::string(row.meaning),
                                   row.name, value, limits.multiple);
  }

  [[nodiscard]] bool is_given(const DescriptorField& row) const {
    for (std::size_t i = 0; i < descriptor_fields.size(); ++i) {
      if (descriptor_fields[i].name == row.name) return given_[i].given;
    }
    return false;
  }

  [[nodiscard]] bool is_version_1() const {
    bool remote = is_given(field::chip);
    for (std::size_t i = 0; i < descriptor_fields.size(); ++i) {
      remote |= given_[i].given && !descriptor_fields[i].belongs_to(false);
    }
    return remote;
  }

  // Rejects fields of the other version, and memories that a chip does not let others write.
  bool fits_its_version() {
    if (!is_version_1()) return true;
    for (std::size_t i = 0; i < descriptor_fields.size(); ++i) {
      const DescriptorField& row = descriptor_fields[i];
      const Given& given = given_[i];
      if (!given.given) continue;
      if (!row.belongs_to(true)) {
        return context_.reporter.error(Code::descriptor_version, given.where,
                                       "use `amount_there` and `amount_here`", row.name);
      }
      const auto smem = static_cast<std::int64_t>(MemorySpace::smem);
      if (row.rule == DescriptorRule::target && given.value.integer == smem) {
        return context_.reporter.error(Code::out_of_range, given.where,
                                       "a copy to another chip writes its HBM or its VMEM",
                                       row.name, given.value.integer, 0, smem - 1);
      }
    }
    return true;
  }

  // Defaults for fields not given: one count added to flag 0, and in version 1 one to a flag here
  // that is given; one run; an address that the linker fills in.
  bool make_words() {
    if (is_version_1()) {
      set_field(words_, field::version, 1);
      set_field(words_, field::amount_there, 1);
      set_field(words_, field::amount_here, is_given(field::flag_here) ? 1 : 0);
    } else {
      set_field(words_, field::amount, 1);
    }
    if (of_start_) {
      set_field(words_, field::destination_space, static_cast<std::uint32_t>(MemorySpace::vmem));
    }
    for (const DescriptorField& count : {field::inner, field::middle, field::outer}) {
      set_field(words_, count, 1);
    }
    for (std::size_t i = 0; i < descriptor_fields.size(); ++i) {
      if (given_[i].given && !fill(descriptor_fields[i], given_[i])) return false;
    }
    return true;
  }

  bool fill(const DescriptorField& row, const Given& given) {
    if (!given.value.is_constant()) {
      if (of_start_) return context_.reporter.error(Code::not_constant, given.where, "");
      if (!takes_symbols(context_, given.where)) return false;
      if (!charge_within(context_, given.where, ExpansionCost::symbolic_word)) return false;
      context_.fixups.push_back({context_.object.data.size() + row.word * 4U, given.value,
                                 RelocationKind::word64, false, given.where});
      return true;
    }
    set_field(words_, row, static_cast<std::uint32_t>(given.value.integer));
    if (row.rule == DescriptorRule::address) {
      words_[row.word + 1U] = static_cast<std::uint32_t>(given.value.integer >> 32U);
    }
    return true;
  }

  bool append() {
    for (const std::uint32_t word : words_) append_word(context_, word);
    return true;
  }

  Context& context_;
  Lexer& lexer_;
  Span name_;
  bool of_start_ = false;
  BufferId buffer_ = no_buffer;
  DescriptorWords words_{};
  std::array<Given, descriptor_fields.size()> given_{};
};

}  // namespace

bool descriptor_directive(Context& context, Lexer& lexer, const Span& name) {
  return DescriptorDirective(context, lexer, name).build();
}

bool start_copy_directive(Context& context, Lexer& lexer, const Span& name) {
  return DescriptorDirective(context, lexer, name).build_start_copy();
}

}  // namespace tandem::assembly
