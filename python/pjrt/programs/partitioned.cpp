#include "python/pjrt/programs/partitioned.hpp"

#include <cstring>
#include <utility>

#include "python/pjrt/core/pieces.hpp"
#include "python/pjrt/core/status.hpp"

namespace tandem::pjrt {
namespace {

constexpr std::string_view magic = "TNDMPT01";
constexpr std::string_view what = "a partitioned program";

struct Head {
  std::uint64_t takes_number;
  std::uint64_t arguments;
  std::uint64_t results;
};

[[noreturn]] void refuse() {
  fail(PJRT_Error_Code_INVALID_ARGUMENT, "no partitioned program of this version of Tandem");
}

Head take_head(std::string_view& rest) {
  const std::string_view bytes = take_piece(rest, what);
  Head head{};
  if (bytes.size() != sizeof(head)) refuse();
  std::memcpy(&head, bytes.data(), sizeof(head));
  return head;
}

std::vector<std::string> take_strings(std::string_view& rest, std::uint64_t count) {
  if (count > rest.size()) refuse();
  std::vector<std::string> strings;
  strings.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) strings.emplace_back(take_piece(rest, what));
  return strings;
}

}  // namespace

Shardings::Shardings(std::vector<std::string> each) : each_(std::move(each)) {
  for (const std::string& sharding : each_) {
    data_.push_back(sharding.data());
    sizes_.push_back(sharding.size());
  }
}

SharedPartitioned read_partitioned(std::string bytes) {
  std::string_view rest = bytes;
  if (!rest.starts_with(magic)) refuse();
  rest.remove_prefix(magic.size());
  const Head head = take_head(rest);
  std::string artifact(take_piece(rest, what));
  std::string shown(take_piece(rest, what));
  std::vector<std::string> arguments = take_strings(rest, head.arguments);
  std::vector<std::string> results = take_strings(rest, head.results);
  if (!rest.empty()) refuse();
  return std::shared_ptr<const Partitioned>(new Partitioned{
      std::move(bytes), std::move(artifact), std::move(shown), head.takes_number != 0,
      Shardings(std::move(arguments)), Shardings(std::move(results))});
}

}  // namespace tandem::pjrt
