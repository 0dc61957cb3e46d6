#include "compiler/measure/statistics.hpp"

#include <fmt/format.h>

#include "compiler/contract/regions.hpp"
#include "compiler/driver/isolate.hpp"
#include "compiler/measure/useful_share.hpp"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tandem::compiler {
namespace {

namespace json = llvm::json;

std::int64_t number(const json::Object& row, llvm::StringRef name) {
  return row.getInteger(name).value_or(0);
}

// Adds "measured" to every region; the rest belongs to none.
std::int64_t add_measured(json::Array& regions, const Measured& measured) {
  auto left = static_cast<std::int64_t>(measured.cycles);
  for (json::Value& entry : regions) {
    json::Object& row = *entry.getAsObject();
    std::int64_t sum = 0;
    for (const json::Value& part : *row.getArray("numbers")) {
      const auto found =
          measured.parts.find(region_name(static_cast<unsigned>(*part.getAsInteger())));
      if (found != measured.parts.end()) sum += static_cast<std::int64_t>(found->second);
    }
    row["measured"] = sum;
    left -= sum;
  }
  return left;
}

std::string percent(std::int64_t predicted, std::int64_t measured) {
  if (measured == 0) return "-";
  const double error =
      100.0 * static_cast<double>(predicted - measured) / static_cast<double>(measured);
  return fmt::format("{:+.0f}%", error);
}

// Of the measured cycles, how many the useful work takes at least.
std::string share(std::int64_t roof, std::int64_t measured) {
  if (roof == 0 || measured == 0) return "-";
  return fmt::format("{:.0f}%", 100.0 * static_cast<double>(roof) / static_cast<double>(measured));
}

std::string operations_text(const json::Object& row) {
  constexpr std::size_t most = 3;
  const json::Array& names = *row.getArray("operations");
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    // "jit(f)/while/body/exp": its own name is the last one.
    const llvm::StringRef name = names[i].getAsString().value_or("");
    text += (i == 0 ? "" : ", ") + name.rsplit('/').second.str();
    if (!name.contains('/')) text += name.str();
  }
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return text + "  " + row.getString("place").value_or("").str();
}

std::string region_line(const json::Object& row) {
  const std::int64_t measured = number(row, "measured");
  const std::int64_t predicted = number(row, "predicted");
  return fmt::format("{:>4} {:>10} {:>10} {:>6} {:>10} {:>6} {:<8} {:>9} {:>9} {:>11}  {}\n",
                     (*row.getArray("numbers"))[0].getAsInteger().value_or(0), measured, predicted,
                     percent(predicted, measured), number(row, "roof"),
                     share(number(row, "roof"), measured),
                     row.getString("bound").value_or("").str(), number(row, "hbm_in"),
                     number(row, "hbm_out"), number(row, "flops"), operations_text(row));
}

std::string useful_text(const json::Object* work, std::int64_t measured) {
  if (work == nullptr) return "";
  std::string text =
      fmt::format("useful work takes {} cycles at least ({}): {} of the roof is reached\n",
                  number(*work, "roof"), work->getString("bound").value_or("").str(),
                  share(number(*work, "roof"), measured));
  if (const std::int64_t calls = number(*work, "unknown_calls"); calls > 0) {
    text += fmt::format("what {} called functions and kernels do is not in it\n", calls);
  }
  return text;
}

std::string table(const json::Object& all) {
  const json::Object& cycles = *all.getObject("cycles");
  std::string text = fmt::format(
      "{}: {} cycles measured with {} inputs, {} predicted ({})\n"
      "{}"
      "{:>4} {:>10} {:>10} {:>6} {:>10} {:>6} {:<8} {:>9} {:>9} {:>11}  {}\n",
      all.getString("preset").value_or("").str(), number(cycles, "measured"),
      all.getString("inputs").value_or("").str(), number(cycles, "predicted"),
      percent(number(cycles, "predicted"), number(cycles, "measured")),
      useful_text(all.getObject("useful"), number(cycles, "measured")), "#", "measured",
      "predicted", "error", "roof", "share", "bound", "HBM in", "HBM out", "flops", "operations");
  for (const json::Value& region : *all.getArray("regions")) {
    const json::Object& row = *region.getAsObject();
    // Copies whose time shows up in waits, and code that has vanished, get no line.
    const bool is_idle = number(row, "measured") == 0 && number(row, "predicted") == 0 &&
                         number(row, "hbm_in") + number(row, "hbm_out") == 0;
    if (!is_idle) text += region_line(row);
  }
  const json::Object& rest = *all.getObject("rest");
  text += fmt::format("   - {:>10} {:>10} {:>6}  outside of regions: start, loops, scalars\n",
                      number(rest, "measured"), number(rest, "predicted"),
                      percent(number(rest, "predicted"), number(rest, "measured")));
  if (const std::int64_t loops = number(all, "unknown_loops"); loops > 0) {
    text += fmt::format(
        "the iterations of {} loops are known only when the program runs; the prediction takes {} "
        "(--turns)\n",
        loops, all.getNumber("turns").value_or(1));
  }
  return text;
}

// What the compiler answers as JSON; nothing where it refuses, with messages.
std::optional<json::Object> answer(Job& job, Level level, Print print, Outcome& outcome) {
  job.emit = level;
  job.print = print;
  const Outcome answered = compile(job);
  llvm::Expected<json::Value> value = json::parse(answered.output);
  if (value && value->getAsObject() != nullptr) return std::move(*value->getAsObject());
  if (!value) llvm::consumeError(value.takeError());
  outcome.messages = answered.messages;
  return std::nullopt;
}

// The compiler's answers and the run's; an error where one of them is missing.
struct Answers {
  json::Object costs;
  std::optional<json::Object> work;
  Measured measured;
};

std::optional<Answers> ask(Job job, const InputFiles& inputs, Outcome& outcome) {
  job.regions = true;
  job.emit = Level::elf;
  const Outcome program = compile(job);
  outcome.messages = program.messages;
  if (!program.ok) return std::nullopt;
  auto costs = answer(job, Level::tpu, Print::costs, outcome);
  if (!costs) return std::nullopt;
  // Nothing for a program that was read at a later level: it does not say what was asked for.
  Outcome refused;
  auto work = answer(job, Level::stablehlo, Print::useful_work, refused);
  Answers answers{std::move(*costs), std::move(work),
                  Measurer(inputs, job.timed_machine).run(program.output, true)};
  if (answers.measured.error.empty() && answers.measured.is_cut) {
    answers.measured.error = "the program has more regions than a report lists";
  }
  if (answers.measured.error.empty()) return answers;
  outcome.messages += job.name + ": error: " + answers.measured.error + "\n";
  return std::nullopt;
}

}  // namespace

Outcome statistics(Job job, const InputFiles& inputs, Form form) {
  Outcome outcome;
  auto answers = ask(job, inputs, outcome);
  if (!answers) return outcome;
  json::Object all = std::move(answers->costs);
  const std::int64_t rest = add_measured(*all.getArray("regions"), answers->measured);
  const json::Object none{{"sources", json::Array()}};
  add_useful_work(*all.getArray("regions"), answers->work ? *answers->work : none);
  if (answers->work) {
    answers->work->erase("sources");
    all["useful"] = std::move(*answers->work);
  }
  const std::int64_t predicted_rest = number(all, "rest");
  std::int64_t predicted = predicted_rest;
  for (const json::Value& region : *all.getArray("regions")) {
    predicted += number(*region.getAsObject(), "predicted");
  }
  all["preset"] = job.machine_name();
  all["inputs"] = inputs.empty() ? "random" : "given";
  all["turns"] = job.turns;
  all["rest"] = json::Object{{"measured", rest}, {"predicted", predicted_rest}};
  all["cycles"] = json::Object{{"measured", static_cast<std::int64_t>(answers->measured.cycles)},
                               {"predicted", predicted}};
  if (form == Form::text) {
    outcome.output = table(all);
  } else {
    llvm::raw_string_ostream(outcome.output) << json::Value(std::move(all)) << "\n";
  }
  outcome.ok = true;
  return outcome;
}

}  // namespace tandem::compiler
