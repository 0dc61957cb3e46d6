#include "assembler/elf/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "assembler/context.hpp"
#include "assembler/elf/format.hpp"
#include "assembler/expressions/functions.hpp"
#include "assembler/text/lexer.hpp"
#include "assembler/text/register_name.hpp"
#include "isa/instructions.hpp"
#include "isa/launch/size_expression.hpp"
#include "isa/machine.hpp"
#include "isa/version.hpp"

namespace tandem::assembly {
namespace {

template <typename T>
bool read_number(std::string_view text, T& value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size() && !text.empty();
}

bool accept(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string_view take_until(std::string_view& text, std::string_view stops) {
  const std::size_t end = std::min(text.find_first_of(stops), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

bool read_type(std::string_view word, ElementType& type) {
  const std::optional<ElementType> found = find_element(word);
  if (found) type = *found;
  return found.has_value();
}

// A size made of others, written as the assembler writes it.
bool is_kept_size(std::string_view word) {
  const SizeExpression size = read_size(word);
  return size.good && size.text == word && !size.names.empty() &&
         std::all_of(size.names.begin(), size.names.end(), is_symbol_name);
}

bool read_dimension(std::string_view word, Tensor& tensor) {
  tensor.dimension_names.emplace_back();
  tensor.dimensions.push_back(dimension_from_data);
  if (word == "?") return true;
  if (is_symbol_name(word)) {
    tensor.dimension_names.back() = word;
    return true;
  }
  if (is_size_expression(word)) {
    tensor.dimension_names.back() = word;
    return is_kept_size(word);
  }
  std::uint32_t size = 0;
  const bool good = read_number(word, size);
  tensor.dimensions.back() = size;
  return good;
}

// "x: f32 [rows, 64] in"
bool read_tensor(std::string_view text, Tensor& tensor) {
  tensor.name = take_until(text, ":");
  if (!is_symbol_name(tensor.name) || !accept(text, ": ")) return false;
  if (!read_type(take_until(text, " "), tensor.type) || !accept(text, " [")) return false;
  while (!accept(text, "]")) {
    if (!tensor.dimensions.empty() && !accept(text, ", ")) return false;
    if (!read_dimension(take_until(text, ",]"), tensor)) return false;
    if (tensor.dimensions.size() > max_rank) return false;
  }
  if (accept(text, " out shares ")) {
    tensor.shares = text;
    tensor.output = true;
    return is_symbol_name(tensor.shares);
  }
  tensor.input = text == " in" || text == " inout";
  tensor.output = text == " out" || text == " inout";
  return tensor.input || tensor.output;
}

struct ParameterRow {
  std::string_view name;
  std::uint32_t value;
};

void check_parameter(const ElfBytes& section, std::uint64_t offset, const Parameters& preset,
                     std::string_view name, std::uint32_t value) {
  const std::array<ParameterRow, 5> rows{{{"lanes", preset.lanes},
                                          {"sublanes", sublanes},
                                          {"vmem_bytes", preset.vmem_bytes},
                                          {"smem_bytes", preset.smem_bytes},
                                          {"icache_bundles", preset.icache_bundles}}};
  for (const ParameterRow& row : rows) {
    if (row.name != name) continue;
    if (row.value == value) return;
    section.fail(offset, fmt::format("built for a `{}` with {} {}, here `{}` has {}", preset.name,
                                     name, value, preset.name, row.value));
  }
  section.fail(offset, fmt::format("unknown parameter `{}`", name));
}

const Parameters& read_preset(const ElfBytes& section) {
  std::string_view first = section.string(0);
  if (!accept(first, "preset=")) section.fail(0, "does not name a preset");
  const FoundMachine found = find_sizes(first);
  if (found.machine == nullptr) {
    section.fail(0, fmt::format("built for machine `{}`: {}", first, found.complaint));
  }
  return *found.machine;
}

// An output shares the memory of an earlier tensor of the same type and sizes.
void check_sharing(const ElfBytes& section, std::uint64_t at, const Tensor& tensor,
                   const std::vector<Tensor>& earlier) {
  if (tensor.shares.empty()) return;
  const auto other = std::find_if(earlier.begin(), earlier.end(), [&tensor](const Tensor& known) {
    return known.name == tensor.shares;
  });
  if (other != earlier.end() && may_share(tensor, *other)) return;
  section.fail(
      at, fmt::format("tensor `{}` cannot share memory with `{}`", tensor.name, tensor.shares));
}

// Bundles in another encoding would decode, but to something else.
void check_encoding(const ElfBytes& section, std::uint64_t at, std::string_view digest) {
  const std::string here = fmt::format("{:08x}", encoding_digest());
  if (digest == here) return;
  section.fail(at, fmt::format("made for instruction set {}, here it is {}; assemble or compile it "
                               "again with this version ({})",
                               digest.substr(0, here.size()), here, version));
}

void read_parameter(const ElfBytes& section, std::uint64_t at, std::string_view name,
                    std::string_view text, Object& object) {
  std::uint32_t value = 0;
  if (!read_number(text, value)) section.fail(at, "expected name=value");
  if (name == "entry") {
    object.entry_pc = value;
  } else {
    check_parameter(section, at, *object.preset, name, value);
  }
}

}  // namespace

bool is_producer(std::string_view text) {
  constexpr std::size_t most = 200;
  return !text.empty() && text.size() <= most &&
         std::all_of(text.begin(), text.end(), [](char letter) {
           return letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\';
         });
}

bool is_symbol_name(std::string_view name) {
  NamedRegister unused;
  if (name.empty() || !is_identifier_start(name[0]) || read_register(name, unused)) return false;
  if (is_builtin_constant(name)) return false;
  if (name[0] == '.' && name.size() > 1 && name[1] >= '0' && name[1] <= '9') return false;
  for (const SlotLayout& slot : slot_layouts) {
    if (slot.name == name) return false;
  }
  return std::all_of(name.begin(), name.end(), is_identifier_part);
}

void read_target(const ElfBytes& section, Object& object) {
  object.preset = &read_preset(section);
  std::set<std::string_view> seen;
  for (std::uint64_t at = section.string(0).size() + 1; at < section.size();) {
    const std::string_view line = section.string(at);
    std::string_view rest = line;
    const std::string_view name = take_until(rest, "=");
    if (!accept(rest, "=")) section.fail(at, "expected name=value");
    if (!seen.insert(name).second) section.fail(at, fmt::format("`{}` appears twice", name));
    if (name == "isa") {
      check_encoding(section, at, rest);
    } else if (name == "producer") {
      if (!is_producer(rest)) section.fail(at, "expected printable letters after producer=");
      object.producer = rest;
    } else {
      read_parameter(section, at, name, rest, object);
    }
    at += line.size() + 1;
  }
  if (seen.count("isa") == 0) section.fail(0, "does not say for which instruction set (isa=)");
  const std::size_t optional = seen.count("entry") + seen.count("producer");
  if (seen.size() - optional != 6) section.fail(0, "a parameter is missing");
}

namespace {

// What sizes are made of is the whole size of some tensor.
void check_size_names(const ElfBytes& section, const std::vector<Tensor>& tensors) {
  std::set<std::string> known;
  for (const Tensor& tensor : tensors) {
    known.insert(tensor.dimension_names.begin(), tensor.dimension_names.end());
  }
  for (const std::string& text : known) {
    if (!is_size_expression(text)) continue;
    const SizeExpression size = read_size(text);
    for (const std::string& name : size.names) {
      if (known.count(name) == 0) section.fail(0, fmt::format("no tensor has the size `{}`", name));
    }
  }
}

}  // namespace

void read_tensors(const ElfBytes& section, Object& object) {
  std::set<std::string_view> names;
  for (std::uint64_t at = 0; at < section.size();) {
    const std::string_view line = section.string(at);
    Tensor tensor;
    if (!read_tensor(line, tensor)) section.fail(at, "expected a tensor `name: type [sizes] in`");
    if (!names.insert(line.substr(0, tensor.name.size())).second) {
      section.fail(at, fmt::format("tensor `{}` appears twice", tensor.name));
    }
    check_sharing(section, at, tensor, object.tensors);
    object.tensors.push_back(std::move(tensor));
    at += line.size() + 1;
  }
  check_size_names(section, object.tensors);
}

namespace {

class LineReader {
 public:
  LineReader(const ElfBytes& section, Object& object) : section_(section), object_(object) {}

  void read() {
    if (section_.size() == 0) return;
    if (number() != elf::lines_version) section_.fail(0, "unknown version");
    names(source_.files);
    names(source_.operations);
    frames();
    lines();
    if (at_ != section_.size()) section_.fail(at_, "wrong size");
  }

 private:
  std::uint32_t number() {
    const auto value = section_.get<std::uint32_t>(at_);
    at_ += 4;
    return value;
  }

  void names(std::vector<std::string>& list) {
    const std::uint32_t count = number();
    for (std::uint32_t i = 0; i < count; ++i) {
      list.emplace_back(section_.string(at_));
      if (list.back().empty()) section_.fail(at_, "a name without letters");
      at_ += list.back().size() + 1;
    }
  }

  // Callers come before their callees, so chains end; their length is limited too.
  void frames() {
    const std::uint32_t count = number();
    std::vector<std::size_t> depths;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t at = at_;
      SourceFrame frame;
      frame.file = number();
      frame.line = number();
      frame.caller = number();
      frame.operation = number();
      if (frame.file >= source_.files.size() || frame.line == 0) {
        section_.fail(at, "a line of no file");
      }
      if (frame.caller > i) section_.fail(at, "a line that nothing before it called");
      if (frame.operation > source_.operations.size()) section_.fail(at, "a name of no operation");
      depths.push_back(frame.caller == no_frame ? 1 : depths[frame.caller - 1] + 1);
      if (depths.back() > max_source_depth) section_.fail(at, "too long a chain of calls");
      source_.frames.push_back(frame);
    }
  }

  void lines() {
    const std::uint32_t count = number();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint64_t at = at_;
      SourceLocation line;
      line.pc = number();
      line.slot = number();
      line.frame = number();
      const bool good_slot = line.slot == whole_bundle || line.slot < slot_count;
      const bool ascending = source_.lines.empty() || before(source_.lines.back(), line);
      if (!good_slot || !ascending || line.pc >= object_.text.size()) {
        section_.fail(at, "a line of no bundle");
      }
      if (line.frame == no_frame || line.frame > source_.frames.size()) {
        section_.fail(at, "a bundle of no line");
      }
      source_.lines.push_back(line);
    }
  }

  // whole_bundle + 1 is 0: the bundle comes before its slots.
  static bool before(const SourceLocation& a, const SourceLocation& b) {
    return a.pc != b.pc ? a.pc < b.pc : a.slot + 1 < b.slot + 1;
  }

  const ElfBytes& section_;
  Object& object_;
  SourceTable& source_ = object_.source;
  std::uint64_t at_ = 0;
};

}  // namespace

void read_lines(const ElfBytes& section, Object& object) { LineReader(section, object).read(); }

}  // namespace tandem::assembly
