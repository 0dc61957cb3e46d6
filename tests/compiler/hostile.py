#!/usr/bin/env python3
"""Programs that no front end makes: each is refused quickly, at its line, with the right reason.

    tests/compiler/hostile.py [--build FOLDER]

Operations of StableHLO that are none, tensors and programs beyond all size, text and locations too deep to be
read, bytes and types that keep MLIR's reader for hours, pipes in the place of files, names with control characters. "internal" is for the
compiler's own mistakes, and must not be said of these.
"""

import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BUILD = None
ADD = """({^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()})"""
HUGE = "1000000x1000000x1000000xi8"
WIDE = "tensor<4294967296x4294967296xf32>"
I64 = 2**63 - 1


def main(operation, result="tensor<4xf32>", arguments="%a: tensor<4xf32>"):
    return (f"module {{\n func.func public @main({arguments}) -> {result} {{\n%r = {operation} -> {result}\n"
            f" \"func.return\"(%r) : ({result}) -> ()\n }}\n}}\n")


def slice_of(start, limit, stride):
    return main(f'"stablehlo.slice"(%a) {{start_indices = array<i64: {start}>, limit_indices = array<i64: {limit}>, '
                f'strides = array<i64: {stride}>}} : (tensor<4xf32>)')


def window(attributes):
    return main(f'"stablehlo.reduce_window"(%a, %z) {ADD} {{{attributes}}} : (tensor<4xf32>, tensor<f32>)',
                arguments="%a: tensor<4xf32>, %z: tensor<f32>")


def dot(number, result="tensor<f32>"):
    return main(f'"stablehlo.dot_general"(%a, %a) {{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions '
                f'= [{number}], rhs_contracting_dimensions = [{number}]>}} : (tensor<4xf32>, tensor<4xf32>)', result)


def gather(number):
    return main(f'"stablehlo.gather"(%a, %i) {{dimension_numbers = #stablehlo.gather<offset_dims = [{number}], '
                f'collapsed_slice_dims = [], start_index_map = [{number}], index_vector_dim = {number}>, slice_sizes = '
                'array<i64: 4>} : (tensor<4xf32>, tensor<1xi32>)', arguments="%a: tensor<4xf32>, %i: tensor<1xi32>")


def scatter(number):
    body = ADD.replace('"stablehlo.return"(%s)', '"stablehlo.return"(%y)')
    return main(f'"stablehlo.scatter"(%a, %i, %a) {body} {{scatter_dimension_numbers = #stablehlo.scatter<'
                f'update_window_dims = [{number}], inserted_window_dims = [{number}], scatter_dims_to_operand_dims = '
                f'[{number}], index_vector_dim = {number}>}} : (tensor<4xf32>, tensor<1xi32>, tensor<4xf32>)',
                arguments="%a: tensor<4xf32>, %i: tensor<1xi32>")


def pad(low, high, interior):
    return main(f'"stablehlo.pad"(%a, %p) {{edge_padding_low = array<i64: {low}>, edge_padding_high = array<i64: '
                f'{high}>, interior_padding = array<i64: {interior}>}} : (tensor<4xf32>, tensor<f32>)',
                arguments="%a: tensor<4xf32>, %p: tensor<f32>")


def convolution(attributes, result="tensor<1x4x4x1xf32>"):
    numbers = "".join(f"{tensor}_{first}_dimension = {at} : i64, {tensor}_{second}_dimension = {behind} : i64, "
                      f"{tensor}_spatial_dimensions = array<i64: {space}>, "
                      for tensor, first, at, second, behind, space in
                      (("input", "batch", 0, "feature", 3, "1, 2"), ("output", "batch", 0, "feature", 3, "1, 2"),
                       ("kernel", "input_feature", 2, "output_feature", 3, "0, 1")))
    return main(f'"stablehlo.convolution"(%a, %b) {{{numbers}{attributes}}} : (tensor<1x4x4x1xf32>, '
                "tensor<1x1x1x1xf32>)", result, "%a: tensor<1x4x4x1xf32>, %b: tensor<1x1x1x1xf32>")


def simple(name, attributes, result="tensor<4xf32>", of="tensor<4xf32>"):
    return main(f'"stablehlo.{name}"(%a) {{{attributes}}} : ({of})', result, f"%a: {of}")


def doubling(levels):
    call = '%{} = "func.call"(%{}) {{callee = @f{}}} : (tensor<4xf32>) -> tensor<4xf32>\n'
    text = main('"func.call"(%a) {callee = @f0} : (tensor<4xf32>)')[:-2]
    for level in range(levels):
        body = call.format("q", "a", level + 1) + call.format("r", "q", level + 1) if level + 1 < levels else \
            '%r = "stablehlo.negate"(%a) : (tensor<4xf32>) -> tensor<4xf32>\n'
        text += (f"func.func private @f{level}(%a: tensor<4xf32>) -> tensor<4xf32> {{\n{body}"
                 f' "func.return"(%r) : (tensor<4xf32>) -> ()\n}}\n')
    return text + "}\n"


def nested(depth, attribute):
    if attribute:
        return main('"stablehlo.negate"(%a) {x = ' + "[" * depth + "]" * depth + "} : (tensor<4xf32>)")
    begin = '"stablehlo.if"(%p) ({\n'
    end = '"stablehlo.return"(%a) : (tensor<4xf32>) -> ()\n}, {"stablehlo.return"(%a) : (tensor<4xf32>) -> ()}) ' \
          ': (tensor<i1>) -> tensor<4xf32>\n'
    return main(begin + "".join(begin for _ in range(depth)) + "".join(end for _ in range(depth)) +
                end.rsplit(" -> ", 1)[0], arguments="%p: tensor<i1>, %a: tensor<4xf32>")


def loops(depth):
    """Loops inside of each other, each starting with the outer one's value and returning the inner one's result."""
    begin = ""
    for level in range(depth):
        begin += f'%y{level} = ' if level else ""
        begin += f'"stablehlo.while"(%x{level}) ({{^bb0(%c: tensor<4xf32>):\n"stablehlo.return"(%p) : (tensor<i1>) -> ()}}, '
        begin += f"{{^bb0(%x{level + 1}: tensor<4xf32>):\n"
    end = f'"stablehlo.return"(%x{depth}) : (tensor<4xf32>) -> ()}}) : (tensor<4xf32>)'
    for level in reversed(range(1, depth)):
        end += f' -> tensor<4xf32>\n"stablehlo.return"(%y{level}) : (tensor<4xf32>) -> ()}}) : (tensor<4xf32>)'
    return main(begin + end, arguments="%p: tensor<i1>, %x0: tensor<4xf32>")


def fourier(kind, lengths, of="4xcomplex<f32>", result="4xcomplex<f32>"):
    return simple("fft", f"fft_type = #stablehlo<fft_type {kind}>, fft_length = array<i64: {lengths}>",
                  f"tensor<{result}>", f"tensor<{of}>")


def donated(*numbers, result="tensor<4xf32>"):
    """Arguments of four numbers that give their memory to the results of these numbers; there are two."""
    arguments = ", ".join(f"%a{i}: tensor<4xf32> {{tf.aliasing_output = {number} : i32}}" for i, number in enumerate(numbers))
    return (f"module {{\n func.func public @main({arguments}, %b: {result}) -> ({result}, tensor<4xf32>) {{\n"
            f' "func.return"(%b, %a0) : ({result}, tensor<4xf32>) -> ()\n }}\n}}\n')


def convolved(numbers):
    """As StableHLO prints it, in the generic form too."""
    return main(f'"stablehlo.convolution"(%a, %b) {{dimension_numbers = #stablehlo.conv<{numbers}>, feature_group_count = 1 : i64, '
                "batch_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>)", "tensor<1x2x2x5xf32>",
                "%a: tensor<1x4x4x2xf32>, %b: tensor<3x3x2x5xf32>")


NUMBERS = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]"
RAW = ", ".join(f"{name} = {value}" for name, value in (
    ("raw input_batch_dimension", 0), ("input_feature_dimension", 3), ("input_spatial_dimensions", [1, 2]),
    ("kernel_input_feature_dimension", 2), ("kernel_output_feature_dimension", 3), ("kernel_spatial_dimensions", [0, 1]),
    ("output_batch_dimension", 0), ("output_feature_dimension", 3), ("output_spatial_dimensions", [1, 2])))


def located(levels, location):
    """A negation at the last of locations that are each made of the one before."""
    names = "".join(f"#l{i + 1} = loc({location.replace('$', f'#l{i}')})\n" for i in range(levels))
    negate = main('"stablehlo.negate"(%a) : (tensor<4xf32>)')
    return '#l0 = loc("f.py":7:1)\n' + names + negate.replace("-> tensor<4xf32>\n \"func.return", f"-> tensor<4xf32> loc(#l{levels})\n \"func.return")


def types_that_double(levels):
    """In the pretty form; nobody needs the type."""
    names = "".join(f"!t{i + 1} = tuple<!t{i}, !t{i}>\n" for i in range(levels))
    return ("!t0 = tuple<f32, f32>\n" + names + "module {\n func.func public @main(%a: tensor<4xf32>, %b: "
            f"!t{levels}) -> tensor<4xf32> {{\n%r = stablehlo.negate %a : tensor<4xf32>\n return %r : tensor<4xf32>\n }}\n}}\n")


LOOP = """"stablehlo.while"(%a) ({^bb0(%x: tensor<4xf32>):
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()}, {^bb0(%x: tensor<4xf32>):
    "stablehlo.return"(%x) : (tensor<4xf32>) -> ()}) : (tensor<4xf32>)"""

# The text, the error, and its line. Values of a region before they are made: of one operation, and of the one after it.
EARLY = """"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i32>) -> tensor<i32>, sym_name = "main"}> ({
  ^bb0(%%a: tensor<i32>):
    %%r = "stablehlo.case"(%%a) ({
      %%p = "stablehlo.add"(%s, %%a) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %%k = "stablehlo.add"(%%p, %%a) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%%k) : (tensor<i32>) -> ()
    }, {
      "stablehlo.return"(%%a) : (tensor<i32>) -> ()
    }) : (tensor<i32>) -> tensor<i32>
    "func.return"(%%r) : (tensor<i32>) -> ()
  }) : () -> ()
}) : () -> ()
"""
INNER = """module {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
  module @inner {
    func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }
  }
}
"""


def alone(name, attributes, body=""):
    """A collective of a program for one device."""
    return main(f'"stablehlo.{name}"(%a) {body} {{{attributes}}} : (tensor<4xf32>)')


GROUPS = "replica_groups = dense<{}> : tensor<{}xi64>"
ONE = GROUPS.format(0, "1x1")
TOKEN = 'module {{\n func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {{\n "stablehlo.{}"() : () -> ()\n' \
        ' "func.return"(%a) : (tensor<4xf32>) -> ()\n }}\n}}\n'

REFUSED = {
    "a token of nothing": (TOKEN.format("create_token"), "create_token: it has one result", 3),
    "tokens of nothing": (TOKEN.format("after_all"), "after_all: it has one result", 3),
    "gathered alone along dimension 1": (alone("all_gather", f"all_gather_dim = 1 : i64, {ONE}"), "there is no dimension 1", 3),
    "gathered alone along dimension -1": (alone("all_gather", f"all_gather_dim = -1 : i64, {ONE}"), "there is no dimension -1", 3),
    "scattered alone along dimension 99": (alone("reduce_scatter", f"scatter_dimension = 99 : i64, {ONE}", ADD), "there is no dimension 99", 3),
    "split alone into two": (alone("all_to_all", f"split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, {ONE}"),
                             "it has 2 parts for 1 devices", 3),
    "a sum alone of device 7": (alone("all_reduce", GROUPS.format(7, "1x1"), ADD), "it names device 7 of 1", 3),
    "a sum alone of itself twice": (alone("all_reduce", GROUPS.format("[[0, 0]]", "1x2"), ADD), "it names device 0 twice", 3),
    "sent alone to device 7": (alone("collective_permute", "source_target_pairs = dense<7> : tensor<1x2xi64>"), "it names device 7 of 1", 3),
    "a value of a region before it is made": (EARLY % "%k", "operand #0 does not dominate this use", 5),
    "a value of a region by itself": (EARLY % "%p", "operand #0 does not dominate this use", 5),
    "a module inside of a module": (INNER, "a module inside of a module", 3),
    "stride 0": (slice_of(0, 4, 0), "slice: `strides` is 0", 3),
    "stride -1": (slice_of(0, 4, -1), "slice: `strides` is -1", 3),
    "limit behind the end": (slice_of(0, 5, 1), "slice: 0 to 5 is not in dimension 0, which has 4", 3),
    "slices of another size": (slice_of(0, 3, 1), r"slice: its result is of the shape \[3\], not \[4\]", 3),
    "interior -1": (pad(0, 0, -1), "pad: `interior_padding` is -1", 3),
    "padding beyond 64 bits": (pad(I64, I64, 0), r"pad: its result is of the shape \[18446744073709551618\]", 3),
    "a transform of length -1": (fourier("FFT", "-1"), "fft: `fft_length` is -1", 3),
    "a transform of another length": (fourier("FFT", "8"), r"fft: its operand is of the shape \[8\], not \[4\]", 3),
    "a transform of two of one dimension": (fourier("FFT", "4, 4"), "fft: `fft_length` has 2 numbers, the rank is 1", 3),
    "a transform of four dimensions": (fourier("FFT", "1, 1, 1, 1", "1x1x1x1xcomplex<f32>", "1x1x1x1xcomplex<f32>"),
                                       "1 to 3 are possible", 3),
    "a transform of no kind": (fourier("DCT", "4"), "`fft_type` is FFT, IFFT, RFFT or IRFFT", 3),
    "a real transform of pairs": (fourier("RFFT", "4", result="3xcomplex<f32>"), "RFFT is not of operands and results of these", 3),
    "half a transform as a whole": (fourier("RFFT", "4", "4xf32", "4xcomplex<f32>"), r"its result is of the shape \[3\], not \[4\]", 3),
    "a transform back of a whole": (fourier("IRFFT", "4", "4xcomplex<f32>", "4xf32"), r"its operand is of the shape \[3\], not \[4\]", 3),
    "memory of result -1": (donated(-1), "`tf.aliasing_output` of argument 0 is result -1 of 2", 2),
    "memory of result 2": (donated(1, 2), "`tf.aliasing_output` of argument 1 is result 2 of 2", 2),
    "memory given twice": (donated(1, 1), "of argument 1 is result 1, as of another argument", 2),
    "memory of another type": (donated(0, result="tensor<4xi32>"), "is result 0, which is of another type", 2),
    "memory of a word": (donated(1).replace("1 : i32", '"one"'), "is no 64-bit integer", 2),
    "reversed dimension 99": (simple("reverse", "dimensions = array<i64: 99>"), "there is no dimension 99", 3),
    "transposed twice": (simple("transpose", "permutation = array<i64: 0, 0>", "tensor<2x2xf32>", "tensor<2x2xf32>"),
                         "`permutation` has 0 twice", 3),
    "reshape": (simple("reshape", "", "tensor<5xf32>"), "does not have as many elements", 3),
    "broadcast": (simple("broadcast_in_dim", "broadcast_dimensions = array<i64: 0>", "tensor<5xf32>"),
                  "dimension 0 has 4, dimension 0 of the result 5", 3),
    "iota": (main('"stablehlo.iota"() {iota_dimension = 7 : i64} : ()'), "there is no dimension 7", 3),
    "concatenate": (simple("concatenate", "dimension = -1 : i64"), "there is no dimension -1", 3),
    "shapes of a sum": (main('"stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<5xf32>)',
                             arguments="%a: tensor<4xf32>, %b: tensor<5xf32>"),
                        r"add: operand 1 is of the shape \[5\]", 3),
    "types of a sum": (main('"stablehlo.add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>)', "tensor<4xi32>"),
                       "operand 0 is of another type than its result", 3),
    "a constant of another shape": (main('"stablehlo.constant"() {value = dense<1.0> : tensor<8xf32>} : ()'),
                                    r"its value is of the shape \[8\], its result of \[4\]", 3),
    "no such comparison": (main('"stablehlo.compare"(%a, %a) {comparison_direction = 7 : i64} : (tensor<4xf32>, '
                                "tensor<4xf32>)", "tensor<4xi1>"), "`comparison_direction` is EQ, NE", 3),
    "a tuple of the host's": (main('"stablehlo.case"(%i) ({ %t = "stablehlo.custom_call"(%a) {call_target_name = "tandem_debug", '
                                   'backend_config = {index = 0 : i32}} : (tensor<4xf32>) -> tuple<tensor<4xf32>> '
                                   '"stablehlo.return"(%a) : (tensor<4xf32>) -> () }) : (tensor<i32>)',
                                   arguments="%i: tensor<i32>, %a: tensor<4xf32>"),
                              "unimplemented: values of type 'tuple<tensor<4xf32>>'", 3),
    "bits of a precision": (simple("reduce_precision", "exponent_bits = -5 : i32, mantissa_bits = 99 : i32"),
                            "`exponent_bits` is -5", 3),
    "padded windows": (window("window_dimensions = array<i64: 1>, window_strides = array<i64: 1>, "
                              "padding = dense<[[1, 1]]> : tensor<1x2xi64>"), "its result is of the shape", 3),
    "windows of 99": (window("window_dimensions = array<i64: 99>, window_strides = array<i64: 1>, "
                             "padding = dense<[[99, 99]]> : tensor<1x2xi64>"), "its result is of the shape", 3),
    "dilated windows": (window("window_dimensions = array<i64: 1>, window_strides = array<i64: 1>, base_dilations = "
                               "array<i64: 99>, window_dilations = array<i64: 99>"), "its result is of the shape", 3),
    "negative dilation": (window("window_dimensions = array<i64: 1>, base_dilations = array<i64: -1>"),
                          "dilations of what is under the window` is -1", 3),
    "windows of a string": (window('window_dimensions = "many"'), "is no list of 64-bit integers", 3),
    "strides of a convolution": (convolution("window_strides = array<i64: 0, 1>, feature_group_count = 1 : i64, "
                                             "batch_group_count = 1 : i64"), "`window_strides` is 0", 3),
    "no groups": (convolution("feature_group_count = 0 : i64, batch_group_count = 1 : i64"),
                  "`feature_group_count` is 0", 3),
    "dot -1": (dot(-1), "dot_general: `dimensions of operand 0`: there is no dimension -1", 3),
    "dot 2^63 - 1": (dot(I64), f"there is no dimension {I64}", 3),
    "dot of another shape": (dot(0, "tensor<7xf32>"), r"its result is of the shape \[\], not \[7\]", 3),
    "gather 2^63 - 1": (gather(I64), f"`index_vector_dim`: there is no dimension {I64}", 3),
    "gather -1": (gather(-1), "gather: .*there is no dimension -1", 3),
    "scatter -1": (scatter(-1), "scatter: .*there is no dimension -1", 3),
    "scatter 99": (scatter(99), "scatter: .*there is no dimension 99", 3),
    "condition": (main(LOOP), "while: its condition gives one truth value", 3),
    "2^60 elements": (main('"stablehlo.not"(%a) : (tensor<' + HUGE + ">)", f"tensor<{HUGE}>", f"%a: tensor<{HUGE}>"),
                      "no room: arguments and results take 2000000000000000000 bytes", 2),
    "2^60 elements of a constant": (main('"stablehlo.constant"() {value = dense<1> : tensor<' + HUGE + ">} : ()",
                                         f"tensor<{HUGE}>"), "no room: .* 10{16}.. bytes", 3),
    "2^60 elements of an iota": (main('"stablehlo.iota"() {iota_dimension = 0 : i64} : ()', f"tensor<{HUGE}>"),
                                 "no room: .* 10{16}.. bytes", 3),
    "2^64 elements inside": (main('"stablehlo.broadcast_in_dim"(%a) {broadcast_dimensions = array<i64>} : (tensor<f32>) '
                                  f"-> {WIDE}\n%s = \"stablehlo.slice\"(%r) {{start_indices = array<i64: 0, 0>, "
                                  "limit_indices = array<i64: 1, 1>, strides = array<i64: 1, 1>} : "
                                  f"({WIDE})", "tensor<1x1xf32>", "%a: tensor<f32>").replace("(%r) : (tensor<1", "(%s) : (tensor<1"),
                             "no room: a tensor of more than 2.33 elements", 3),
    **{f"a program for {said} devices": (simple("negate", "").replace("module {", f"module attributes {{mhlo.{name} = {value}}} {{"),
                                         f"mhlo.{name} is {said}.* a program is for 1 to 64 devices", 1)
       for name, value, said in (("num_partitions", "4294967297 : i64", "4294967297"), ("num_partitions", "0 : i32", "0"),
                                 ("num_partitions", "18446744073709551615 : ui64", "18446744073709551615"),
                                 ("num_partitions", "340282366920938463463374607431768211457 : i200", "34028236692"),
                                 ("num_replicas", "-3 : i32", "-3"), ("num_replicas", '"x"', '"x"'))},
    "calls that double": (doubling(24), "too large to compile: .* more than 262144 operations", None),
    "recursion": (main('"func.call"(%a) {callee = @main} : (tensor<4xf32>)'), "a function that calls itself", 3),
    "deep calls": (doubling(300).replace('%r = "func.call"(%q)', '%q2 = "func.call"(%q)')
                   .replace('"func.return"(%r)', '"func.return"(%a)'), "too deep: more than 256 calls", None),
    "deep regions": (nested(300, False), "too deep: more than 256 operations inside", None),
    "deeper regions": (nested(100_000, False), "too deep: brackets", None),
    "deep attributes": (nested(100_000, True), "too deep: brackets", 3),
    "bits of nothing": (main('"stablehlo.bitcast_convert"() : ()'), "bitcast_convert: it has 1 operands and 1 results, not 0 and 1", 3),
    "a barrier of nothing": (main('"stablehlo.optimization_barrier"() : ()'), "optimization_barrier: its results are not of the types", 3),
    "random bits of nothing": (main('"stablehlo.rng_bit_generator"() : ()'), "rng_bit_generator: it has 1 operands and 2 results", 3),
    "40 dimensions": (main('"stablehlo.negate"(%a) : (tensor<' + "1x" * 40 + "f32>)", "tensor<" + "1x" * 40 + "f32>",
                           "%a: tensor<" + "1x" * 40 + "f32>"), "an argument or result of 40 dimensions; there may be 8", 2),
    "3000 dimensions": (main('"stablehlo.negate"(%a) : (tensor<' + "1x" * 3000 + "f32>)", "tensor<" + "1x" * 3000 + "f32>",
                             "%a: tensor<" + "1x" * 3000 + "f32>"), "an argument or result of 3000 dimensions", 2),
    "3000 dimensions inside": (main('"stablehlo.reshape"(%a) : (tensor<1xf32>) -> tensor<' + "1x" * 3000 + 'f32>\n%s = "stablehlo.reshape"(%r) : (tensor<'
                                    + "1x" * 3000 + "f32>)", "tensor<1xf32>", "%a: tensor<1xf32>")
                               .replace("(%r) : (tensor<1xf32>)", "(%s) : (tensor<1xf32>)"), "a tensor of 3000 dimensions", 3),
    "locations that double": (located(60, "callsite($ at $)"), "too deep: locations inside of each other", 1),
    "deep locations": (located(5000, 'callsite($ at "f.py":1:1)'), "too deep: locations inside of each other", 1),
    "the configuration of a Pallas kernel": (main('"stablehlo.custom_call"(%a) {call_target_name = "tpu_custom_call", backend_config = "'
                                                  + "[" * 100_000 + '"} : (tensor<4xf32>)'), "too deep: a Pallas kernel's", 3),
    "indices in an array": (slice_of(0, 4, 1).replace("strides = array<i64:", "strides = array< index :"),
                            "the elements of an `array` are integers or floats", 3),
    "an array of another name": ("!w = index\n" + slice_of(0, 4, 1).replace("strides = array<i64:", "strides = array<!w:"),
                                 "the elements of an `array` are integers or floats", 4),
    **{f"a convolution of {said}": (convolved(said), "`dimension_numbers` are none of a convolution", 3)
       for said in (NUMBERS[:-1] + ", 3]", NUMBERS.replace("b, 0", "b, 2", 1), NUMBERS.replace("b, 0", "b, b", 1), NUMBERS.replace("i", "?"),
                    NUMBERS.replace("x", ""), "[b]", "[]x[]->[]", "")},
    "blocks": ('module { func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"cf.br"() [^b] : () -> () '
               '^b: "cf.br"() [^b] : () -> () } }', "a function of several blocks", 1),
    "another end": ('module { func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {\n"stablehlo.return"(%a) : '
                    "(tensor<4xf32>) -> () } }", "a function ends in func.return", 2),
}


class Hostile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, source, *arguments, seconds=20):
        return subprocess.run([BUILD / "tandem-compile", source, "-o", self.folder / "out.elf", *arguments],
                              capture_output=True, check=False, timeout=seconds)

    def refused(self, source, *arguments):
        done = self.compile(source, *arguments)
        said = done.stderr.decode()
        self.assertEqual(done.returncode, 2, said[:500])
        self.assertNotIn("internal:", said)
        return said

    def refused_text(self, text):
        path = self.folder / "model.mlir"
        path.write_text(text)
        return self.refused(path)

    def test_it_is_refused_for_what_it_is(self):
        for name, (text, why, line) in REFUSED.items():
            with self.subTest(name):
                said = self.refused_text(text)
                where = rf"model\.mlir:{line if line is not None else '[0-9]+'}:[0-9]+: error: "
                self.assertRegex(said, where + ".*" + why)

    def test_what_is_right_is_compiled(self):
        for text in (slice_of(0, 4, 1), pad(1, -1, 0), window("window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>"), dot(0),
                     scatter(0).replace("inserted_window_dims = [0]", "inserted_window_dims = []"),
                     alone("all_gather", f"all_gather_dim = 0 : i64, {ONE}"), alone("all_reduce", GROUPS.format("", "0x0"), ADD),
                     alone("collective_permute", "source_target_pairs = dense<0> : tensor<1x2xi64>"),
                     convolved(NUMBERS), convolved(RAW), located(1000, 'callsite($ at "f.py":1:1)'),
                     located(10, "callsite($ at $)"), convolution("feature_group_count = 1 : i64, batch_group_count = 1 : i64"), doubling(6),
                     nested(20, False), loops(40), donated(1), donated(1, 0), fourier("FFT", "4"),
                     fourier("RFFT", "4", "2x4xf32", "2x3xcomplex<f32>"), fourier("IRFFT", "4", "3xcomplex<f32>", "4xf32")):
            path = self.folder / "model.mlir"
            path.write_text(text)
            done = self.compile(path)
            self.assertEqual(done.returncode, 0, done.stderr.decode()[:500])

    def test_reading_has_a_limit_of_its_own(self):
        for path in sorted((HERE / "hostile").glob("endless_*.mlirbc")):
            size = path.stat().st_size
            self.assertRegex(self.refused(path, "--time-limit", "1"),
                             f"error: reading these {size} bytes takes more than 1 seconds: the file is damaged")

    def test_and_so_has_reading_by_python(self):
        path = self.folder / "model.mlir"
        path.write_text(types_that_double(60))
        said = self.refused(path, "--time-limit", "1")  # by the reader itself where no Python has jax
        self.assertRegex(said, r"reading these \d+ bytes takes more than 1 seconds: the file is damaged")

    def kernel(self, configuration):
        return main('"stablehlo.custom_call"(%a) {call_target_name = "tandem.kernel", backend_config = {function = "f", '
                    + configuration + "}} : (tensor<4xf32>)")

    def test_pipes_in_the_place_of_files_are_not_waited_for(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.assertRegex(self.refused_text(self.kernel(f'file = "{pipe}"')), "kernel f: .*pipe is no regular file")
        for directive in (".include", ".data\\0A.incbin"):
            said = self.refused_text(self.kernel(f'text = "{directive} \\22{pipe}\\22\\0A"'))
            self.assertRegex(said, r"cannot read|is a pipe, which may never end")

    def test_no_name_writes_to_the_terminal(self):
        names = "\\1b[31m\\0a\\00\\ff<script>\\e2\\80\\ae\\c2\\9b"
        called = main(f'"stablehlo.custom_call"(%a) {{call_target_name = "{names}", backend_config = ""}} : '
                      "(tensor<4xf32>)")
        for text in (called, self.kernel("x = 1").replace('function = "f"', f'function = "{names}"')):
            said = self.refused_text(text)
            self.assertIsNone(re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", said), said)
            self.assertIn("\\x1b[31m", said)
        said = self.refused_text(called.replace(names, "n" * 100_000))
        self.assertLess(len(said), 5000)

    def test_a_program_without_standard_files_is_the_same(self):
        """Files that it opens do not take their places."""
        path, program = self.folder / "model.mlir", self.folder / "model.elf"
        path.write_text(slice_of(0, 4, 1))
        subprocess.run([BUILD / "tandem-compile", path, "-o", program], check=True, timeout=60)
        whole = program.read_bytes()
        for closed in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)):
            program.unlink()
            done = subprocess.run([BUILD / "tandem-compile", path, "-o", program], check=False, timeout=60,
                                  preexec_fn=lambda: [os.close(number) for number in closed])  # noqa: B023
            self.assertEqual(done.returncode, 0, closed)
            self.assertEqual(program.read_bytes(), whole, closed)

    def test_a_file_that_may_not_grow_is_an_error(self):
        path, program = self.folder / "model.mlir", self.folder / "model.elf"
        path.write_text(slice_of(0, 4, 1))
        done = subprocess.run([BUILD / "tandem-compile", path, "-o", program], check=False, capture_output=True, timeout=60,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"cannot write: File too large", done.stderr)
        self.assertFalse(program.exists())

    def test_nor_does_the_name_of_a_file(self):
        path = self.folder / "a\x1b[31mb.mlir"
        path.write_text("module {")
        for source in (path, self.folder / "no\x1bsuch"):
            self.assertNotIn("\x1b", self.refused(source))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=HERE.parents[1] / "build")
    options, rest = parser.parse_known_args()
    BUILD = options.build.resolve()
    unittest.main(argv=sys.argv[:1] + rest)
