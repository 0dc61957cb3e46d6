// A debugger on a program given as text, without a terminal.
#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <span>
#include <sstream>
#include <string>

#include "assembler/assembler.hpp"
#include "cli/debug/shell.hpp"
#include "cli/messages/user_error.hpp"
#include "isa/launch/launch.hpp"
#include "isa/object/object.hpp"

namespace tandem::debug::test {

class Debuggee {
 public:
  explicit Debuggee(const std::string& text, TimelineOptions options = {},
                    const std::map<std::string, TensorData>& tensors = {},
                    runtime::Model model = runtime::Model::golden) {
    const AssembleResult assembled = assemble(SourceText{"test.s", text});
    REQUIRE(assembled.ok());
    const LinkInput input{"test.s", assembled.object};
    const LinkResult linked = link(std::span(&input, 1));
    REQUIRE(linked.ok());
    runtime::DeviceOptions device;
    device.model = model;
    device.hbm_bytes = std::uint64_t{1} << 30U;
    shell_ = std::make_unique<Shell>(
        std::make_unique<Session>(make_target(std::make_unique<runtime::NamedLaunch>(
                                      device, make_image(linked.program), tensors)),
                                  std::vector<std::string>{}, options));
  }

  std::string run(const std::string& command) { return shell_->execute(command).text; }
  // Carries out commands, one a line, and returns the answer to the last.
  std::string run_all(const std::string& commands) {
    std::istringstream lines(commands);
    std::string answer;
    for (std::string line; std::getline(lines, line);) answer = run(line);
    return answer;
  }
  std::string error(const std::string& command) {
    try {
      shell_->execute(command);
    } catch (const UserError& error) {
      return error.message;
    }
    return "";
  }
  [[nodiscard]] std::uint64_t bundle() { return session().timeline().position(); }
  [[nodiscard]] std::uint32_t pc() { return session().golden().pc(); }
  [[nodiscard]] std::uint32_t scalar(std::size_t number) {
    return session().golden().state().scalars[number];
  }
  [[nodiscard]] Session& session() { return shell_->session(); }
  [[nodiscard]] Shell& shell() { return *shell_; }
  [[nodiscard]] const Launch& launch() { return session().launch(); }

 private:
  std::unique_ptr<Shell> shell_;
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Counts s4 from 0 to 9 in bundles 1 to 30; SMEM word 7 holds the count.
inline constexpr const char* counting = R"(
        .target nano
        .global start
start:  s5 = mov 10
loop:   { s4 = add s4, 1 ; sst [7], s4 }
        p1 = lt.s32 s4, s5
        @p1 br loop
done:   halt
)";

}  // namespace tandem::debug::test
