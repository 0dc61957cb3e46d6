// tandem npy: makes, shows and compares .npy files, so that a kernel can be tried without NumPy.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <memory>
#include <random>

#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/npy.hpp"
#include "cli/user_error.hpp"

namespace tandem {
namespace {

NpyArray load_array(const std::string& path) {
  try {
    return parse_npy(read_bytes(path));
  } catch (const NpyError& error) {
    throw UserError{fmt::format("{}: {}", path, error.message)};
  }
}

std::size_t element_size(const NpyArray& array) {
  return static_cast<std::size_t>(std::stoul(array.type.substr(1)));
}

template <typename Value>
Value element(const NpyArray& array, std::size_t index) {
  std::array<std::uint8_t, sizeof(Value)> bytes{};
  std::copy_n(array.bytes.begin() + static_cast<std::ptrdiff_t>(index * sizeof(Value)),
              sizeof(Value), bytes.begin());
  return std::bit_cast<Value>(bytes);
}

// Element `index` as a number, whatever the type of the array.
double number_at(const NpyArray& array, std::size_t index) {
  if (array.type == "f4") return element<float>(array, index);
  if (array.type == "f8") return element<double>(array, index);
  if (array.type == "i8") return static_cast<double>(element<std::int64_t>(array, index));
  if (array.type == "i4") return element<std::int32_t>(array, index);
  if (array.type == "i1") return element<std::int8_t>(array, index);
  throw UserError{
      fmt::format("elements of type {} cannot be shown; f4 f8 i8 i4 i1 can", array.type)};
}

std::size_t count_of(const NpyArray& array) { return array.bytes.size() / element_size(array); }

std::string shape_text(const NpyArray& array) {
  return array.shape.empty() ? "scalar" : fmt::format("{}", fmt::join(array.shape, " x "));
}

// ---- make ---------------------------------------------------------------------------------------

struct MakeOptions {
  std::string output;
  std::string type = "f4";
  std::vector<std::int64_t> shape;
  std::vector<double> ramp;
  std::vector<double> values;
  std::uint64_t seed = 0;
  double scale = 1.0;
};

void append(NpyArray& array, double value) {
  const auto put = [&array](auto typed) {
    const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(typed)>>(typed);
    array.bytes.insert(array.bytes.end(), bytes.begin(), bytes.end());
  };
  if (array.type == "f4") return put(static_cast<float>(value));
  const double limit = array.type == "i4" ? 2147483647.0 : 127.0;
  const double whole = std::nearbyint(std::clamp(value, -limit - 1, limit));
  if (array.type == "i4") return put(static_cast<std::int32_t>(whole));
  put(static_cast<std::int8_t>(whole));
}

// The value of element `index`: listed ones, a ramp, or random in [-scale, scale).
double made_value(const MakeOptions& options, std::size_t index, std::mt19937_64& random) {
  if (!options.values.empty()) return options.values[index % options.values.size()];
  if (!options.ramp.empty()) return options.ramp[0] + options.ramp[1] * static_cast<double>(index);
  const double unit = static_cast<double>(random() >> 11U) * 0x1p-53;
  return (2 * unit - 1) * options.scale;
}

std::size_t checked_count(const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t limit = std::int64_t{1} << 30U;
  std::int64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0 || size > limit || (size != 0 && count > limit / size)) {
      throw UserError{fmt::format("shape {}: at most {} elements, none negative",
                                  fmt::join(shape, ","), limit)};
    }
    count *= size;
  }
  return static_cast<std::size_t>(count);
}

void make(const MakeOptions& options) {
  NpyArray array{options.type, options.shape, {}};
  const std::size_t count = checked_count(options.shape);
  std::mt19937_64 random(options.seed);
  for (std::size_t i = 0; i < count; ++i) append(array, made_value(options, i, random));
  write_bytes(options.output, format_npy(array));
}

void add_make(CLI::App& npy, int* status) {
  auto options = std::make_shared<MakeOptions>();
  CLI::App* command = npy.add_subcommand("make", "Write a .npy file");
  command->footer(
      "Examples:\n"
      "  tandem npy make x.npy --shape 100 --ramp 0,0.5\n"
      "  tandem npy make a.npy --shape 64,48 --random 7 --scale 2\n"
      "  tandem npy make k.npy --type i4 --shape 3 --values 5,6,7");
  command->add_option("output", options->output, "File to write")->required();
  command->add_option("--type", options->type, "f4 (fp32; also for bf16 tensors), i4 or i1")
      ->check(CLI::IsMember({"f4", "i4", "i1"}))
      ->capture_default_str();
  command->add_option("--shape", options->shape, "Sizes, separated by commas")
      ->delimiter(',')
      ->required();
  auto* ramp =
      command->add_option("--ramp", options->ramp, "START,STEP")->delimiter(',')->expected(2);
  auto* values = command->add_option("--values", options->values, "Values, repeated when too few")
                     ->delimiter(',');
  auto* random = command->add_option("--random", options->seed, "Seed of uniform random values");
  command->add_option("--scale", options->scale, "Random values lie in [-scale, scale)")
      ->capture_default_str();
  ramp->excludes(values)->excludes(random);
  values->excludes(random);
  command->callback([options, status] {
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
  const std::size_t total = count_of(array);
  const std::size_t columns =
      array.shape.empty() ? 1
                          : static_cast<std::size_t>(std::max<std::int64_t>(array.shape.back(), 1));
  fmt::print("{} {}\n", array.type, shape_text(array));
  const std::size_t shown = std::min(options.count, total);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool row_ends = (i + 1) % columns == 0 || i + 1 == shown;
    fmt::print("{:.9g}{}", number_at(array, i), row_ends ? "\n" : " ");
  }
  if (shown < total) fmt::print("... {} more (--count)\n", total - shown);
}

void add_show(CLI::App& npy, int* status) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* command =
      npy.add_subcommand("show", "Print a .npy file, a row of the last dimension a line");
  command->footer("Example:\n  tandem npy show y.npy --count 10");
  command->add_option("input", options->input, "File to print")->required();
  command->add_option("--count", options->count, "Elements to print")->capture_default_str();
  command->callback([options, status] {
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
  for (std::size_t i = 0; i < count_of(left); ++i) {
    const double a = number_at(left, i);
    const double b = number_at(right, i);
    const bool same = a == b || (std::isnan(a) && std::isnan(b));
    const double distance = same ? 0 : std::abs(a - b);
    if (same || distance <= options.tolerance * std::max(1.0, std::abs(b))) continue;
    ++beyond;
    if (std::isnan(distance) || distance > largest) worst = i;
    largest = std::isnan(distance) ? largest : std::max(largest, distance);
  }
  if (beyond == 0) {
    fmt::print("{} elements equal within {}\n", count_of(left), options.tolerance);
    return 0;
  }
  fmt::print(
      "{} of {} elements differ by more than {}; the worst is element {}: {:.9g} and {:.9g}\n",
      beyond, count_of(left), options.tolerance, worst, number_at(left, worst),
      number_at(right, worst));
  return 1;
}

void add_diff(CLI::App& npy, int* status) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command = npy.add_subcommand("diff", "Compare two .npy files");
  command->footer(
      "Example:\n  tandem npy diff y.npy expected.npy --tolerance 1e-5\n"
      "An element passes when |a - b| <= tolerance * max(1, |b|). Exit status 1 when one does "
      "not.");
  command->add_option("left", options->left, "File a")->required();
  command->add_option("right", options->right, "File b")->required();
  command->add_option("--tolerance", options->tolerance, "Largest accepted difference")
      ->capture_default_str();
  command->callback([options, status] { *status = diff(*options); });
}

}  // namespace

void add_npy_command(CLI::App& application, int* status) {
  CLI::App* npy = application.add_subcommand("npy", "Make, show and compare .npy files");
  npy->require_subcommand(1);
  add_make(*npy, status);
  add_show(*npy, status);
  add_diff(*npy, status);
}

}  // namespace tandem
