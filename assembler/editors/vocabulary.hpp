// The words of the assembly language, for editors that colour them: each list from the table that
// the assembler itself reads by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tandem::assembly {

using Words = std::vector<std::string>;

struct Vocabulary {
  Words mnemonics;
  Words slots;       // "sa"
  Words directives;  // ".tensor"
  Words constants;   // "LANES"
  Words functions;   // of expressions: "log2"
  Words types;       // of elements: "bf16"; also "s8", which is a register elsewhere
  Words csrs;        // control and status registers, by name
  Words values;      // attributes with a value: "rows"
  Words parts;       // of a vector: "lo"
};

// Each list in alphabetical order, without repetition.
Vocabulary vocabulary();

// Those that are registers nowhere.
Words types_that_are_no_registers(const Vocabulary& words);

// editors/vscode/syntaxes/tandem.tmLanguage.json
std::string textmate_grammar(const Vocabulary& words);
// editors/vim/syntax/tandem.vim
std::string vim_syntax(const Vocabulary& words);

}  // namespace tandem::assembly
