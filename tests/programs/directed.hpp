// The directed programs: found, assembled, run on golden, compared with their expectations.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "assembler/assembler.hpp"
#include "isa/golden/golden_model.hpp"
#include "isa/image.hpp"
#include "isa/launch/launch.hpp"
#include "tests/programs/expectation.hpp"

namespace tandem::directed {

// Paths of every tests/programs/<unit>/<name>.s, sorted. Tests run in the repository root.
std::vector<std::string> program_paths();
// The units: names of the folders.
std::vector<std::string> units();
// Those of one unit.
std::vector<std::string> program_paths(const std::string& unit);

// A program ready to run. Not movable: the launch points into the image.
struct Prepared {
  // Throws std::runtime_error with the diagnostics when the text does not assemble.
  Prepared(SourceText text, const Parameters& preset);
  Prepared(const std::string& path, const Parameters& preset);
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  SourceText source;
  Object program;
  Image image;
  Launch launch;
  Expectation expectation;
};

using RecordReader = std::function<void(const RetireRecord&)>;

// Runs on golden, giving every record to `reader`, and returns one line for each thing that is not
// as expected; none if everything is right.
std::vector<std::string> differences_on_golden(const Prepared& prepared,
                                               const RecordReader& reader);

}  // namespace tandem::directed
