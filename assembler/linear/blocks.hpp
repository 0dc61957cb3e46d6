// Directives that affect other lines: .if, .macro, .rept, .include.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "assembler/context.hpp"
#include "assembler/text/lexer.hpp"

namespace tandem::assembly {

class Blocks {
 public:
  explicit Blocks(Context& context) : context_(context) {}

  // Whether a directive is one of these.
  static bool is_block(std::string_view directive);
  static std::vector<std::string_view> names();
  // Carries out the directive at which the lexer stands.
  bool parse(Lexer& lexer);
  // At the end of a text: reports unclosed directives.
  void finish();

 private:
  using Handler = bool (Blocks::*)(Lexer&, const Span&);
  struct Row {
    std::string_view name;
    Handler handler;
  };
  static const std::array<Row, 11> rows;
  static const Row* find(std::string_view directive);

  bool begin_if(Lexer& lexer, const Span& name);
  bool other_branch(Lexer& lexer, const Span& name);
  bool end_if(Lexer& lexer, const Span& name);
  bool macro(Lexer& lexer, const Span& name);
  bool repeat(Lexer& lexer, const Span& name);
  bool include(Lexer& lexer, const Span& name);
  bool stray_end(Lexer& lexer, const Span& name);

  bool skip_branch(Lexer& lexer, bool wanted);
  bool macro_head(Lexer& lexer, Macro& macro);
  bool block_body(Lexer& lexer, const Span& name, std::string_view open, std::string_view close,
                  std::string_view& body, std::uint32_t& first_line);
  void run(const Buffer* buffer, const Span& name, std::int64_t count, std::string_view counter,
           std::string_view body, std::uint32_t first_line);

  Context& context_;
  std::vector<Span> open_ifs_;
};

}  // namespace tandem::assembly
