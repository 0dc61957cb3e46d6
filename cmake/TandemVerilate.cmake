# Verilated RTL; see rtl/CMakeLists.txt.
