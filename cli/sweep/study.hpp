// A study: programs on machines, as a TOML file names them. What is to be run follows from the file
// alone; docs/sweep.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/run/options/launch_options.hpp"
#include "isa/machine.hpp"

namespace tandem {

enum class ProgramKind : std::uint8_t {
  assembled,  // text, objects, or a linked program
  compiled,   // StableHLO, which tandem-compile makes a program of
  python,     // a Python file, whose runs on Tandem count
};

struct StudyProgram {
  std::string name;
  ProgramKind kind = ProgramKind::assembled;
  LaunchOptions launch;              // without a machine
  std::vector<std::string> options;  // of tandem-compile, or arguments of the Python file
};

struct StudyMachine {
  std::string name;  // with its timing, as isa/machine.hpp has it
  const Parameters* sizes = nullptr;
  std::vector<TimingChoice> timing;
};

struct StudyPoint {
  std::size_t program = 0;
  std::size_t machine = 0;
};

struct Study {
  std::string name;
  std::string python;           // what runs Python files; "": found beside tandem, or in PATH
  std::uint64_t timeout = 600;  // seconds for one point, compiling included
  std::vector<StudyProgram> programs;
  std::vector<StudyMachine> machines;  // each once
  // In the order in which they are handed out: what has to be compiled first.
  std::vector<StudyPoint> points;
};

// `file` is named in complaints, and the files of programs are looked for beside it. Throws
// runtime::Error with file and line.
Study parse_study(const std::string& text, const std::string& file);

}  // namespace tandem
