#include "cli/debug/dap/adapter.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "cli/debug/dap/breakpoints.hpp"
#include "cli/debug/dap/messages.hpp"
#include "cli/debug/dap/stack.hpp"
#include "cli/debug/dap/variables.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "isa/launch/launch.hpp"
#include "runtime/error.hpp"

namespace tandem::debug::dap {
namespace {

using Json = nlohmann::json;

constexpr int thread = 1;  // a program is one

// The command line of `tandem debug` that a `launch` request stands for.
std::vector<std::string> launch_words(const Json& arguments) {
  std::vector<std::string> words{text_at(arguments, "program")};
  if (words[0].empty()) throw UserError{message::dap_without_program};
  const Json inputs = object_at(arguments, "inputs");
  for (const auto& [name, file] : inputs.items()) {
    if (!file.is_string()) continue;
    words.emplace_back("--in");
    words.push_back(name + "=" + file.get<std::string>());
  }
  for (const Json& word : array_at(arguments, "args")) {
    if (word.is_string()) words.push_back(word.get<std::string>());
  }
  return words;
}

std::string_view reason_of(const Json& stop) {
  const std::string reason = text_at(stop, "reason");
  const std::string status = text_at(stop, "status");
  if (status == "trapped" || status == "reported") return "exception";
  if (reason == "breakpoint") return "breakpoint";
  return reason == "interrupted" ? "pause" : "step";
}

class Adapter {
 public:
  explicit Adapter(const Launcher& launcher) : launcher_(launcher) {}

  // Until `disconnect`.
  void serve(Inbox& inbox) {
    inbox_ = &inbox;
    while (!disconnected_) {
      const std::optional<Json> request = inbox.next();
      if (!request) break;
      if (text_at(*request, "type") == "request") answer(*request);
    }
    inbox.begin_run(nullptr);
  }

 private:
  using Handler = Json (Adapter::*)(const Json& arguments);
  struct Row {
    std::string_view command;
    Handler handler;
  };

  void send(Json message) {
    message["seq"] = ++sent_;
    write_message(message);
  }
  void event(const char* name, Json body) {
    send({{"type", "event"}, {"event", name}, {"body", std::move(body)}});
  }
  void output(const char* category, const std::string& text) {
    event("output", {{"category", category}, {"output", text}});
  }

  // What a request asks for, then the events that follow from it.
  void answer(const Json& request) {
    const std::string command = text_at(request, "command");
    Json response{{"type", "response"},
                  {"request_seq", number_at(request, "seq", 0)},
                  {"command", command},
                  {"success", true}};
    try {
      response["body"] = carry_out(command, object_at(request, "arguments"));
    } catch (const UserError& error) {
      fail(response, error.message);
    } catch (const LaunchError& error) {
      fail(response, error.message);
    } catch (const runtime::Error& error) {
      fail(response, error.message);
    }
    send(std::move(response));
    if (move_) run_move();
    for (Json& waiting : std::exchange(events_, {})) send(std::move(waiting));
  }

  static void fail(Json& response, const std::string& message) {
    response["success"] = false;
    response["message"] = message;
    response["body"] = {{"error", {{"id", 1}, {"format", message}, {"showUser", true}}}};
  }

  Json carry_out(const std::string& command, const Json& arguments) {
    for (const Row& row : always) {
      if (row.command == command) return (this->*row.handler)(arguments);
    }
    for (const Row& row : with_program) {
      if (row.command != command) continue;
      if (!shell_) throw UserError{message::dap_not_launched};
      return (this->*row.handler)(arguments);
    }
    throw UserError{fmt::format(message::dap_unknown_request, command)};
  }

  Json initialize(const Json& arguments) {
    first_line_ = flag_at(arguments, "linesStartAt1", true) ? 1 : 0;
    Json capabilities = Json::object();
    for (const char* name :
         {"supportsConfigurationDoneRequest", "supportsStepBack", "supportsConditionalBreakpoints",
          "supportsEvaluateForHovers", "supportsSteppingGranularity", "supportsTerminateRequest"}) {
      capabilities[name] = true;
    }
    return capabilities;
  }

  Json launch(const Json& arguments) {
    const std::string folder = text_at(arguments, "cwd");
    std::error_code trouble;
    if (!folder.empty()) std::filesystem::current_path(folder, trouble);
    if (trouble) throw UserError{fmt::format(message::dap_no_folder, folder, trouble.message())};
    inbox_->begin_run(nullptr);  // that of an earlier program
    shell_ = launcher_(launch_words(arguments));
    stop_on_entry_ = flag_at(arguments, "stopOnEntry", true);
    events_.push_back({{"type", "event"}, {"event", "initialized"}});
    return Json::object();
  }

  Json configuration_done(const Json&) {
    if (stop_on_entry_) {
      stopped("entry", shell_->stopped({}));
    } else {
      move_ = "continue";
    }
    return Json::object();
  }

  Json disconnect(const Json&) {
    disconnected_ = true;
    return Json::object();
  }

  Json terminate(const Json&) {
    events_.push_back({{"type", "event"}, {"event", "terminated"}});
    return Json::object();
  }

  // The thread that reads has ended the run already.
  Json pause(const Json&) { return Json::object(); }

  Json threads(const Json&) {
    return {{"threads", Json::array({Json{{"id", thread}, {"name", "tandem"}}})}};
  }

  Json set_breakpoints(const Json& arguments) {
    const std::string path = text_at(object_at(arguments, "source"), "path");
    return {{"breakpoints",
             breakpoints_.set(*shell_, path, array_at(arguments, "breakpoints"), first_line_)}};
  }

  Json stack_trace(const Json& arguments) {
    return stack(shell_->session(), number_at(arguments, "startFrame", 0),
                 number_at(arguments, "levels", 0), first_line_);
  }

  Json list_scopes(const Json&) { return {{"scopes", scopes(shell_->session())}}; }

  Json list_variables(const Json& arguments) {
    return {{"variables",
             variables(*shell_, number_at(arguments, "variablesReference", 0),
                       number_at(arguments, "start", 0), number_at(arguments, "count", 0))}};
  }

  // In the console any command of the debugger, or an expression; elsewhere an expression.
  Json evaluate(const Json& arguments) {
    const std::string text = text_at(arguments, "expression");
    if (text_at(arguments, "context") != "repl") {
      return {{"result", values_text(*shell_->values(text, "").data)}, {"variablesReference", 0}};
    }
    const std::uint64_t before = shell_->session().timeline().position();
    inbox_->begin_run(&shell_->session().interrupt());
    const Reply reply = shell_->execute(text);
    if (shell_->session().timeline().position() != before) stopped("goto", shell_->stopped({}));
    return {{"result", reply.text}, {"variablesReference", 0}};
  }

  // Moves: the response comes first, the run after it.
  template <bool over>
  Json step(const Json& arguments) {
    return move(by_bundle(arguments) ? "stepi" : over ? "next" : "step");
  }
  Json step_out(const Json&) { return move("finish"); }
  Json step_back(const Json& arguments) {
    return move(by_bundle(arguments) ? "reverse-stepi" : "reverse-next");
  }
  Json go_on(const Json&) {
    move("continue");
    return {{"allThreadsContinued", true}};
  }
  Json reverse(const Json&) { return move("reverse-continue"); }

  static bool by_bundle(const Json& arguments) {
    return text_at(arguments, "granularity") == "instruction";
  }

  Json move(const char* command) {
    move_ = command;
    return Json::object();
  }

  // Forwards from the end, the program is over; the end itself can still be looked at.
  void run_move() {
    const std::string command = *std::exchange(move_, std::nullopt);
    const bool forwards = !command.starts_with("reverse");
    if (forwards && shell_->session().timeline().at_end()) {
      event("terminated", Json::object());
      return;
    }
    inbox_->begin_run(&shell_->session().interrupt());
    try {
      const Reply reply = shell_->execute(command);
      stopped(std::string(reason_of(*reply.data)), reply);
    } catch (const UserError& error) {
      output("stderr", error.message + "\n");
      stopped("step", shell_->stopped({}));
    }
  }

  void stopped(const std::string& reason, const Reply& reply) {
    Json body{{"reason", reason}, {"threadId", thread}, {"allThreadsStopped", true}};
    const std::string first = reply.text.substr(0, reply.text.find('\n'));
    body["description"] = first;
    if (reason == "exception") body["text"] = first;
    if (reply.data->contains("breakpoint")) {
      body["hitBreakpointIds"] = Json::array({(*reply.data)["breakpoint"]});
    }
    events_.push_back({{"type", "event"},
                       {"event", "output"},
                       {"body", {{"category", "console"}, {"output", reply.text}}}});
    events_.push_back({{"type", "event"}, {"event", "stopped"}, {"body", std::move(body)}});
  }

  static const std::array<Row, 5> always;
  static const std::array<Row, 13> with_program;

  const Launcher& launcher_;
  Inbox* inbox_ = nullptr;
  std::unique_ptr<Shell> shell_;
  SourceBreakpoints breakpoints_;
  std::int64_t first_line_ = 1;
  std::int64_t sent_ = 0;
  bool stop_on_entry_ = true;
  bool disconnected_ = false;
  std::optional<std::string> move_;  // to be made after the response
  std::vector<Json> events_;         // to be sent after it
};

const std::array<Adapter::Row, 5> Adapter::always{{{"initialize", &Adapter::initialize},
                                                   {"launch", &Adapter::launch},
                                                   {"threads", &Adapter::threads},
                                                   {"terminate", &Adapter::terminate},
                                                   {"disconnect", &Adapter::disconnect}}};
const std::array<Adapter::Row, 13> Adapter::with_program{
    {{"configurationDone", &Adapter::configuration_done},
     {"setBreakpoints", &Adapter::set_breakpoints},
     {"stackTrace", &Adapter::stack_trace},
     {"scopes", &Adapter::list_scopes},
     {"variables", &Adapter::list_variables},
     {"evaluate", &Adapter::evaluate},
     {"continue", &Adapter::go_on},
     {"next", &Adapter::step<true>},
     {"stepIn", &Adapter::step<false>},
     {"stepOut", &Adapter::step_out},
     {"stepBack", &Adapter::step_back},
     {"reverseContinue", &Adapter::reverse},
     {"pause", &Adapter::pause}}};

}  // namespace

int serve(std::istream& in, const Launcher& launcher) {
  Inbox inbox(in);
  Adapter adapter(launcher);
  adapter.serve(inbox);
  return exit_done;
}

}  // namespace tandem::debug::dap
