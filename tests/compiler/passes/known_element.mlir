// RUN: tandem-opt %s --tandem-canonicalize | FileCheck %s

#one = affine_map<(d0) -> (d0)>

// An index that slices and arithmetic make of constants: the second of two is 200 - 3.
// CHECK-LABEL: func.func @index
// CHECK-NEXT: %[[NUMBER:.*]] = arith.constant 197 : i32
// CHECK-NEXT: return %[[NUMBER]]
func.func @index() -> i32 {
  %at = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %size = arith.constant 200 : i32
  %first = arith.constant dense<1> : tensor<1xi32>
  %second = arith.constant dense<-3> : tensor<1xi32>
  %room = tensor.empty() : tensor<2xi32>
  %0 = tensor.insert_slice %first into %room[0] [1] [1] : tensor<1xi32> into tensor<2xi32>
  %1 = tensor.insert_slice %second into %0[1] [1] [1] : tensor<1xi32> into tensor<2xi32>
  %2 = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%1 : tensor<2xi32>) outs(%room : tensor<2xi32>) {
  ^bb0(%in: i32, %out: i32):
    %less = arith.cmpi slt, %in, %zero : i32
    %sum = arith.addi %in, %size : i32
    %chosen = arith.select %less, %sum, %in : i32
    linalg.yield %chosen : i32
  } -> tensor<2xi32>
  %3 = tensor.extract %2[%at] : tensor<2xi32>
  return %3 : i32
}

// Values that depend on an argument are not known.
// CHECK-LABEL: func.func @unknown
// CHECK: tensor.extract
func.func @unknown(%x: tensor<1xi32>) -> i32 {
  %at = arith.constant 1 : index
  %first = arith.constant dense<1> : tensor<1xi32>
  %room = tensor.empty() : tensor<2xi32>
  %0 = tensor.insert_slice %first into %room[0] [1] [1] : tensor<1xi32> into tensor<2xi32>
  %1 = tensor.insert_slice %x into %0[1] [1] [1] : tensor<1xi32> into tensor<2xi32>
  %2 = tensor.extract %1[%at] : tensor<2xi32>
  return %2 : i32
}
