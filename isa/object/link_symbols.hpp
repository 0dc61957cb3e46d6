// The symbols of a link: one name, one definition; local names made unique.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "isa/object/diagnostic_codes.hpp"
#include "isa/object/link.hpp"

namespace tandem {

// Where the sections of an object, in the units of Place, and its buffers begin in the program.
struct Bases {
  std::uint64_t text = 0;
  std::uint64_t data = 0;
  std::uint64_t bss = 0;
  std::uint64_t vmem = 0;
  std::uint64_t smem = 0;
  BufferId buffers = 0;  // those of earlier objects
};

// A complaint about a whole file.
template <typename... Args>
Diagnostic link_diagnostic(const std::string& file, DiagnosticCode code, const std::string& hint,
                           const Args&... args) {
  Diagnostic diagnostic;
  diagnostic.code = code_text(code);
  diagnostic.message = fmt::format(fmt::runtime(code_row(code).wording), args...);
  diagnostic.where.file = file.empty() ? "link" : file;
  diagnostic.hint = hint;
  return diagnostic;
}

class LinkedSymbols {
 public:
  // `program` has its sections laid out; its symbols and tensors are filled in by collect().
  LinkedSymbols(std::span<const LinkInput> inputs, const std::vector<Bases>& bases, Object& program,
                std::vector<Diagnostic>& diagnostics)
      : inputs_(inputs), bases_(bases), program_(program), diagnostics_(diagnostics) {}

  void collect();
  // Final value of a symbol of an input, and its section.
  [[nodiscard]] std::uint64_t value(std::size_t input, std::uint32_t symbol) const {
    return values_[input][symbol].value;
  }
  [[nodiscard]] Place place(std::size_t input, std::uint32_t symbol) const {
    return values_[input][symbol].place;
  }
  // Of a tensor that some input declares.
  [[nodiscard]] std::uint32_t tensor(const std::string& name) const {
    return static_cast<std::uint32_t>(tensors_.at(name));
  }

 private:
  struct Definition {
    std::size_t input;
    Symbol symbol;
  };

  void merge_tensors(std::size_t input);
  void define_globals(std::size_t input);
  void add_locals(std::size_t input);
  void look_up(std::size_t input);
  [[nodiscard]] Symbol placed(std::size_t input, const Symbol& symbol) const;
  std::string unique_name(const std::string& name);

  std::span<const LinkInput> inputs_;
  const std::vector<Bases>& bases_;
  Object& program_;
  std::vector<Diagnostic>& diagnostics_;
  std::unordered_map<std::string, Definition> globals_;
  std::unordered_map<std::string, std::size_t> tensors_;      // name: index in program_.tensors
  std::unordered_map<std::string, std::size_t> tensor_from_;  // name: input
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, unsigned> next_suffix_;
  struct Resolved {
    std::uint64_t value = 0;
    Place place = Place::undefined;
  };
  std::vector<std::vector<Resolved>> values_;
};

}  // namespace tandem
