// StableHLO in the form that people read, and CHLO in any. Parsers and what makes StableHLO of CHLO
// are StableHLO's own, which jaxlib has: where there is a Python with jax, that makes an artifact
// of the text.
#pragma once

#include <string>
#include <string_view>

namespace tandem::compiler {

// Whether a text has operations of StableHLO in their pretty form, or of CHLO.
bool needs_python(std::string_view text);

struct Conversion {
  std::string artifact;  // "" when there is none
  std::string errors;    // what StableHLO's parser says of the text; "" when there is no parser
};

// `path` is the file that the text came from, which is where its operations are said to stand; "-"
// is standard input. Pythons that are tried: the environment's TANDEM_JAX_PYTHON; venv/bin/python
// beside this executable; python3.
Conversion convert_pretty(const std::string& path, const std::string& text);

}  // namespace tandem::compiler
