#include "cli/campaign/slurm.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "cli/campaign/build_id.hpp"
#include "cli/campaign/program_output.hpp"
#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/progress/count.hpp"
#include "host/host_file.hpp"
#include "host/interruption.hpp"

namespace tandem {
namespace {

constexpr int most_vain_rounds = 3;
constexpr std::chrono::milliseconds nap{100};

// For the shell of the batch script.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

class SlurmRun {
 public:
  SlurmRun(const Plan& plan, Store& store, const SlurmOptions& options)
      : plan_(plan),
        store_(store),
        options_(options),
        folder_(std::filesystem::absolute(options.folder).string()) {
    std::filesystem::create_directories(folder_);
    std::string known;  // of a front end that was killed
    if (read_file(job_file(), known)) std::istringstream(known) >> job_;
  }

  void run() {
    std::uint64_t left = missing().seeds;
    const std::uint64_t total = left;
    ProgressCount progress(total, plan_.noun);
    std::uint64_t left_at_submission = left + 1;
    int vain = 0;
    while (left != 0 && interruption() == 0) {
      if (job_.empty() || !job_lives()) {
        vain = left < left_at_submission ? 0 : vain + 1;
        if (vain == most_vain_rounds) give_up();
        left_at_submission = left;
        submit();
      }
      sleep_between_polls();
      store_.refresh();
      left = missing().seeds;
      progress.show(total - left, 0);
    }
    if (left != 0 && !job_.empty()) run_program({"scancel", job_});
    std::filesystem::remove(job_file());
  }

 private:
  struct Missing {
    std::uint64_t seeds = 0;
    std::string shards;  // in the syntax of sbatch --array
  };

  [[nodiscard]] Missing missing() const {
    Missing result;
    for (std::uint64_t shard = 0; shard < options_.tasks; ++shard) {
      const std::uint64_t before = result.seeds;
      for (std::size_t i = shard; i < plan_.units.size(); i += options_.tasks) {
        result.seeds += missing_seeds(plan_, plan_.units[i], store_);
      }
      if (result.seeds == before) continue;
      result.shards += (result.shards.empty() ? "" : ",") + fmt::format("{}", shard);
    }
    return result;
  }

  [[nodiscard]] std::string job_file() const { return folder_ + "/slurm-job"; }

  [[nodiscard]] std::string write_script() const {
    const std::string path = folder_ + "/slurm-task.sh";
    const std::string script = fmt::format(
        "#!/bin/sh\nexec {} {} {} --store {} --jobs 1 --shard \"$SLURM_ARRAY_TASK_ID/{}\" "
        "--no-summary\n",
        quoted(own_executable()), options_.command,
        quoted(std::filesystem::absolute(options_.file).string()), quoted(folder_), options_.tasks);
    write_text(path, script);
    return path;
  }

  void submit() {
    std::vector<std::string> command{"sbatch",
                                     "--parsable",
                                     "--requeue",
                                     "--open-mode=append",
                                     "--ntasks=1",
                                     "--job-name=tandem-" + plan_.name,
                                     "--output=" + folder_ + "/slurm-%a.log",
                                     "--array=" + missing().shards};
    command.insert(command.end(), options_.options.begin(), options_.options.end());
    command.push_back(write_script());
    const ProgramOutput output = run_program(command);
    if (output.status != 0) {
      throw UserError{
          fmt::format(message::sbatch_refused, output.status == -1 || output.text.empty()
                                                   ? std::string("it could not be run")
                                                   : output.text)};
    }
    job_ = output.text.substr(0, output.text.find_first_of(";\n"));
    std::ofstream(job_file()) << job_ << '\n';
  }

  // A controller that does not answer may come back; its tasks continue without it.
  [[nodiscard]] bool job_lives() const {
    const ProgramOutput output = run_program({"squeue", "--noheader", "--jobs", job_});
    if (output.status == 0) return !output.text.empty();
    return output.text.find("Invalid job id") == std::string::npos;
  }

  void sleep_between_polls() const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options_.poll_seconds);
    while (interruption() == 0 && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(nap);
    }
  }

  [[noreturn]] void give_up() const {
    throw UserError{fmt::format(message::jobs_without_result, most_vain_rounds, folder_)};
  }

  const Plan& plan_;
  Store& store_;
  SlurmOptions options_;
  std::string folder_;
  std::string job_;
};

}  // namespace

void run_on_slurm(const Plan& plan, Store& store, const SlurmOptions& options) {
  SlurmRun(plan, store, options).run();
}

}  // namespace tandem
