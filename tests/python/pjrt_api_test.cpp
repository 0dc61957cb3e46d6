#include <algorithm>
#include <cstring>

#include "tests/python/pjrt_support.hpp"

namespace tandem::pjrt_test {
namespace {

TEST_CASE("Every slot of the table is filled") {
  const PJRT_Api* api = GetPjrtApi();
  REQUIRE(api->struct_size == PJRT_Api_STRUCT_SIZE);
  const auto* const slots = reinterpret_cast<const char*>(&api->PJRT_Error_Destroy);
  const auto* const end = reinterpret_cast<const char*>(api) + api->struct_size;
  for (const char* slot = slots; slot < end; slot += sizeof(void*)) {
    void* function = nullptr;
    std::memcpy(static_cast<void*>(&function), slot, sizeof(function));
    CHECK(function != nullptr);
  }
}

TEST_CASE("A function that is not there says its name") {
  auto args = arguments<PJRT_Buffer_Bitcast_Args>();
  const auto problem = taken(GetPjrtApi()->PJRT_Buffer_Bitcast(&args));
  REQUIRE(problem.has_value());
  CHECK(problem->code == PJRT_Error_Code_UNIMPLEMENTED);
  CHECK(problem->message == "unimplemented: PJRT_Buffer_Bitcast");
}

TEST_CASE("Null pointers and sizes that cannot be are refused") {
  auto args = arguments<PJRT_Client_Devices_Args>();
  auto problem = taken(GetPjrtApi()->PJRT_Client_Devices(&args));
  REQUIRE(problem.has_value());
  CHECK(problem->code == PJRT_Error_Code_INVALID_ARGUMENT);
  args.struct_size = 3;
  problem = taken(GetPjrtApi()->PJRT_Client_Devices(&args));
  REQUIRE(problem.has_value());
  CHECK(problem->message.find("PJRT_Client_Devices") == 0);
  CHECK(taken(GetPjrtApi()->PJRT_Client_Devices(nullptr)).has_value());
  auto destroy = arguments<PJRT_Error_Destroy_Args>();
  GetPjrtApi()->PJRT_Error_Destroy(&destroy);  // null is allowed here
}

TEST_CASE("An older caller's shorter structure is not written beyond its end") {
  const Session session;
  auto args = arguments<PJRT_Device_MemoryStats_Args>();
  args.struct_size = offsetof(PJRT_Device_MemoryStats_Args, num_allocs);
  args.device = session.device();
  std::memset(&args.num_allocs, 0x5A, sizeof(args) - args.struct_size);
  check(GetPjrtApi()->PJRT_Device_MemoryStats(&args));
  CHECK(args.peak_bytes_in_use_is_set);
  CHECK(args.bytes_limit == 0x5A5A5A5A5A5A5A5A);
}

TEST_CASE("The plugin asks for StableHLO 1.13.0") {
  auto args = arguments<PJRT_Plugin_Attributes_Args>();
  check(GetPjrtApi()->PJRT_Plugin_Attributes(&args));
  const auto* const end = args.attributes + args.num_attributes;
  const auto* const found = std::find_if(args.attributes, end, [](const PJRT_NamedValue& value) {
    return std::string_view(value.name, value.name_size) == "stablehlo_current_version";
  });
  REQUIRE(found != end);
  REQUIRE(found->value_size == 3);
  CHECK(found->int64_array_value[0] == 1);
  CHECK(found->int64_array_value[1] == 13);
  CHECK(found->int64_array_value[2] == 0);
}

TEST_CASE("Options choose the devices") {
  const Session session({{"preset", "nano"}, {"devices", "3"}, {"hbm", "64M"}});
  auto devices = arguments<PJRT_Client_Devices_Args>();
  devices.client = session.client();
  check(GetPjrtApi()->PJRT_Client_Devices(&devices));
  REQUIRE(devices.num_devices == 3);
  auto stats = arguments<PJRT_Device_MemoryStats_Args>();
  stats.device = devices.devices[2];
  check(GetPjrtApi()->PJRT_Device_MemoryStats(&stats));
  CHECK(stats.bytes_limit <= 64 << 20);
  CHECK(stats.bytes_limit > 32 << 20);
}

TEST_CASE("Options that make no sense are refused with what is wanted") {
  PJRT_Client* client = nullptr;
  const auto message = [&client](const Options& options) {
    const auto problem = Session::try_create(options, client);
    REQUIRE(problem.has_value());
    CHECK(problem->code == PJRT_Error_Code_INVALID_ARGUMENT);
    return problem->message;
  };
  CHECK(message({{"modle", "rtl"}}).find("there is no option `modle`") == 0);
  CHECK(message({{"model", "fast"}}).find("golden, cycle, rtl or lockstep") != std::string::npos);
  CHECK(message({{"devices", "0"}}).find("a number from 1 to 64") != std::string::npos);
  CHECK(message({{"hbm", "4X"}}).find("a number") != std::string::npos);
  const auto problem = Session::try_create({{"preset", "huge"}}, client);
  REQUIRE(problem.has_value());
  CHECK(problem->message.find("huge") != std::string::npos);
}

TEST_CASE("Devices of several processes are refused") {
  PJRT_Client* client = nullptr;
  const auto problem = Session::try_create({{"node_id", "1"}, {"num_nodes", "2"}}, client);
  REQUIRE(problem.has_value());
  CHECK(problem->code == PJRT_Error_Code_UNIMPLEMENTED);
  const Session alone({{"node_id", "0"}, {"num_nodes", "1"}});
}

}  // namespace
}  // namespace tandem::pjrt_test
