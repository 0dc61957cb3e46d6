// Subcommands and options of the command line. CLI11, which does the work, is one large header of
// templates: only command.cpp includes it, and the commands use these two handles.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): their name
class App;
class Option;
}  // namespace CLI

namespace tandem {

// Each returns "" if an argument is valid, else the error.
using ArgumentCheck = std::string (*)(const std::string& argument);
using ArgumentChange = std::string (*)(std::string& argument);  // converts it

// A handle, to be passed by value: the application owns the option, copies refer to the same one.
// Methods return it, to be chained.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  Option group(std::string_view title) const;  // heading in the help; "": not listed
  Option capture_default_str() const;          // the help shows the variable's current value
  Option allow_extra_args(bool allowed) const;
  Option delimiter(char between) const;  // of several values in one argument
  Option expected(int values) const;
  Option needs(Option other) const;
  Option excludes(Option other) const;
  Option check(ArgumentCheck check) const;
  Option transform(ArgumentChange change) const;  // before all checks
  Option within(int lowest, int largest) const;
  Option within(unsigned lowest, unsigned largest) const;
  Option one_of(const std::vector<std::string>& values) const;
  // The values that it takes, for help and completion, checked by the reader; capitals stand for
  // any value.
  Option words(const std::vector<std::string>& values) const;
  // As in the help: INT, UINT, TEXT, ..., and the descriptions of its checks.
  [[nodiscard]] std::string type_name() const;
  [[nodiscard]] std::vector<std::string> names() const;  // "-o", "--out"; none: positional
  [[nodiscard]] std::string place() const;               // "input"; "" if not positional
  [[nodiscard]] std::string description() const;
  [[nodiscard]] std::string group() const;
  [[nodiscard]] bool takes_value() const;
  [[nodiscard]] bool is_required() const;
  // Its values on this command line; empty: not given. A flag has one.
  [[nodiscard]] std::vector<std::string> given() const;

 private:
  CLI::Option* option_;
};

// A handle as Option. Names are "-s,--long", or "place" for positional arguments; variables must
// outlive the application.
class Command {
 public:
  explicit Command(CLI::App* command) : command_(command) {}

  Command add_subcommand(std::string_view name, std::string_view description) const;
  void require_subcommand(int number) const;
  void footer(std::string_view text) const;
  void callback(std::function<void()> called) const;
  void remove_help_flag() const;
  void prefix_command() const;  // arguments are left as they are, for remaining()

  Option add_flag(std::string_view names, bool& variable, std::string_view description) const;
  Option add_flag_callback(std::string_view names, std::function<void()> called,
                           std::string_view description) const;

  Option add_option(std::string_view names, std::string& variable, std::string_view text) const;
  Option add_option(std::string_view names, std::int32_t& variable, std::string_view text) const;
  Option add_option(std::string_view names, std::uint32_t& variable, std::string_view text) const;
  Option add_option(std::string_view names, std::uint64_t& variable, std::string_view text) const;
  Option add_option(std::string_view names, float& variable, std::string_view text) const;
  Option add_option(std::string_view names, double& variable, std::string_view text) const;
  Option add_option(std::string_view names, std::vector<std::string>& variable,
                    std::string_view text) const;
  Option add_option(std::string_view names, std::vector<std::int64_t>& variable,
                    std::string_view text) const;
  Option add_option(std::string_view names, std::vector<double>& variable,
                    std::string_view text) const;
  // Instead of a variable: a function that takes the value, or all values.
  Option add_value_callback(std::string_view names,
                            const std::function<void(const std::string&)>& called,
                            std::string_view description) const;
  Option add_values_callback(std::string_view names,
                             const std::function<void(const std::vector<std::string>&)>& called,
                             std::string_view description) const;
  // One of some words, in any case; the result is its index among them.
  Option add_choice(std::string_view names, const std::vector<std::string>& words,
                    std::function<void(std::size_t)> called, std::string_view description) const;

  [[nodiscard]] Option get_option(const std::string& name) const;
  [[nodiscard]] std::size_t count(const std::string& name) const;  // how often it was given
  [[nodiscard]] std::vector<std::string> remaining() const;
  [[nodiscard]] std::string name() const;
  [[nodiscard]] std::string description() const;
  [[nodiscard]] std::string footer_text() const;
  [[nodiscard]] std::vector<Option> options() const;
  [[nodiscard]] std::vector<Command> subcommands() const;

 private:
  CLI::App* command_;
};

// Arguments that a command did not take; `path` is its path: "npy make", "" for the application.
struct Leftover {
  std::string path;
  Command command;
  std::vector<std::string> arguments;
};

// The command line as a whole. Outlives its handles.
class Application {
 public:
  explicit Application(std::string_view description);
  ~Application();
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  [[nodiscard]] Command command() const { return Command(application_.get()); }
  void set_version_flag(std::string_view names, std::function<std::string()> version);
  // Sets the variables and calls the function given to callback(); its exceptions are passed on.
  // Throws Leftover if a command does not take all arguments. For other errors, prints a message to
  // standard error and returns false. Help is printed, too.
  [[nodiscard]] bool parse(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> application_;
};

}  // namespace tandem
