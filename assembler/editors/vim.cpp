// The syntax file of Vim: words as keywords, what has a form as matches. Of two that fit at a place
// Vim takes a keyword, and else the one that the file says last.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "assembler/editors/vocabulary.hpp"

namespace tandem::assembly {
namespace {

constexpr std::size_t longest_line = 100;

// `syn keyword` takes any number of words a line.
std::string keywords(std::string_view group, const Words& words) {
  const std::string head = fmt::format("syn keyword {}", group);
  std::string text;
  std::string line = head;
  for (const std::string& word : words) {
    if (line.size() + 1 + word.size() > longest_line) {
      text += line + '\n';
      line = head;
    }
    line += ' ' + word;
  }
  return text + line + '\n';
}

// Groups of ours, and the one of Vim's whose colours each has.
struct Link {
  std::string_view group;
  std::string_view shown_as;
};
constexpr std::array links{Link{"Mnemonic", "Keyword"},     Link{"Directive", "PreProc"},
                           Link{"Constant", "Constant"},    Link{"Type", "Type"},
                           Link{"Csr", "Constant"},         Link{"Function", "Function"},
                           Link{"Number", "Number"},        Link{"Register", "Identifier"},
                           Link{"Label", "Label"},          Link{"Slot", "StorageClass"},
                           Link{"Attribute", "Identifier"}, Link{"Predicate", "Conditional"},
                           Link{"Virtual", "Identifier"},   Link{"Parameter", "Macro"},
                           Link{"String", "String"},        Link{"Character", "Character"},
                           Link{"Comment", "Comment"}};

}  // namespace

std::string vim_syntax(const Vocabulary& words) {
  std::string text =
      "\" Tandem assembly. Generated from the tables of the instruction set by "
      "tandem_emit_editors\n"
      "\" (assembler/editors); scripts/check-generated --write\n"
      "if exists('b:current_syntax')\n  finish\nendif\n"
      "syn case match\n"
      "syn iskeyword @,48-57,_,.,$\n\n";
  text += keywords("tandemMnemonic", words.mnemonics);
  text += keywords("tandemDirective", words.directives);
  text += keywords("tandemConstant", words.constants);
  text += keywords("tandemType", types_that_are_no_registers(words));
  text += keywords("tandemCsr", words.csrs);
  text += fmt::format("syn match tandemFunction /\\<\\%({}\\)\\ze\\s*(/\n",
                      fmt::join(words.functions, "\\|"));
  text += "syn match tandemNumber /\\<\\d[0-9A-Za-z_.]*\\>/\n";
  text += fmt::format(
      "syn match tandemRegister /\\<\\%([sf]\\%([12]\\?\\d\\|3[01]\\)\\|[pm][0-7]\\|"
      "[va]\\%([1-5]\\?\\d\\|6[0-3]\\)\\)\\%(\\.\\%({}\\)\\)\\?\\>/\n",
      fmt::join(words.parts, "\\|"));
  // The only place where `s8` is a type.
  text += fmt::format(
      "syn match tandemType /\\%(\\.tensor\\s\\+[^,]\\+,\\s*\\|\\.parameter\\s\\+[^,]\\+,[^,]\\+,"
      "\\s*\\)\\@<=\\%({}\\)\\>/\n",
      fmt::join(words.types, "\\|"));
  text += "syn match tandemLabel /\\<[A-Za-z_.$][A-Za-z0-9_.$]*\\ze\\s*:/\n";
  text +=
      fmt::format("syn match tandemSlot /\\<\\%({}\\)\\ze\\s*:/\n", fmt::join(words.slots, "\\|"));
  text += fmt::format("syn match tandemAttribute /\\<\\%({}\\)\\ze\\s*==\\@!/\n",
                      fmt::join(words.values, "\\|"));
  text +=
      "syn match tandemPredicate /@!\\?%\\?[A-Za-z_.$][A-Za-z0-9_.$]*/\n"
      "syn match tandemVirtual /%[A-Za-z0-9_.$]\\+/\n"
      "syn match tandemParameter /\\\\\\%([A-Za-z_]\\w*\\|[@()]\\+\\)/\n"
      "syn region tandemString start=/\"/ skip=/\\\\./ end=/\"/ oneline\n"
      "syn match tandemCharacter /'\\%([^'\\\\]\\|\\\\x\\x\\{1,2}\\|\\\\.\\)'/\n"
      "syn match tandemComment /\\%(#\\|\\/\\/\\).*$/ contains=@Spell\n\n";
  for (const Link& link : links) {
    text += fmt::format("hi def link tandem{} {}\n", link.group, link.shown_as);
  }
  return text + "\nlet b:current_syntax = 'tandem'\n";
}

}  // namespace tandem::assembly
