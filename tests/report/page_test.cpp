// The page as a file: its required and forbidden contents.
#include "report/page.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "report/index_data.hpp"
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

TEST_CASE("The index fetches nothing, and its data end nothing") {
  const nlohmann::json index{{"name", "</script><b>@RUN@ & co"},
                             {"pages", nlohmann::json::array()}};
  const std::string page = index_page(index);
  CHECK(count(page, "</script>") == 3);
  CHECK(count(page, "<b>") == 0);
  for (const char* part : {"src=", "@import", "url(", "<link", "fetch(", "XMLHttpRequest"}) {
    INFO(part);
    CHECK(count(page, part) == 0);
  }
}

TEST_CASE("A page with a trace may read files beside it, and no others") {
  nlohmann::json run = small_run();
  run["trace"] = "x.pftrace";
  const std::string page = report_page(run, nullptr);
  CHECK(count(page, "connect-src 'self'\"") == 1);
  CHECK(count(page, "fetch(") == 1);
}

TEST_CASE("The explorer's page asks only the server that it comes from, if there is one") {
  const nlohmann::json data{{"file", "</script><b>@RUN@ & co"}, {"programs", {1, 2}}};
  const std::string page = explore_page(data, false);
  CHECK(count(page, "</script>") == 3);
  CHECK(count(page, "<b>") == 0);
  CHECK(count(page, "fetch(") == 0);
  CHECK(count(page, "connect-src") == 0);
  CHECK(count(explore_page(data, true), "connect-src 'self'\"") == 1);
}

TEST_CASE("The row of an index needs a whole page") {
  CHECK_FALSE(index_row(small_run(), "x.html").has_value());
  CHECK_FALSE(index_row(nlohmann::json::array(), "x.html").has_value());
}

TEST_CASE("The page without data stays small") {
  CHECK(report_page(small_run(), nullptr).size() < 128 * 1024);
}
