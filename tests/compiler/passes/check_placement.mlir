// RUN: tandem-opt %s --tandem-check-placement --split-input-file --verify-diagnostics

// Lives that do not meet: the same place.
func.func @one_after_the_other(%x: memref<8xf32>) {
  %a = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
  memref.copy %x, %a : memref<8xf32> to memref<8xf32, "vmem">
  memref.copy %a, %x : memref<8xf32, "vmem"> to memref<8xf32>
  %b = memref.alloc() {tandem.address = 4} : memref<8xf32, "vmem">
  memref.copy %x, %b : memref<8xf32> to memref<8xf32, "vmem">
  memref.copy %b, %x : memref<8xf32, "vmem"> to memref<8xf32>
  return
}

// -----

// The last word of %a is the first one of %b.
func.func @at_the_same_time(%x: memref<8xf32>) {
  // expected-note @below {{lost are words 0 to 7}}
  %a = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
  // expected-note @below {{it writes words 7 to 14}}
  %b = memref.alloc() {tandem.address = 7} : memref<8xf32, "vmem">
  memref.copy %x, %a : memref<8xf32> to memref<8xf32, "vmem">
  // expected-error @below {{internal: this overwrites a buffer that is still to be read}}
  memref.copy %x, %b : memref<8xf32> to memref<8xf32, "vmem">
  memref.copy %b, %x : memref<8xf32, "vmem"> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32, "vmem"> to memref<8xf32>
  return
}

// -----

// Other memories have other addresses.
func.func @in_hbm(%x: memref<8xf32>) {
  %a = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
  %b = memref.alloc() {tandem.address = 0} : memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32, "vmem">
  memref.copy %x, %b : memref<8xf32> to memref<8xf32>
  memref.copy %b, %x : memref<8xf32> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32, "vmem"> to memref<8xf32>
  return
}

// -----

// Read at the beginning of the next iteration.
func.func @around_a_loop(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-note @below {{lost are words 0 to 7}}
  %a = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
  memref.copy %x, %a : memref<8xf32> to memref<8xf32, "vmem">
  scf.for %i = %c0 to %c8 step %c1 {
    memref.copy %a, %x : memref<8xf32, "vmem"> to memref<8xf32>
    // expected-note @below {{it writes words 0 to 7}}
    %b = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
    // expected-error @below {{internal: this overwrites a buffer that is still to be read}}
    memref.copy %x, %b : memref<8xf32> to memref<8xf32, "vmem">
    memref.copy %b, %x : memref<8xf32, "vmem"> to memref<8xf32>
  }
  return
}

// -----

// A tile of an iteration is not needed in the next one.
func.func @in_a_turn(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, "vmem">
    memref.copy %a, %x : memref<8xf32, "vmem"> to memref<8xf32>
    %b = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
    memref.copy %x, %b : memref<8xf32> to memref<8xf32, "vmem">
    memref.copy %b, %x : memref<8xf32, "vmem"> to memref<8xf32>
  }
  return
}

// -----

// Through a view, in one branch only.
func.func @in_a_branch(%x: memref<8xf32>, %y: memref<4xf32>, %p: i1) {
  // expected-note @below {{lost are words 0 to 7}}
  %a = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
  // expected-note @below {{it writes words 4 to 11}}
  %b = memref.alloc() {tandem.address = 4} : memref<8xf32, "vmem">
  memref.copy %x, %a : memref<8xf32> to memref<8xf32, "vmem">
  scf.if %p {
    %view = memref.reinterpret_cast %b to offset: [4], sizes: [4], strides: [1] : memref<8xf32, "vmem"> to memref<4xf32, strided<[1], offset: 4>, "vmem">
    // expected-error @below {{internal: this overwrites a buffer that is still to be read}}
    memref.copy %y, %view : memref<4xf32> to memref<4xf32, strided<[1], offset: 4>, "vmem">
  } else {
    memref.copy %a, %x : memref<8xf32, "vmem"> to memref<8xf32>
  }
  memref.copy %a, %x : memref<8xf32, "vmem"> to memref<8xf32>
  return
}

// -----

// Which of two buffers is written is known when the program runs.
func.func @either(%x: memref<8xf32>, %p: i1) {
  // expected-note @below {{lost are words 0 to 7}}
  %a = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
  // expected-note @below {{it writes words 0 to 7}}
  %b = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
  %c = memref.alloc() {tandem.address = 8} : memref<8xf32, "vmem">
  %one = arith.select %p, %b, %c : memref<8xf32, "vmem">
  memref.copy %x, %a : memref<8xf32> to memref<8xf32, "vmem">
  // expected-error @below {{internal: this overwrites a buffer that is still to be read}}
  memref.copy %x, %one : memref<8xf32> to memref<8xf32, "vmem">
  memref.copy %a, %x : memref<8xf32, "vmem"> to memref<8xf32>
  return
}

// -----

func.func @no_address() {
  // expected-error @below {{internal: a buffer without an address}}
  %a = memref.alloc() : memref<8xf32, "vmem">
  return
}

// -----

// Read before anything is there, though it comes later.
func.func @before_it_comes(%x: memref<8xf32>) {
  // expected-note @below {{it reads words 0 to 7}}
  %a = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
  // expected-error @below {{internal: this reads a buffer that nothing has written}}
  memref.copy %a, %x : memref<8xf32, "vmem"> to memref<8xf32>
  memref.copy %x, %a : memref<8xf32> to memref<8xf32, "vmem">
  return
}

// -----

// Data written in an iteration is there in the next one.
func.func @the_iteration_before(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
  scf.for %i = %c0 to %c8 step %c1 {
    memref.copy %a, %x : memref<8xf32, "vmem"> to memref<8xf32>
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, "vmem">
  }
  return
}

// -----

// One of the ways writes it, and all are looked into.
func.func @by_cases(%x: memref<8xf32>, %i: index) {
  // expected-note @below {{lost are words 0 to 7}}
  %a = memref.alloc() {tandem.address = 0} : memref<8xf32, "vmem">
  // expected-note @below {{it writes words 4 to 11}}
  %b = memref.alloc() {tandem.address = 4} : memref<8xf32, "vmem">
  scf.index_switch %i
  case 0 {
    memref.copy %x, %a : memref<8xf32> to memref<8xf32, "vmem">
    // expected-error @below {{internal: this overwrites a buffer that is still to be read}}
    memref.copy %x, %b : memref<8xf32> to memref<8xf32, "vmem">
    scf.yield
  }
  default {
  }
  memref.copy %b, %x : memref<8xf32, "vmem"> to memref<8xf32>
  memref.copy %a, %x : memref<8xf32, "vmem"> to memref<8xf32>
  return
}
