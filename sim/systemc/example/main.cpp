// Two machines at work in one memory: a matrix product on tpu0 and a softmax on tpu1, then a
// softmax on tpu1 of what tpu0 has left in memory.
//
//   tandem_platform [--inside cycle|rtl] [--timing loose|exact] [--quantum NS]
//
// Exit status: 0 results are as expected, 1 they are not, 2 bad usage or a missing program.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "cosim/verilated/rtl_core.hpp"
#include "sim/systemc/example/platform.hpp"

namespace tandem::example {
namespace {

struct Options {
  TpuConfig config;
  double quantum_ns = 1000;
  bool help = false;
};

constexpr const char* usage =
    "usage: tandem_platform [--inside cycle|rtl] [--timing loose|exact] [--quantum NS]";

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The memory layout.
constexpr std::uint64_t matmul_text = 0x10000;
constexpr std::uint64_t softmax_text = 0x80000;
constexpr std::uint64_t a_address = 0x100000;
constexpr std::uint64_t b_address = 0x110000;
constexpr std::uint64_t c_address = 0x120000;
constexpr std::uint64_t x_address = 0x130000;
constexpr std::uint64_t y_address = 0x140000;

constexpr std::uint32_t size = 64;  // of every matrix, in both dimensions

std::uint16_t bf16(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<std::uint16_t>(bits >> 16U);
}

float from_bf16(std::uint16_t bits) {
  const std::uint32_t wide = std::uint32_t{bits} << 16U;
  float value = 0;
  std::memcpy(&value, &wide, sizeof value);
  return value;
}

// Small integers, so that sums are exact in bf16.
float a_element(std::uint32_t row, std::uint32_t column) {
  return static_cast<float>((row + 2 * column) % 3) - 1;
}
float b_element(std::uint32_t row, std::uint32_t column) {
  return static_cast<float>((3 * row + column) % 7) - 3;
}
float x_element(std::uint32_t row, std::uint32_t column) {
  return 0.125F * static_cast<float>((5 * row + 3 * column) % 61) - 2;
}

template <typename Element>
std::vector<Element> matrix(Element (*element)(std::uint32_t, std::uint32_t)) {
  std::vector<Element> elements;
  for (std::uint32_t row = 0; row < size; ++row) {
    for (std::uint32_t column = 0; column < size; ++column) {
      elements.push_back(element(row, column));
    }
  }
  return elements;
}

template <typename Element>
void store(Host& host, std::uint64_t address, const std::vector<Element>& elements) {
  host.write(address, elements.data(), elements.size() * sizeof(Element));
}

template <typename Element>
std::vector<Element> fetch(Host& host, std::uint64_t address) {
  std::vector<Element> elements(std::size_t{size} * size);
  host.read(address, elements.data(), elements.size() * sizeof(Element));
  return elements;
}

// The largest difference between y and softmax of the rows of x.
double softmax_error(const std::vector<float>& x, const std::vector<float>& y) {
  double worst = 0;
  for (std::size_t row = 0; row < size; ++row) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += std::exp(double{x[row * size + i]});
    for (std::size_t i = 0; i < size; ++i) {
      const double expected = std::exp(double{x[row * size + i]}) / sum;
      worst = std::max(worst, std::abs(expected - double{y[row * size + i]}));
    }
  }
  return worst;
}

std::size_t wrong_products(const std::vector<std::uint16_t>& c) {
  std::size_t wrong = 0;
  for (std::uint32_t row = 0; row < size; ++row) {
    for (std::uint32_t column = 0; column < size; ++column) {
      float sum = 0;
      for (std::uint32_t k = 0; k < size; ++k) sum += a_element(row, k) * b_element(k, column);
      if (from_bf16(c[std::size_t{row} * size + column]) != sum) ++wrong;
    }
  }
  return wrong;
}

// The host's program.
class Demonstration {
 public:
  Demonstration()
      : matmul_(read_program(TANDEM_EXAMPLE_PROGRAMS "/matmul_bf16.elf")),
        softmax_(read_program(TANDEM_EXAMPLE_PROGRAMS "/softmax.elf")) {}

  void run(Platform& platform) {
    Host& host = platform.host;
    Driver tpu0 = platform.driver(0);
    Driver tpu1 = platform.driver(1);
    store(host, a_address,
          matrix<std::uint16_t>([](auto r, auto c) { return bf16(a_element(r, c)); }));
    store(host, b_address,
          matrix<std::uint16_t>([](auto r, auto c) { return bf16(b_element(r, c)); }));
    const std::vector<float> x = matrix<float>(x_element);
    store(host, x_address, x);
    tpu0.load(matmul_, matmul_text,
              {{a_address, Element::bf16, {size, size}},
               {b_address, Element::bf16, {size, size}},
               {c_address, Element::bf16, {size, size}}});
    load_softmax(tpu1);
    tpu0.start();
    tpu1.start();
    expect_halt("tpu0 matmul", tpu0.wait());
    expect_halt("tpu1 softmax", tpu1.wait());
    check("matmul", static_cast<double>(wrong_products(fetch<std::uint16_t>(host, c_address))), 0);
    check("softmax", softmax_error(x, fetch<float>(host, y_address)), 1e-6);
    softmax_of_product(host, tpu1);
  }

  [[nodiscard]] bool failed() const { return failed_; }

 private:
  void load_softmax(Driver& tpu) {
    tpu.load(softmax_, softmax_text,
             {{x_address, Element::f32, {size, size}}, {y_address, Element::f32, {size, size}}});
  }

  // The host only widens the elements.
  void softmax_of_product(Host& host, Driver& tpu) {
    std::vector<float> x;
    for (const std::uint16_t c : fetch<std::uint16_t>(host, c_address)) {
      x.push_back(from_bf16(c) / size);
    }
    store(host, x_address, x);
    tpu.start();
    expect_halt("tpu1 softmax of the product", tpu.wait());
    check("softmax of the product", softmax_error(x, fetch<float>(host, y_address)), 1e-6);
  }

  void expect_halt(const char* name, const Ending& ending) {
    std::printf("%s: %llu cycles, seen at %s\n", name,
                static_cast<unsigned long long>(ending.cycles),
                sc_core::sc_time_stamp().to_string().c_str());
    if (ending.status == bit::status_halted) return;
    std::printf("%s: status %u, trap %u\n", name, ending.status, ending.trap_cause);
    failed_ = true;
  }

  void check(const char* name, double error, double allowed) {
    const bool good = error <= allowed;
    std::printf("%s: %s (error %g, allowed %g)\n", name, good ? "as expected" : "WRONG", error,
                allowed);
    failed_ = failed_ || !good;
  }

  Program matmul_;
  Program softmax_;
  bool failed_ = false;
};

TpuTiming timing_of(const std::string& text) {
  if (text == "loose") return TpuTiming::loosely_timed;
  if (text == "exact") return TpuTiming::cycle_exact;
  throw UsageError("--timing is loose or exact");
}

TpuCoreFactory core_of(const std::string& text) {
  if (text == "cycle") return make_cycle_core;
  if (text == "rtl") return make_rtl_core;
  throw UsageError("--inside is cycle or rtl");
}

double number_of(const std::string& name, const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') throw UsageError(name + " takes a number, not '" + text + "'");
  return number;
}

Options parse(int argc, char** argv) {
  Options options;
  options.config.core = make_cycle_core;
  options.config.options.preset = TANDEM_EXAMPLE_PRESET;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--help" || name == "-h") {
      options.help = true;
      return options;
    }
    if (i + 1 == argc) throw UsageError(name + " needs a value");
    const std::string value = argv[i + 1];
    if (name == "--inside") {
      options.config.core = core_of(value);
    } else if (name == "--timing") {
      options.config.timing = timing_of(value);
    } else if (name == "--quantum") {
      options.quantum_ns = number_of(name, value);
    } else {
      throw UsageError("unknown option " + name);
    }
  }
  if (!(options.quantum_ns >= 0 && options.quantum_ns <= 1e9)) {
    throw UsageError("--quantum is 0 to 1e9 nanoseconds");
  }
  return options;
}

int simulate(const Options& options) {
  tlm::tlm_global_quantum::instance().set({options.quantum_ns, sc_core::SC_NS});
  Demonstration demonstration;
  Platform platform("platform", options.config,
                    [&demonstration](Platform& all) { demonstration.run(all); });
  sc_core::sc_start();
  return demonstration.failed() ? 1 : 0;
}

}  // namespace
}  // namespace tandem::example

// Called by SystemC's main().
int sc_main(int argc, char** argv) {
  using namespace tandem::example;
  try {
    const Options options = parse(argc, argv);
    if (!options.help) return simulate(options);
    std::printf("%s\n", usage);
    return 0;
  } catch (const UsageError& error) {
    std::fprintf(stderr, "tandem_platform: %s\n%s\n", error.what(), usage);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tandem_platform: %s\n", error.what());
  }
  return 2;
}
