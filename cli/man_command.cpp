// tandem man: manual pages, from the text of --help.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/messages/messages.hpp"
#include "cli/messages/user_error.hpp"
#include "cli/options/command.hpp"
#include "cli/shell/manual.hpp"
#include "host/output_file.hpp"

namespace tandem {
namespace {

struct ManOptions {
  std::string page{"tandem"};
  std::string folder;
};

void print_page(const std::vector<ManualPage>& pages, const std::string& name) {
  const std::string file = (name == "tandem" ? name : "tandem-" + name) + ".1";
  const auto page = std::find_if(pages.begin(), pages.end(),
                                 [&](const ManualPage& one) { return one.file == file; });
  if (page == pages.end()) throw UserError{fmt::format(message::no_manual_page, name)};
  fmt::print("{}", page->text);
}

}  // namespace

void add_man_command(Command application, int* status) {
  auto options = std::make_shared<ManOptions>();
  const Command command =
      application.add_subcommand("man", "Prints the manual page of a command, or writes all");
  command.footer(
      "Example:\n"
      "  tandem man lockstep | man -l -\n"
      "  tandem man --folder /usr/local/share/man/man1\n"
      "An installation puts them where man looks: man tandem-lockstep");
  command.add_option("command", options->page, "A command's name; without it the page of tandem");
  command.add_option("--folder", options->folder, "Writes every page into this folder");
  command.callback([application, options, status] {
    const std::vector<ManualPage> pages = manual_pages(described(application));
    if (options->folder.empty()) {
      print_page(pages, options->page);
    } else {
      for (const ManualPage& page : pages) write_text(options->folder + "/" + page.file, page.text);
    }
    *status = exit_done;
  });
}

}  // namespace tandem
