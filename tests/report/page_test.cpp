// The page as a file: its required and forbidden contents.
#include "report/page.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "report/run_data.hpp"

using namespace tandem;  // NOLINT: a test file

namespace {

nlohmann::json small_run() {
  return {{"format", run_data_format}, {"program", "</script><b>@RUN@ & co"}, {"counters", {1, 2}}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("A page gives back the data of its run") {
  const std::string page = report_page(small_run(), nullptr);
  CHECK(page_data(page).value() == small_run());
}

TEST_CASE("No text of a program can end the page's data or become markup") {
  const std::string page = report_page(small_run(), small_run());
  CHECK(count(page, "</script>") == 3);  // two blocks of data and the script
  CHECK(count(page, "<b>") == 0);
}

TEST_CASE("A page fetches nothing") {
  const std::string page = report_page(small_run(), nullptr);
  CHECK(count(page, "default-src 'none'") == 1);
  for (const char* part : {"src=", "@import", "url(", "<link", "fetch(", "XMLHttpRequest"}) {
    INFO(part);
    CHECK(count(page, part) == 0);
  }
}

TEST_CASE("Files that are no page of ours are not taken for one") {
  CHECK_FALSE(page_data("").has_value());
  CHECK_FALSE(page_data("<html></html>").has_value());
  const std::string page = report_page(small_run(), nullptr);
  CHECK_FALSE(page_data(page.substr(0, page.find("format"))).has_value());
  nlohmann::json other = small_run();
  other["format"] = "tandem-report-0";
  CHECK_FALSE(page_data(report_page(other, nullptr)).has_value());
}

TEST_CASE("The page of a sweep fetches nothing, and its data end nothing") {
  const nlohmann::json sweep{{"name", "</script><b>@RUN@ & co"}, {"points", {1, 2}}};
  const std::string page = sweep_page(sweep);
  CHECK(count(page, "</script>") == 3);
  CHECK(count(page, "<b>") == 0);
  CHECK(count(page, "default-src 'none'") == 1);
  for (const char* part : {"src=", "@import", "url(", "<link", "fetch(", "XMLHttpRequest"}) {
    INFO(part);
    CHECK(count(page, part) == 0);
  }
}

TEST_CASE("The page without data stays small") {
  CHECK(report_page(small_run(), nullptr).size() < 128 * 1024);
}
