// Pages in headless Chromium.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>

#include "tests/cli/folder.hpp"

namespace tandem {

inline bool has_chromium() {
  static const bool found = [] {
    const bool there = std::system("command -v chromium > /dev/null 2>&1") == 0;  // NOLINT
    if (!there) WARN("no chromium on this machine: the page is not drawn");
    return there;
  }();
  return found;
}

// The page's document once it has drawn itself, then the output of the browser's console.
struct Drawn {
  std::string document;
  std::string console;
};

inline Drawn draw_address(const Folder& folder, const std::string& address,
                          const std::string& more = "") {
  const std::string command =
      "timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run "
      "--disable-background-networking --disable-component-update --disable-sync "
      "--user-data-dir=profile --virtual-time-budget=5000 --enable-logging=stderr " +
      more + " --dump-dom \"" + address + "\" > dom.html 2> console.txt";
  folder.shell(command);
  Drawn drawn{folder.read("dom.html"), ""};
  std::istringstream log(folder.read("console.txt"));
  for (std::string line; std::getline(log, line);) {
    if (contains(line, "CONSOLE")) drawn.console += line + '\n';
  }
  return drawn;
}

inline Drawn draw(const Folder& folder, const std::string& page, const std::string& more = "") {
  return draw_address(folder, "file://$PWD/" + page, more);
}

// The page with a script that starts after the page has drawn itself, and leaves results in
// attributes data-* of the body.
inline std::string with_script(std::string page, const std::string& script) {
  page.insert(page.rfind("</body>"),
              "<script>const result = (name, value) => { document.body.dataset[name] = value; };\n"
              "const drawn = () => new Promise((done) => setTimeout(done, 50));\n"
              "setTimeout(async () => {" +
                  script + "}, 100);</script>");
  return page;
}

}  // namespace tandem
