// Statements: labels, bundles, directives, macro calls; and recovery after an error.
#pragma once

#include "assembler/bundle.hpp"
#include "assembler/context.hpp"
#include "assembler/text/lexer.hpp"

namespace tandem::assembly {

// Reads a whole text: a file, or the expansion of a macro or a repetition.
void parse_text(Context& context, const Buffer& buffer);
// Reads the expansion of a macro call inside the braces of a bundle.
void parse_operations(Context& context, const Buffer& buffer, BundleBuilder& bundle);

// Defines a label at the current place.
bool define_label(Context& context, const Span& name);
// Whether a name may be given to a symbol; reports an error if not.
bool check_new_name(Context& context, const Span& name);
std::string_view text_of(const Span& span);

}  // namespace tandem::assembly
