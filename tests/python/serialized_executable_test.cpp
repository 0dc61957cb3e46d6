#include <random>

#include "tests/python/pjrt_program.hpp"

namespace tandem::pjrt_test {
namespace {

std::string serialized(const Program& program) {
  auto get = arguments<PJRT_LoadedExecutable_GetExecutable_Args>();
  get.loaded_executable = program.get();
  check(GetPjrtApi()->PJRT_LoadedExecutable_GetExecutable(&get));
  auto args = arguments<PJRT_Executable_Serialize_Args>();
  args.executable = get.executable;
  check(GetPjrtApi()->PJRT_Executable_Serialize(&args));
  std::string bytes(args.serialized_bytes, args.serialized_bytes_size);
  args.serialized_executable_deleter(args.serialized_executable);
  auto destroy = arguments<PJRT_Executable_Destroy_Args>();
  destroy.executable = get.executable;
  check(GetPjrtApi()->PJRT_Executable_Destroy(&destroy));
  return bytes;
}

std::optional<Problem> loaded(const Session& session, const std::string& bytes) {
  auto args = arguments<PJRT_Executable_DeserializeAndLoad_Args>();
  args.client = session.client();
  args.serialized_executable = bytes.data();
  args.serialized_executable_size = bytes.size();
  if (auto problem = taken(GetPjrtApi()->PJRT_Executable_DeserializeAndLoad(&args))) return problem;
  auto destroy = arguments<PJRT_LoadedExecutable_Destroy_Args>();
  destroy.executable = args.loaded_executable;
  check(GetPjrtApi()->PJRT_LoadedExecutable_Destroy(&destroy));
  return std::nullopt;
}

TEST_CASE("A serialized executable that was altered anywhere is refused") {
  const Session session(with_assembler());
  const Program program(session, copy_program);
  const std::string bytes = serialized(program);
  REQUIRE_FALSE(loaded(session, bytes).has_value());
  std::mt19937 random(1);
  std::size_t taken = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 1 + random() % 97) {
    std::string altered = bytes;
    altered[at] = static_cast<char>(altered[at] ^ (1 << (random() % 8)));
    taken += loaded(session, altered) ? 0 : 1;
    taken += loaded(session, bytes.substr(0, at)) ? 0 : 1;
  }
  taken += loaded(session, bytes + "x") ? 0 : 1;
  CHECK(taken == 0);
}

}  // namespace
}  // namespace tandem::pjrt_test
