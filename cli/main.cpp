#include "cli/commands.hpp"

int main(int argc, char** argv) { return tandem::run_application(argc, argv); }
