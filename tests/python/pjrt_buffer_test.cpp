#include <numeric>

#include "tests/python/pjrt_support.hpp"

namespace tandem::pjrt_test {
namespace {

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.5F);
  return values;
}

TEST_CASE("Arrays come back as they went") {
  const Session session;
  for (const std::size_t count : {0U, 1U, 7U, 16U, 1000U}) {
    const std::vector<float> values = ramp(count);
    std::vector<float> back;
    const auto problem = session.put(values).read(back);
    CHECK_FALSE(problem.has_value());
    CHECK(back == values);
  }
}

TEST_CASE("Every element type and a scalar come back") {
  const Session session;
  for (const PJRT_Buffer_Type type :
       {PJRT_Buffer_Type_F32, PJRT_Buffer_Type_S32, PJRT_Buffer_Type_U32, PJRT_Buffer_Type_F16,
        PJRT_Buffer_Type_S16, PJRT_Buffer_Type_U16, PJRT_Buffer_Type_S8, PJRT_Buffer_Type_U8,
        PJRT_Buffer_Type_BF16, PJRT_Buffer_Type_PRED}) {
    const std::vector<std::uint8_t> bytes{1, 0, 1, 1, 0, 1, 0, 1};
    std::vector<std::uint8_t> back;
    const Array scalar = session.put({type, bytes.data(), {}});
    CHECK_FALSE(scalar.read(back).has_value());
    CHECK(std::equal(back.begin(), back.end(), bytes.begin()));
    CHECK_FALSE(back.empty());
  }
}

TEST_CASE("A type that the machine has not is refused by name") {
  const Session session;
  const std::vector<std::uint8_t> bytes(64);
  PJRT_Buffer* buffer = nullptr;
  const auto problem = session.try_put({PJRT_Buffer_Type_F64, bytes.data(), {2}}, buffer);
  REQUIRE(problem.has_value());
  CHECK(problem->code == PJRT_Error_Code_UNIMPLEMENTED);
  CHECK(problem->message.find("float64") != std::string::npos);
}

TEST_CASE("Strides of the host are followed, zero and negative ones too") {
  const Session session;
  const std::vector<float> values = ramp(12);  // 3 rows of 4
  std::vector<float> back;
  SECTION("transposed") {
    const Array array = session.put({PJRT_Buffer_Type_F32, values.data(), {4, 3}, {4, 16}});
    CHECK_FALSE(array.read(back).has_value());
    CHECK(back[1] == values[4]);
    CHECK(back[3] == values[1]);
  }
  SECTION("backwards") {
    const Array array = session.put({PJRT_Buffer_Type_F32, values.data() + 11, {12}, {-4}});
    CHECK_FALSE(array.read(back).has_value());
    CHECK(back.front() == values.back());
    CHECK(back.back() == values.front());
  }
  SECTION("repeated") {
    const Array array = session.put({PJRT_Buffer_Type_F32, values.data(), {3, 2}, {0, 4}});
    CHECK_FALSE(array.read(back).has_value());
    CHECK(back ==
          std::vector<float>{values[0], values[1], values[0], values[1], values[0], values[1]});
  }
}

TEST_CASE("An array is written to the host in the layout asked for") {
  const Session session;
  const std::vector<float> values = ramp(6);
  const Array array = session.put({PJRT_Buffer_Type_F32, values.data(), {2, 3}});
  auto layout = arguments<PJRT_Buffer_MemoryLayout>();
  const std::vector<std::int64_t> column_major{0, 1};
  layout.type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  layout.tiled.minor_to_major = column_major.data();
  layout.tiled.minor_to_major_size = 2;
  std::vector<float> back(6);
  auto args = arguments<PJRT_Buffer_ToHostBuffer_Args>();
  args.src = array.get();
  args.host_layout = &layout;
  args.dst = back.data();
  args.dst_size = 24;
  check(GetPjrtApi()->PJRT_Buffer_ToHostBuffer(&args));
  CHECK_FALSE(awaited(args.event).has_value());
  CHECK(back == std::vector<float>{0.5F, 3.5F, 1.5F, 4.5F, 2.5F, 5.5F});
}

TEST_CASE("The host may write into its array when the call has returned") {
  const auto semantics = GENERATE(PJRT_HostBufferSemantics_kImmutableOnlyDuringCall,
                                  PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes,
                                  PJRT_HostBufferSemantics_kImmutableZeroCopy);
  const std::vector<std::int64_t> strides =
      GENERATE(std::vector<std::int64_t>{4096, 4}, std::vector<std::int64_t>{4, 4096},
               std::vector<std::int64_t>{0, 4});
  const Session session;
  std::vector<float> values = ramp(1 << 20);
  const std::vector<float> before = values;
  Session::Host host{PJRT_Buffer_Type_F32, values.data(), {1024, 1024}, strides};
  host.semantics = semantics;
  const Array array = session.put_at_once(host);
  values.assign(values.size(), -1.0F);
  std::vector<float> back;
  CHECK_FALSE(array.read(back).has_value());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < back.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i / 1024) * strides[0] +
                    static_cast<std::int64_t>(i % 1024) * strides[1];
    wrong += back[i] == before[static_cast<std::size_t>(at) / sizeof(float)] ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("Every field of the statistics about memory is written") {
  const Session session;
  PJRT_Device_MemoryStats_Args stats;
  std::memset(&stats, 0xA5, sizeof(stats));  // the caller clears nothing
  stats.struct_size = sizeof(stats);
  stats.extension_start = nullptr;
  stats.device = session.device();
  check(GetPjrtApi()->PJRT_Device_MemoryStats(&stats));
  CHECK(stats.bytes_limit_is_set);
  CHECK(stats.peak_bytes_in_use_is_set);
  CHECK_FALSE(stats.num_allocs_is_set);
  CHECK_FALSE(stats.largest_alloc_size_is_set);
  CHECK_FALSE(stats.bytes_reserved_is_set);
  CHECK_FALSE(stats.peak_bytes_reserved_is_set);
  CHECK_FALSE(stats.bytes_reservable_limit_is_set);
  CHECK_FALSE(stats.pool_bytes_is_set);
  CHECK_FALSE(stats.peak_pool_bytes_is_set);
  CHECK_FALSE(stats.peak_allocated_bytes_is_set);
}

TEST_CASE("A deleted buffer cannot be read and frees its memory") {
  const Session session({{"hbm", "64M"}});
  const auto used = [&session] {
    auto stats = arguments<PJRT_Device_MemoryStats_Args>();
    stats.device = session.device();
    check(GetPjrtApi()->PJRT_Device_MemoryStats(&stats));
    return stats.bytes_in_use;
  };
  const std::int64_t before = used();
  const Array array = session.put(ramp(100'000));
  std::vector<float> back;
  CHECK_FALSE(array.read(back).has_value());  // it is there now
  CHECK(used() >= before + 400'000);
  array.erase();
  CHECK(array.is_deleted());
  CHECK(used() == before);
  auto args = arguments<PJRT_Buffer_ReadyEvent_Args>();
  args.buffer = array.get();
  const auto problem = taken(GetPjrtApi()->PJRT_Buffer_ReadyEvent(&args));
  REQUIRE(problem.has_value());
  CHECK(problem->message.find("deleted") != std::string::npos);
}

TEST_CASE("Lack of memory arrives at the event and at every reader") {
  const Session session({{"hbm", "64M"}});
  std::vector<float> values(32U << 20U);
  const Array array = session.put(values);
  std::vector<float> back;
  const auto problem = array.read(back);
  REQUIRE(problem.has_value());
  CHECK(problem->code == PJRT_Error_Code_RESOURCE_EXHAUSTED);
}

TEST_CASE("Buffers are copied between devices, in both directions at once") {
  const Session session({{"devices", "2"}});
  const auto copied = [&session](const Array& from, std::size_t device) {
    auto args = arguments<PJRT_Buffer_CopyToDevice_Args>();
    args.buffer = from.get();
    args.dst_device = session.device(device);
    check(GetPjrtApi()->PJRT_Buffer_CopyToDevice(&args));
    return Array(args.dst_buffer);
  };
  const std::vector<float> values = ramp(1000);
  const Array a = session.put(values, 0);
  const Array b = session.put(ramp(10), 1);
  for (int i = 0; i < 20; ++i) {
    const Array there = copied(a, 1);
    const Array other = copied(b, 0);
    const Array back = copied(there, 0);
    std::vector<float> read;
    CHECK_FALSE(back.read(read).has_value());
    CHECK(read == values);
    CHECK_FALSE(other.read(read).has_value());
    CHECK(read == ramp(10));
  }
}

}  // namespace
}  // namespace tandem::pjrt_test
