// Programs through the plugin. The compiler is the assembler here (tests/CMakeLists.txt), so that
// this tests the plugin alone, with programs that compiled code should never be.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/python/pjrt_support.hpp"

namespace tandem::pjrt_test {

inline const std::string include_common = "        .include \"" +
                                          std::filesystem::current_path().string() +
                                          "/benchmarks/common/common.inc\"\n";

// y = x[0] for 64 elements: enough to see that arguments went in and results came out.
inline const std::string copy_program = include_common + R"(
        .tensor arg0, f32, [64], in
        .tensor out0, f32, [64], out
        .smem
        .align 16
setup:  .space 16
move:   .space 16
args:   .space 2 * argument_words
        .text
        fetch_arguments setup, args, 2
        descriptor move, in_hbm, in_hbm, 1
        tensor_address move, copy_source, args, 0
        tensor_address move, copy_target, args, 1
        store_word move + copy_length, 256
        copy_and_wait move, f1
        halt
)";

// The result takes the argument's memory and its contents.
inline constexpr std::string_view donating_program = R"(
        .tensor arg0, f32, [64], in
        .tensor out0, f32, [64], out, shares arg0
        halt
)";

inline Options with_assembler(Options more = {}) {
  more.emplace_back("compiler", TANDEM_ASM_COMPILER);
  more.emplace_back("cache_bytes", "0");
  return more;
}

// An executable that goes with its holder.
class Program {
 public:
  static std::optional<Problem> try_compile(const Session& session, std::string_view text,
                                            PJRT_LoadedExecutable*& executable,
                                            std::string options = {}) {
    auto program = arguments<PJRT_Program>();
    std::string code(text);
    program.code = code.data();
    program.code_size = code.size();
    program.format = "mlir";
    program.format_size = 4;
    auto args = arguments<PJRT_Client_Compile_Args>();
    args.client = session.client();
    args.program = &program;
    args.compile_options = options.data();
    args.compile_options_size = options.size();
    auto problem = taken(GetPjrtApi()->PJRT_Client_Compile(&args));
    executable = args.executable;
    return problem;
  }
  Program(const Session& session, std::string_view text, std::string options = {}) {
    const auto problem = try_compile(session, text, executable_, std::move(options));
    if (problem) FAIL(problem->message);
  }
  ~Program() {
    auto args = arguments<PJRT_LoadedExecutable_Destroy_Args>();
    args.executable = executable_;
    check(GetPjrtApi()->PJRT_LoadedExecutable_Destroy(&args));
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  [[nodiscard]] PJRT_LoadedExecutable* get() const { return executable_; }

  struct Run {
    std::vector<Array> results;
    PJRT_Event* done = nullptr;
  };
  std::optional<Problem> try_run(const std::vector<const Array*>& arrays, Run& run,
                                 const std::vector<std::int64_t>& keep = {}) const {
    std::vector<PJRT_Buffer*> inputs;
    for (const Array* array : arrays) inputs.push_back(array->get());
    PJRT_Buffer* const* const input_list = inputs.data();
    PJRT_Buffer* outputs[1] = {};
    PJRT_Buffer** const output_list = outputs;
    auto args = arguments<PJRT_LoadedExecutable_Execute_Args>();
    args.executable = executable_;
    auto options = arguments<PJRT_ExecuteOptions>();
    options.non_donatable_input_indices = keep.data();
    options.num_non_donatable_input_indices = keep.size();
    args.options = &options;
    args.argument_lists = &input_list;
    args.num_devices = 1;
    args.num_args = inputs.size();
    args.output_lists = &output_list;
    args.device_complete_events = &run.done;
    if (auto problem = taken(GetPjrtApi()->PJRT_LoadedExecutable_Execute(&args))) return problem;
    run.results.emplace_back(outputs[0]);
    return std::nullopt;
  }
  [[nodiscard]] Run run(const std::vector<const Array*>& arrays) const {
    Run run;
    const auto problem = try_run(arrays, run);
    if (problem) FAIL(problem->message);
    return run;
  }

 private:
  PJRT_LoadedExecutable* executable_ = nullptr;
};

}  // namespace tandem::pjrt_test
