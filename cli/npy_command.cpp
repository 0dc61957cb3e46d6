// tandem npy: makes, shows and compares .npy files, so that a kernel can be tried without NumPy.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <random>

#include "cli/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/files/npy_file.hpp"
#include "cli/files/npy_values.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"

namespace tandem {
namespace {

NpyArray load_array(const std::string& path) {
  NpyArray array = read_npy(path, largest_input);
  if (!is_npy_number_type(array.type)) {
    throw UserError{fmt::format(message::elements_not_shown, path, array.type, npy_number_types())};
  }
  return array;
}

std::string text_at(const NpyArray& array, std::size_t index) {
  return npy_number_text(npy_number(array, index), array.type);
}

std::string shape_text(const NpyArray& array) {
  return array.shape.empty() ? "scalar" : fmt::format("{}", fmt::join(array.shape, " x "));
}

// ---- make ---------------------------------------------------------------------------------------

struct MakeOptions {
  std::string output;
  std::string type = "f4";
  std::vector<std::int64_t> shape;
  std::vector<double> ramp;
  std::vector<std::string> values;
  std::uint64_t seed = 0;
  double scale = 1.0;
};

// An integer type takes the nearest integer of a ramp or a random number.
NpyNumber rounded(double value, const std::string& type) {
  return {true, 0, type[0] == 'f' ? value : std::nearbyint(value)};
}

// The value of element `index`: listed ones, a ramp, or random in [-scale, scale).
NpyNumber made_value(const MakeOptions& options, std::size_t index, std::mt19937_64& random) {
  if (!options.values.empty()) {
    return parse_npy_number(options.values[index % options.values.size()]);
  }
  if (!options.ramp.empty()) {
    return rounded(options.ramp[0] + options.ramp[1] * static_cast<double>(index), options.type);
  }
  const double unit = static_cast<double>(random() >> 11U) * 0x1p-53;
  return rounded((2 * unit - 1) * options.scale, options.type);
}

std::size_t checked_count(const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t limit = std::int64_t{1} << 30U;
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || size > limit || (size != 0 && count > limit / size)) {
      throw UserError{fmt::format(message::bad_shape, fmt::join(shape, ","), limit)};
    }
    count *= size;
  }
  return static_cast<std::size_t>(count);
}

void make(const MakeOptions& options) {
  NpyArray array{options.type, options.shape, {}};
  const std::size_t count = checked_count(options.shape);
  std::mt19937_64 random(options.seed);
  for (std::size_t i = 0; i < count; ++i) {
    try {
      append_npy_number(array, made_value(options, i, random));
    } catch (const NpyError& error) {
      throw UserError{fmt::format(message::bad_element, i, options.type, error.message)};
    }
  }
  claim_output(options.output);
  write_bytes(options.output, format_npy(array));
}

std::string check_type(const std::string& type) {
  return is_npy_number_type(type) ? "" : "there are " + npy_number_types();
}

void add_make(Command npy, int* status) {
  auto options = std::make_shared<MakeOptions>();
  const Command command = npy.add_subcommand("make", "Write a .npy file");
  command.footer(
      "Examples:\n"
      "  tandem npy make x.npy --shape 100 --ramp 0,0.5\n"
      "  tandem npy make a.npy --shape 64,48 --random 7 --scale 2\n"
      "  tandem npy make k.npy --type i4 --shape 3 --values 5,6,7");
  command.add_option("output", options->output, "File to write").required();
  command
      .add_option("--type", options->type,
                  "f4 (fp32; also for bf16 tensors), i4 or another NumPy type")
      .check(check_type)
      .capture_default_str();
  command.add_option("--shape", options->shape, "Sizes, separated by commas")
      .delimiter(',')
      .required();
  const Option ramp =
      command.add_option("--ramp", options->ramp, "START,STEP").delimiter(',').expected(2);
  const Option values =
      command.add_option("--values", options->values, "Values, repeated when too few")
          .delimiter(',');
  const Option random =
      command.add_option("--random", options->seed, "Seed of uniform random values");
  command.add_option("--scale", options->scale, "Random values are in [-scale, scale)")
      .capture_default_str();
  ramp.excludes(values).excludes(random);
  values.excludes(random);
  command.callback([options, status] {
    make(*options);
    *status = exit_done;
  });
}

// ---- show ---------------------------------------------------------------------------------------

struct ShowOptions {
  std::string input;
  std::size_t count = 64;
};

void show(const ShowOptions& options) {
  const NpyArray array = load_array(options.input);
  const std::size_t total = npy_count(array);
  const std::size_t columns =
      array.shape.empty() ? 1
                          : static_cast<std::size_t>(std::max<std::int64_t>(array.shape.back(), 1));
  fmt::print("{} {}\n", array.type, shape_text(array));
  const std::size_t shown = std::min(options.count, total);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool row_ends = (i + 1) % columns == 0 || i + 1 == shown;
    fmt::print("{}{}", text_at(array, i), row_ends ? "\n" : " ");
  }
  if (shown < total) fmt::print("... {} more (--count)\n", total - shown);
}

void add_show(Command npy, int* status) {
  auto options = std::make_shared<ShowOptions>();
  const Command command =
      npy.add_subcommand("show", "Print a .npy file, a row of the last dimension a line");
  command.footer("Example:\n  tandem npy show y.npy --count 10");
  command.add_option("input", options->input, "File to print").required();
  command.add_option("--count", options->count, "Elements to print").capture_default_str();
  command.callback([options, status] {
    show(*options);
    *status = exit_done;
  });
}

// ---- diff ---------------------------------------------------------------------------------------

struct DiffOptions {
  std::string left;
  std::string right;
  double tolerance = 0;
};

// Exit status: 0 equal within the tolerance, 1 different.
int diff(const DiffOptions& options) {
  const NpyArray left = load_array(options.left);
  const NpyArray right = load_array(options.right);
  if (left.shape != right.shape) {
    fmt::print("shapes differ: {} and {}\n", shape_text(left), shape_text(right));
    return 1;
  }
  std::size_t beyond = 0;
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < npy_count(left); ++i) {
    const NpyNumber a = npy_number(left, i);
    const NpyNumber b = npy_number(right, i);
    const bool same = same_npy_number(a, b);
    const double distance = same ? 0 : npy_distance(a, b);
    if (same || distance <= options.tolerance * std::max(1.0, std::abs(b.as_real()))) continue;
    ++beyond;
    if (std::isnan(distance) || distance > largest) worst = i;
    largest = std::isnan(distance) ? largest : std::max(largest, distance);
  }
  if (beyond == 0) {
    fmt::print("{} elements equal within {}\n", npy_count(left), options.tolerance);
    return 0;
  }
  fmt::print("{} of {} elements differ by more than {}; the worst is element {}: {} and {}\n",
             beyond, npy_count(left), options.tolerance, worst, text_at(left, worst),
             text_at(right, worst));
  return 1;
}

void add_diff(Command npy, int* status) {
  auto options = std::make_shared<DiffOptions>();
  const Command command = npy.add_subcommand("diff", "Compare two .npy files");
  command.footer(
      "Example:\n  tandem npy diff y.npy expected.npy --tolerance 1e-5\n"
      "An element passes when |a - b| <= tolerance * max(1, |b|). Exit status 1 when one does "
      "not.");
  command.add_option("left", options->left, "File a").required();
  command.add_option("right", options->right, "File b").required();
  command.add_option("--tolerance", options->tolerance, "Largest accepted difference")
      .capture_default_str();
  command.callback([options, status] { *status = diff(*options); });
}

}  // namespace

void add_npy_command(Command application, int* status) {
  const Command npy = application.add_subcommand("npy", "Make, show and compare .npy files");
  npy.require_subcommand(1);
  add_make(npy, status);
  add_show(npy, status);
  add_diff(npy, status);
}

}  // namespace tandem
