// The numbers of iterations that a hint allows.
#include <numeric>
#include <utility>

#include "schedule/program/linear.hpp"

namespace tandem::schedule {
namespace {

// The least k with k * step = wanted (mod modulus); step and modulus have no common factor.
std::uint64_t least_multiple(std::uint64_t step, std::uint64_t wanted, std::uint64_t modulus) {
  // Euclid's algorithm, with how often `step` is in each remainder, modulo the modulus.
  std::uint64_t rest = modulus;
  std::uint64_t next = step % modulus;
  std::uint64_t in_rest = 0;
  std::uint64_t in_next = 1 % modulus;
  while (next != 0) {
    const std::uint64_t times = rest / next;
    rest = std::exchange(next, rest - times * next);
    const std::uint64_t taken = times % modulus * in_next % modulus;
    in_rest = std::exchange(in_next, (in_rest + modulus - taken) % modulus);
  }
  return in_rest * (wanted % modulus) % modulus;
}

}  // namespace

bool Hint::allows_any(std::uint64_t iterations, std::uint64_t period) const {
  if (iterations < fewest) iterations += (fewest - iterations + period - 1) / period * period;
  const std::uint64_t common = std::gcd(period, std::uint64_t{factor});
  if (iterations > most || iterations % common != 0) return false;
  // Below 2^32, so that products do not overflow.
  const std::uint64_t modulus = factor / common;
  const std::uint64_t missing = modulus - iterations / common % modulus;
  const std::uint64_t periods = least_multiple(period / common, missing, modulus);
  return periods <= (most - iterations) / period;
}

}  // namespace tandem::schedule
