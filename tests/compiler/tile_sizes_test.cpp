// Sizes of tiles over all presets and extents around lanes: the properties that the passes rely on.
#include <algorithm>
#include <catch2/catch.hpp>

#include "compiler/sizes/tiles.hpp"

namespace tandem {
namespace {

namespace sizes = compiler::sizes;

const std::int64_t extents[] = {1, 2, 7, 8, 9, 15, 16, 100, 128, 129, 1000, 4096, 123456};

template <typename Act>
void for_presets(const Act& act) {
  for (const char* name : {"nano", "small", "edge", "full"}) {
    INFO(name);
    act(*find_preset(name));
  }
}

TEST_CASE("every operand of a flat tile has room for two") {
  for_presets([](const Parameters& machine) {
    for (std::size_t operands = 1; operands < 8; ++operands) {
      const auto size = sizes::flat_words(machine, operands);
      CHECK(size.by_model > 0);
      CHECK(2 * size.by_model * static_cast<std::int64_t>(operands) <= machine.vmem_words());
      CHECK(std::count(size.candidates.begin(), size.candidates.end(), size.by_model) == 1);
    }
  });
}

TEST_CASE("tiles of rows are within reach, lie in all banks, and have room for two") {
  for_presets([](const Parameters& machine) {
    const std::int64_t lanes = machine.lanes;
    for (const std::int64_t rows : extents) {
      for (const std::int64_t columns : extents) {
        const auto size = sizes::row_columns(machine, 3, columns);
        for (const std::int64_t chosen : size.candidates) {
          const auto tile = sizes::row_tile(machine, 3, rows, columns, chosen);
          INFO(rows << " rows, " << columns << " columns, of which " << chosen);
          CHECK((tile.columns == columns || (tile.columns > 0 && tile.columns % lanes == 0)));
          CHECK(tile.columns <= tile.pitch);
          CHECK(tile.pitch % (2 * lanes) == lanes);
          CHECK((tile.rows <= sublanes || tile.rows % sublanes == 0));
          CHECK((tile.rows == 1 || 6 * tile.rows * tile.pitch <= machine.vmem_words()));
        }
      }
    }
  });
}

TEST_CASE("tiles of contractions fit in VMEM and in the accumulators") {
  for_presets([](const Parameters& machine) {
    for (const std::int64_t rows : extents) {
      const auto size = sizes::product_rows(machine, {rows, 3, true, true});
      CHECK((size.by_model <= rows && size.by_model <= 256));
      CHECK((size.by_model == rows || size.by_model % sublanes == 0));
      const std::int64_t chunk_rows = size.by_model + machine.lanes;
      for (const std::int64_t chunks : extents) {
        const auto fitting = sizes::product_chunks(machine, chunks, chunk_rows);
        CHECK((fitting == 1 || 3 * fitting * chunk_rows * machine.lanes <= machine.vmem_words()));
        CHECK(sizes::product_chunks(machine, chunks, 0) == chunks);
      }
      for (const std::int64_t tiles : extents) {
        const std::int64_t taken = (std::min<std::int64_t>(size.by_model, 256) + 7) / 8;
        const auto columns = sizes::product_columns(machine, {size.by_model, 5, tiles, 1, taken});
        const bool is_loop_of_all = columns.by_model == tiles;
        CHECK((is_loop_of_all || columns.by_model * taken <= accumulators));
        CHECK(std::count(columns.candidates.begin(), columns.candidates.end(), tiles) <= 1);
      }
    }
  });
}

}  // namespace
}  // namespace tandem
