// StableHLO in its pretty form, and CHLO in any form. The parsers and the conversion of CHLO to
// StableHLO are StableHLO's own, which jaxlib contains: where there is a Python with jax, it makes
// an artifact of the text.
#pragma once

#include <string>
#include <string_view>

namespace tandem::compiler {

// Whether a text has operations of StableHLO in their pretty form, or of CHLO.
bool needs_python(std::string_view text);

struct Conversion {
  std::string artifact;  // "" on failure
  std::string errors;    // the message of StableHLO's parser on the text; "" when there is no
                         // parser
};

// `path` is the file of the text, and appears in the locations of its operations; "-" is standard
// input. Pythons that are tried: the environment's TANDEM_JAX_PYTHON; venv/bin/python beside this
// executable; python3. Reading takes at most `most_seconds` of processor time, and at most
// reading_seconds() (read.hpp).
Conversion convert_pretty(const std::string& path, const std::string& text, unsigned most_seconds);

}  // namespace tandem::compiler
