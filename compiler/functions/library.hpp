// Functions in linear assembly that a program may call: those in the kernels' folder, which comes
// with the executable, and those of a user's own file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "assembler/assembler.hpp"
#include "isa/object/object.hpp"
#include "isa/parameters.hpp"

namespace tandem::compiler {

// The folder of the kernels of this installation.
std::string kernels_folder();

// The functions in the folder's texts, each with its text's path: every text with a `.parameter`.
std::map<std::string, std::string> library_functions();

// How texts of functions are assembled for a machine.
AssembleOptions function_options(const Parameters& machine);

// The text's declaration of its function of this name; an object without meaningful bundles.
// `trouble` is the reason for a failure: diagnostics of the assembler, or an error in the text as a
// whole.
struct Declared {
  Function function;
  std::string trouble;
};
Declared declared_function(const SourceText& source, const std::string& name,
                           const Parameters& machine);

// The parts of the object that only a whole program may have, as a sentence; "" if it has none.
std::string foreign_part(const Object& object);

// The texts to assemble: a text that another one includes, functions and all, is left out.
std::vector<SourceText> needed_texts(const std::vector<SourceText>& texts,
                                     const Parameters& machine);

}  // namespace tandem::compiler
