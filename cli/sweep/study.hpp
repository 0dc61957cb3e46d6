// A study: programs on machines, listed in a TOML file. The work follows from the file alone;
// docs/sweep.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/run/options/launch_options.hpp"
#include "isa/machine.hpp"

namespace tandem {

enum class ProgramKind : std::uint8_t {
  assembled,  // text, objects, or a linked program
  compiled,   // StableHLO, which tandem-compile compiles to a program
  python,     // a Python file, whose runs on Tandem are measured
};

struct StudyProgram {
  std::string name;
  ProgramKind kind = ProgramKind::assembled;
  LaunchOptions launch;              // without a machine
  std::vector<std::string> options;  // of tandem-compile, or arguments of the Python file
};

struct StudyMachine {
  std::string name;  // with its timing, as in isa/machine.hpp
  const Parameters* sizes = nullptr;
  std::vector<TimingChoice> timing;
};

struct StudyPoint {
  std::size_t program = 0;
  std::size_t machine = 0;
};

struct Study {
  std::string name;
  std::string python;           // what runs Python files; "": found next to tandem, or in PATH
  std::uint64_t timeout = 600;  // seconds for one point, including compilation
  std::vector<StudyProgram> programs;
  std::vector<StudyMachine> machines;  // each once
  // In the order in which they are distributed: those to be compiled first.
  std::vector<StudyPoint> points;
};

// `file` is named in errors, and the files of programs are searched for next to it. Throws
// runtime::Error with file and line.
Study parse_study(const std::string& text, const std::string& file);

}  // namespace tandem
