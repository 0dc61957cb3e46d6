#include "cli/campaign/engine.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <utility>

#include "cli/campaign/build_id.hpp"
#include "cli/campaign/slurm.hpp"
#include "cli/files/numbers.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "host/interruption.hpp"

namespace tandem {
namespace {

bool parse_number(std::string_view text, std::uint64_t& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end && !text.empty();
}

// "3/16": the fourth of sixteen.
void parse_shard(const std::string& text, PoolOptions& options) {
  if (text.empty()) return;
  const std::string_view view = text;
  const std::size_t slash = view.find('/');
  if (slash == std::string_view::npos || !parse_number(view.substr(0, slash), options.shard) ||
      !parse_number(view.substr(slash + 1), options.shards) || options.shard >= options.shards) {
    throw UserError{fmt::format(message::bad_shard, text)};
  }
}

PoolOptions pool_options(const EngineOptions& options, const std::string& file) {
  PoolOptions pool{options.folder, build_id(), std::max(1U, options.jobs)};
  if (pool.folder.empty()) {
    pool.folder = std::filesystem::path(file).replace_extension(".results").string();
  }
  parse_shard(options.shard, pool);
  return pool;
}

}  // namespace

Engine::Engine(EngineOptions options, std::string command, std::string file)
    : options_(std::move(options)),
      command_(std::move(command)),
      file_(std::move(file)),
      pool_(pool_options(options_, file_)),
      store_(pool_.folder, pool_.build) {
  if (!options_.merge.empty()) {
    fmt::print(stderr, "{} results merged\n", merge_stores(pool_.folder, options_.merge));
  }
  store_.refresh();
}

void Engine::work(const Plan& plan) {
  note_interruptions();
  if (options_.slurm_tasks == 0) {
    run_worker_pool(plan, store_, pool_);
  } else {
    run_on_slurm(plan, store_,
                 {command_, file_, pool_.folder, options_.slurm_tasks, options_.sbatch,
                  options_.poll_seconds});
  }
  store_.refresh();
}

void add_engine_options(Command command, EngineOptions& options) {
  command.add_option("--store", options.folder,
                     "Folder of results; default: the file's name with .results");
  command.add_option("-j,--jobs", options.jobs, "Worker processes; default: one a core")
      .check(at_least_one);
  command.add_option("--slurm", options.slurm_tasks, "Run as a Slurm job array of this many tasks");
  command.add_option("--sbatch", options.sbatch, "A further option of sbatch, --sbatch=--x=y");
  command.add_option("--poll", options.poll_seconds,
                     "With --slurm: seconds between checks of the job");
  command.add_option("--shard", options.shard, "K/N: only this part of the work");
  command.add_option("--merge", options.merge, "Merge the results of these folders; run nothing");
  command.add_flag("--summary", options.only_summary, "Only summarise what the store has");
  command.add_flag("--no-summary", options.no_summary, "Print no summary, for tasks of a job");
}

}  // namespace tandem
