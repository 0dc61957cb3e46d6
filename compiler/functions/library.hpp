// Functions in linear assembly that a program may call: those of the kernels' folder, which comes
// with the executable, and those of a user's own file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assembler/assembler.hpp"
#include "isa/object/object.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

// The folder of the kernels, wherever Tandem is installed.
std::string kernels_folder();

// The functions of the folder's texts, each with its text's path: whoever has a `.parameter`.
std::map<std::string, std::string> library_functions();

// How texts of functions are assembled for a machine.
AssembleOptions function_options(const Parameters& machine);

// What the text says of its function of this name; an object without bundles that count. `trouble`
// says why there is none: diagnostics of the assembler, or what is wrong with the text as a whole.
struct Declared {
  Function function;
  std::string trouble;
};
Declared declared_function(const SourceText& source, const std::string& name,
                           const Parameters& machine);

// What the object has that only a whole program may have, as a sentence; "" for nothing.
std::string foreign_part(const Object& object);

// Those of the texts that are needed: one that another one includes, functions and all, is not.
std::vector<SourceText> needed_texts(const std::vector<SourceText>& texts,
                                     const Parameters& machine);

}  // namespace tandem::compiler
