// RUN: tandem-opt %s --split-input-file --verify-diagnostics

// Text that is valid at the level it appears to be.
func.func @main(%x: memref<4xf32> {tandem.name = "arg0"}) {
  %0 = memref.alloc() {tandem.address = 8 : i64} : memref<4xf32, "vmem">
  memref.copy %x, %0 {tandem.carried} : memref<4xf32> to memref<4xf32, "vmem">
  return
}

// -----

func.func @main(%x: memref<4xf32>) {
  // expected-error @+1 {{the attribute tandem.adress is none of the compiler's}}
  %0 = memref.alloc() {tandem.adress = 8 : i64} : memref<4xf32, "vmem">
  return
}

// -----

func.func @main(%x: memref<4xf32>) {
  // expected-error @+1 {{the attribute tandem.address is no Integer}}
  %0 = memref.alloc() {tandem.address = "8"} : memref<4xf32, "vmem">
  return
}

// -----

func.func @main(%x: memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32, "vmem">
  // expected-error @+1 {{the attribute tandem.arrives does not belong here}}
  memref.copy %x, %0 {tandem.arrives} : memref<4xf32> to memref<4xf32, "vmem">
  return
}

// -----

// expected-error @+1 {{the attribute tandem.address does not belong here}}
func.func @main(%x: memref<4xf32> {tandem.address = 8 : i64}) {
  return
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = memref.alloc() : memref<4xf32, "vmem">
  %1 = memref.alloc() : memref<4xf32, "vmem">
  // expected-error @+1 {{the attribute tandem.carried does not belong to the level tensor}}
  memref.copy %0, %1 {tandem.carried} : memref<4xf32, "vmem"> to memref<4xf32, "vmem">
  %2 = arith.negf %x : tensor<4xf32>
  return %2 : tensor<4xf32>
}
