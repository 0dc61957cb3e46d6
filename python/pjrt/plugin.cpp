// The shared library itself is empty: the linker is asked for GetPjrtApi (api/api.cpp), which pulls
// everything else out of the static library that the tests link, too.
