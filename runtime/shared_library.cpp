// libtandem_runtime.so is made of whole archives; the linker requires one source file in addition.
namespace tandem::runtime {
extern const char library_name[];
const char library_name[] = "tandem_runtime";
}  // namespace tandem::runtime
