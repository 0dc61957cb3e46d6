// RUN: (tandem-opt %s --preset=small --tandem-plan-buffers --tandem-lower-to-tpu 2>&1 && exit 1 || exit 0) | FileCheck %s

// Each nesting of blocks has a flag for its copies, and there are fifteen.
// CHECK: error: unimplemented: a copy in loops and branches nested this deep: there is no flag left to wait for it
func.func @main() {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %x = memref.alloc() : memref<4096xf32>
  %y = memref.alloc() : memref<4096xf32, "vmem">
  scf.for %i0 = %zero to %two step %one {
    scf.for %i1 = %zero to %two step %one {
      scf.for %i2 = %zero to %two step %one {
        scf.for %i3 = %zero to %two step %one {
          scf.for %i4 = %zero to %two step %one {
            scf.for %i5 = %zero to %two step %one {
              scf.for %i6 = %zero to %two step %one {
                scf.for %i7 = %zero to %two step %one {
                  scf.for %i8 = %zero to %two step %one {
                    scf.for %i9 = %zero to %two step %one {
                      scf.for %i10 = %zero to %two step %one {
                        scf.for %i11 = %zero to %two step %one {
                          scf.for %i12 = %zero to %two step %one {
                            scf.for %i13 = %zero to %two step %one {
                              scf.for %i14 = %zero to %two step %one {
                                scf.for %i15 = %zero to %two step %one {
                                  memref.copy %x, %y : memref<4096xf32> to memref<4096xf32, "vmem">
                                }
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  return
}
