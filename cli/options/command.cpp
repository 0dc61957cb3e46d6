#include "cli/options/command.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "host/help_formatter.hpp"

namespace tandem {
namespace {

template <typename Value>
Option add_variable(CLI::App* command, std::string_view names, Value& variable,
                    std::string_view description) {
  return Option(command->add_option(std::string(names), variable, std::string(description)));
}

template <typename Value>
Option add_function(CLI::App* command, std::string_view names,
                    const std::function<void(const Value&)>& called, std::string_view description) {
  return Option(
      command->add_option_function<Value>(std::string(names), called, std::string(description)));
}

enum class Choice : int {};

// Of the innermost named command. Arguments after `--` may be left to the enclosing ones.
Leftover leftover(CLI::App* application) {
  CLI::App* command = application;
  std::string path;
  for (std::vector<CLI::App*> below = command->get_subcommands(); !below.empty();
       below = command->get_subcommands()) {
    command = below.front();
    path += (path.empty() ? "" : " ") + command->get_name();
  }
  return {path, Command(command), application->remaining(true)};
}

}  // namespace

// ---- Option -------------------------------------------------------------------------------------

Option Option::required() const { return Option(option_->required()); }

Option Option::group(std::string_view title) const {
  return Option(option_->group(std::string(title)));
}

Option Option::capture_default_str() const { return Option(option_->capture_default_str()); }

Option Option::allow_extra_args(bool allowed) const {
  return Option(option_->allow_extra_args(allowed));
}

Option Option::delimiter(char between) const { return Option(option_->delimiter(between)); }

Option Option::expected(int values) const { return Option(option_->expected(values)); }

Option Option::needs(Option other) const { return Option(option_->needs(other.option_)); }

Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }

Option Option::check(ArgumentCheck check) const {
  return Option(option_->check(
      CLI::Validator([check](std::string& text) { return check(text); }, std::string())));
}

Option Option::transform(ArgumentChange change) const {
  return Option(option_->transform(CLI::Validator(change, std::string())));
}

Option Option::within(int lowest, int largest) const {
  return Option(option_->check(CLI::Range(lowest, largest)));
}

Option Option::within(unsigned lowest, unsigned largest) const {
  return Option(option_->check(CLI::Range(lowest, largest)));
}

Option Option::one_of(const std::vector<std::string>& values) const {
  return Option(option_->check(CLI::IsMember(values)));
}

Option Option::words(const std::vector<std::string>& values) const {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : "|") + value;
  return Option(option_->type_name(text));
}

std::string Option::type_name() const { return option_->get_type_name(); }

std::vector<std::string> Option::names() const {
  std::vector<std::string> names;
  for (const std::string& letter : option_->get_snames()) names.push_back("-" + letter);
  for (const std::string& word : option_->get_lnames()) names.push_back("--" + word);
  return names;
}

std::string Option::place() const {
  return option_->get_positional() ? option_->get_name(true, false) : std::string();
}

std::string Option::description() const { return option_->get_description(); }

std::string Option::group() const { return option_->get_group(); }

bool Option::takes_value() const { return option_->get_items_expected_max() != 0; }

bool Option::is_required() const { return option_->get_required(); }

std::vector<std::string> Option::given() const {
  return option_->count() == 0 ? std::vector<std::string>() : option_->results();
}

// ---- Command ------------------------------------------------------------------------------------

Command Command::add_subcommand(std::string_view name, std::string_view description) const {
  return Command(command_->add_subcommand(std::string(name), std::string(description)));
}

void Command::require_subcommand(int number) const { command_->require_subcommand(number); }

void Command::footer(std::string_view text) const { command_->footer(std::string(text)); }

void Command::callback(std::function<void()> called) const {
  command_->callback(std::move(called));
}

void Command::remove_help_flag() const { command_->set_help_flag(); }

void Command::prefix_command() const { command_->prefix_command(); }

Option Command::add_flag(std::string_view names, bool& variable,
                         std::string_view description) const {
  return Option(command_->add_flag(std::string(names), variable, std::string(description)));
}

Option Command::add_flag_callback(std::string_view names, std::function<void()> called,
                                  std::string_view description) const {
  return Option(
      command_->add_flag_callback(std::string(names), std::move(called), std::string(description)));
}

Option Command::add_option(std::string_view names, std::string& variable,
                           std::string_view text) const {
  return add_variable(command_, names, variable, text);
}

Option Command::add_option(std::string_view names, std::int32_t& variable,
                           std::string_view text) const {
  return add_variable(command_, names, variable, text);
}

Option Command::add_option(std::string_view names, std::uint32_t& variable,
                           std::string_view text) const {
  return add_variable(command_, names, variable, text);
}

Option Command::add_option(std::string_view names, std::uint64_t& variable,
                           std::string_view text) const {
  return add_variable(command_, names, variable, text);
}

Option Command::add_option(std::string_view names, float& variable, std::string_view text) const {
  return add_variable(command_, names, variable, text);
}

Option Command::add_option(std::string_view names, double& variable, std::string_view text) const {
  return add_variable(command_, names, variable, text);
}

Option Command::add_option(std::string_view names, std::vector<std::string>& variable,
                           std::string_view text) const {
  return add_variable(command_, names, variable, text);
}

Option Command::add_option(std::string_view names, std::vector<std::int64_t>& variable,
                           std::string_view text) const {
  return add_variable(command_, names, variable, text);
}

Option Command::add_option(std::string_view names, std::vector<double>& variable,
                           std::string_view text) const {
  return add_variable(command_, names, variable, text);
}

Option Command::add_value_callback(std::string_view names,
                                   const std::function<void(const std::string&)>& called,
                                   std::string_view description) const {
  return add_function<std::string>(command_, names, called, description);
}

Option Command::add_values_callback(
    std::string_view names, const std::function<void(const std::vector<std::string>&)>& called,
    std::string_view description) const {
  return add_function<std::vector<std::string>>(command_, names, called, description);
}

Option Command::add_choice(std::string_view names, const std::vector<std::string>& words,
                           std::function<void(std::size_t)> called,
                           std::string_view description) const {
  std::vector<std::pair<std::string, Choice>> choices;
  choices.reserve(words.size());
  for (const std::string& word : words) {
    choices.emplace_back(word, static_cast<Choice>(choices.size()));
  }
  CLI::Option* option = command_->add_option_function<Choice>(
      std::string(names),
      [called = std::move(called)](const Choice& choice) {
        called(static_cast<std::size_t>(choice));
      },
      std::string(description));
  return Option(option->transform(CLI::CheckedTransformer(choices, CLI::ignore_case)));
}

Option Command::get_option(const std::string& name) const {
  return Option(command_->get_option(name));
}

std::size_t Command::count(const std::string& name) const { return command_->count(name); }

std::vector<std::string> Command::remaining() const { return command_->remaining(); }

std::string Command::name() const { return command_->get_name(); }

std::string Command::description() const { return command_->get_description(); }

std::string Command::footer_text() const { return command_->get_footer(); }

std::vector<Option> Command::options() const {
  std::vector<Option> handles;
  for (CLI::Option* option : command_->get_options(std::function<bool(CLI::Option*)>{})) {
    handles.emplace_back(option);
  }
  return handles;
}

std::vector<Command> Command::subcommands() const {
  std::vector<Command> handles;
  for (CLI::App* command : command_->get_subcommands(std::function<bool(CLI::App*)>{})) {
    handles.emplace_back(command);
  }
  return handles;
}

// ---- Application --------------------------------------------------------------------------------

Application::Application(std::string_view description)
    : application_(std::make_unique<CLI::App>(std::string(description))) {
  application_->formatter(std::make_shared<HelpFormatter>());  // commands take it over
}

Application::~Application() = default;

void Application::set_version_flag(std::string_view names, std::function<std::string()> version) {
  application_->set_version_flag(std::string(names), std::move(version));
}

bool Application::parse(int argc, const char* const* argv) {
  try {
    application_->parse(argc, argv);
  } catch (const CLI::ExtrasError&) {
    throw leftover(application_.get());
  } catch (const CLI::ParseError& error) {
    return application_->exit(error) == 0;
  }
  return true;
}

}  // namespace tandem
