// The results of a campaign: a folder of files to which one process each appends lines. Nothing
// written is ever changed, so a kill at any moment loses the seed that was being written and no
// other; a restarted process reads the existing results and does the rest. The folders of several
// machines merge by copying their files together. A seed that was run twice (after a node was
// believed dead) counts once.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cosim/campaign/record.hpp"

namespace tandem {

class StoreWriter {
 public:
  // Creates the folder if needed; the file is created with the first record. Throws runtime::Error.
  explicit StoreWriter(std::string folder);
  ~StoreWriter();
  StoreWriter(const StoreWriter&) = delete;
  StoreWriter& operator=(const StoreWriter&) = delete;

  // In one write; on disk after a few seconds at the latest.
  void append(const SeedRecord& record);
  void sync();

 private:
  void open();

  std::string folder_;
  std::string path_;
  int file_ = -1;
  std::int64_t synced_ = 0;  // seconds of the steady clock
};

class Store {
 public:
  // `build`: the build whose results count.
  Store(std::string folder, std::string build);

  // Reads the new results. Throws runtime::Error when the folder cannot be read.
  void refresh();

  [[nodiscard]] bool has(const std::string& key, std::uint64_t seed) const;
  // By configuration's key; by seed.
  using Seeds = std::unordered_map<std::uint64_t, SeedRecord>;
  [[nodiscard]] const std::map<std::string, Seeds>& results() const { return results_; }

  [[nodiscard]] std::uint64_t records() const { return records_; }
  [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }
  [[nodiscard]] std::uint64_t of_other_builds() const { return of_other_builds_; }
  // Complete lines whose checksum is wrong: a damaged disk, not a kill.
  [[nodiscard]] std::uint64_t damaged() const { return damaged_; }
  // Files that end in the middle of a line.
  [[nodiscard]] std::uint64_t torn() const { return torn_.size(); }
  // Seeds that had another result the second time.
  [[nodiscard]] const std::vector<std::pair<std::string, std::uint64_t>>& contradictions() const {
    return contradictions_;
  }

 private:
  void read_file(const std::string& path);
  void take(SeedRecord record);

  std::string folder_;
  std::string build_;
  std::map<std::string, std::uint64_t> read_to_;  // file -> offset after its last complete line
  std::map<std::string, Seeds> results_;
  std::set<std::string> torn_;
  std::uint64_t records_ = 0;
  std::uint64_t duplicates_ = 0;
  std::uint64_t of_other_builds_ = 0;
  std::uint64_t damaged_ = 0;
  std::vector<std::pair<std::string, std::uint64_t>> contradictions_;
};

// Copies the records that the other folders have and this one lacks, as new files. Returns the
// number of records copied. Throws runtime::Error.
std::uint64_t merge_stores(const std::string& into, const std::vector<std::string>& from);

}  // namespace tandem
