// Any bytes as a script of the debugger, a command a line, on a program with a loop, a call, a
// tensor and copies, on golden or on the cycle-exact model: each line is carried out or refused.
// Completion, too, takes any beginning of a line.
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "assembler/assembler.hpp"
#include "cli/debug/shell.hpp"
#include "cli/messages/user_error.hpp"
#include "isa/object/object.hpp"
#include "tests/copying.hpp"

namespace {

using namespace tandem;         // NOLINT
using namespace tandem::debug;  // NOLINT

constexpr std::size_t most_lines = 40;
constexpr std::size_t longest_line = 300;

const Image& program() {
  static const Image image = [] {
    const std::string text = std::string("        .target nano\n") +
                             "        .tensor y, f32, [4], out\n"
                             "        s7 = mov 6\n"
                             "loop:   { s7 = sub s7, 1 ; sb: p1 = ne s7, 1 ; va: v1 = vmov s7 }\n"
                             "        @p1 br loop\n"
                             "        s1 = call twice\n" +
                             copying_program() + "twice:  { s7 = add s7, s7 }\n        jump s1\n";
    LinkResult built = build(std::vector{SourceText{"f.s", text}});
    if (!built.ok()) std::abort();
    return make_image(built.program);
  }();
  return image;
}

Shell make_shell(runtime::Model model) {
  runtime::DeviceOptions device;
  device.model = model;
  device.hbm_bytes = std::uint64_t{1} << 24U;
  device.detect_uninitialised = false;
  auto job = std::make_unique<runtime::NamedLaunch>(device, program(),
                                                    std::map<std::string, TensorData>{});
  return Shell(std::make_unique<Session>(make_target(std::move(job)), std::vector<std::string>{}));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  Shell shell = make_shell((data[0] & 1U) != 0 ? runtime::Model::cycle : runtime::Model::golden);
  std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);  // NOLINT
  for (std::size_t lines = 0; lines < most_lines && !text.empty(); ++lines) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, std::min(end, longest_line));
    text.remove_prefix(std::min(end + 1, text.size()));
    (void)shell.completions(line);
    try {
      if (shell.execute(line).quit) break;
    } catch (const UserError&) {
    }
  }
  return 0;
}
