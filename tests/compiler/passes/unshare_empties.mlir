// RUN: tandem-opt %s --tandem-unshare-empties | FileCheck %s

// Sixty-four neighbours share an empty tensor, the next ones have one of their own.
// CHECK-LABEL: func.func @many
// CHECK: %[[SECOND:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NEXT: %[[FIRST:.*]] = tensor.empty() : tensor<4xf32>
// CHECK-NOT: tensor.empty
// CHECK: linalg.exp {{.*}} outs(%[[FIRST]]
// CHECK-COUNT-63: outs(%[[FIRST]]
// CHECK-NEXT: outs(%[[SECOND]]
// CHECK-NEXT: outs(%[[SECOND]]
// CHECK-NEXT: return
func.func @many(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.exp ins(%1 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.exp ins(%2 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %4 = linalg.exp ins(%3 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %5 = linalg.exp ins(%4 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %6 = linalg.exp ins(%5 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %7 = linalg.exp ins(%6 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %8 = linalg.exp ins(%7 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %9 = linalg.exp ins(%8 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %10 = linalg.exp ins(%9 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %11 = linalg.exp ins(%10 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %12 = linalg.exp ins(%11 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %13 = linalg.exp ins(%12 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %14 = linalg.exp ins(%13 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %15 = linalg.exp ins(%14 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %16 = linalg.exp ins(%15 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %17 = linalg.exp ins(%16 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %18 = linalg.exp ins(%17 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %19 = linalg.exp ins(%18 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %20 = linalg.exp ins(%19 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %21 = linalg.exp ins(%20 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %22 = linalg.exp ins(%21 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %23 = linalg.exp ins(%22 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %24 = linalg.exp ins(%23 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %25 = linalg.exp ins(%24 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %26 = linalg.exp ins(%25 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %27 = linalg.exp ins(%26 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %28 = linalg.exp ins(%27 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %29 = linalg.exp ins(%28 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %30 = linalg.exp ins(%29 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %31 = linalg.exp ins(%30 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %32 = linalg.exp ins(%31 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %33 = linalg.exp ins(%32 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %34 = linalg.exp ins(%33 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %35 = linalg.exp ins(%34 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %36 = linalg.exp ins(%35 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %37 = linalg.exp ins(%36 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %38 = linalg.exp ins(%37 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %39 = linalg.exp ins(%38 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %40 = linalg.exp ins(%39 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %41 = linalg.exp ins(%40 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %42 = linalg.exp ins(%41 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %43 = linalg.exp ins(%42 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %44 = linalg.exp ins(%43 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %45 = linalg.exp ins(%44 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %46 = linalg.exp ins(%45 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %47 = linalg.exp ins(%46 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %48 = linalg.exp ins(%47 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %49 = linalg.exp ins(%48 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %50 = linalg.exp ins(%49 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %51 = linalg.exp ins(%50 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %52 = linalg.exp ins(%51 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %53 = linalg.exp ins(%52 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %54 = linalg.exp ins(%53 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %55 = linalg.exp ins(%54 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %56 = linalg.exp ins(%55 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %57 = linalg.exp ins(%56 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %58 = linalg.exp ins(%57 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %59 = linalg.exp ins(%58 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %60 = linalg.exp ins(%59 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %61 = linalg.exp ins(%60 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %62 = linalg.exp ins(%61 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %63 = linalg.exp ins(%62 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %64 = linalg.exp ins(%63 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %65 = linalg.exp ins(%64 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %65 : tensor<4xf32>
}

// Few share one as they did.
// CHECK-LABEL: func.func @few
// CHECK-COUNT-1: tensor.empty
// CHECK-NOT: tensor.empty
func.func @few(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.exp ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
