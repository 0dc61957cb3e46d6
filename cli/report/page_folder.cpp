#include "cli/report/page_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cli/files/files.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/run/files/run_report.hpp"
#include "report/index_data.hpp"
#include "report/page.hpp"

namespace tandem {
namespace fs = std::filesystem;
namespace {

constexpr const char* index_name = "index.html";
constexpr std::size_t longest_stem = 100;
constexpr std::uintmax_t largest_page = std::uintmax_t{64} << 20U;

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
}

// The pages of a folder, by name; other files are passed over.
std::vector<fs::path> html_files(const std::string& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::error_code error;
    if (entry.path().extension() != ".html" || entry.path().filename() == index_name) continue;
    if (!entry.is_regular_file(error) || entry.file_size(error) > largest_page) continue;
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

bool is_page_folder(const std::string& path) {
  std::error_code error;
  return path.ends_with('/') || fs::is_directory(path, error);
}

std::string page_stem(const std::string& program) {
  std::string stem;
  for (const char c : program.substr(0, longest_stem)) {
    if (is_plain(c) && (c != '.' || !stem.empty())) {
      stem += c;
    } else if (!stem.empty() && stem.back() != '_') {
      stem += '_';
    }
  }
  while (!stem.empty() && (stem.back() == '_' || stem.back() == '.')) stem.pop_back();
  return stem.empty() || stem == "index" ? stem + "program" : stem;
}

PageFolder::PageFolder(std::string folder, std::string earlier)
    : folder_(std::move(folder)), earlier_(std::move(earlier)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!fs::is_directory(folder_)) {
    throw UserError{fmt::format(message::file_error, folder_, error.message())};
  }
  if (!earlier_.empty() && !fs::is_directory(earlier_, error)) {
    throw UserError{fmt::format(message::compare_folder, earlier_)};
  }
}

std::string PageFolder::trace_path(const std::string& file) const {
  return (fs::path(folder_) / (page_stem(fs::path(file).stem().string()) + ".pftrace")).string();
}

void PageFolder::write_page(const nlohmann::json& run) {
  const auto program = run.at("program").get<std::string>();
  const bool is_file = program == run.at("file").get<std::string>();
  const std::string stem = page_stem(is_file ? fs::path(program).stem().string() : program);
  std::string name = stem;
  for (int number = 2; !taken_.insert(name).second; ++number) {
    name = fmt::format("{}-{}", stem, number);
  }
  const fs::path before = fs::path(earlier_) / (name + ".html");
  std::error_code error;
  const bool compares = !earlier_.empty() && fs::is_regular_file(before, error);
  const std::string path = (fs::path(folder_) / (name + ".html")).string();
  const nlohmann::json then = compares ? read_report_page(before.string()) : nullptr;
  claim_output(path);
  write_text(path, report_page(run, then));
}

void PageFolder::write_index() const {
  nlohmann::json pages = nlohmann::json::array();
  for (const fs::path& file : html_files(folder_)) {
    const auto run = page_data(read_text(file.string(), largest_page));
    const auto row = run ? index_row(*run, file.filename().string()) : std::nullopt;
    if (row) pages.push_back(*row);
  }
  const fs::path folder = fs::weakly_canonical(folder_);
  write_text(
      (fs::path(folder_) / index_name).string(),
      index_page(
          {{"name", (folder.has_filename() ? folder : folder.parent_path()).filename().string()},
           {"pages", pages}}));
}

}  // namespace tandem
