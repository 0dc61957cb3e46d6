"""tandem.onnx: models as JAX functions, as programs from the command line and through onnx.backend, node cases of ONNX's
own, refusals, and the programs of docs/onnx.md. Skipped where onnx is not installed, which scripts/python-environment
--nightly does."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import warnings

os.environ["JAX_PLATFORMS"] = "cpu"  # only where the test itself asks JAX: programs go to the machine

import needs_compiler  # noqa: F401, skips without a compiler

try:
    import tandem.onnx
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import jax
import numpy as np
import onnx
import onnx.reference
import tandem
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.runner import Runner
from tandem.onnx import backend

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ("add_bcast", "matmul_3d", "gemm_all_attributes", "conv_with_strides_padding", "maxpool_2d_ceil", "averagepool_2d_pads",
         "softmax_axis_1", "layer_normalization_2d_axis1", "batchnorm_example", "reduce_log_sum_exp_keepdims_example",
         "resize_upsample_sizes_nearest", "reshape_negative_dim", "slice_neg_steps", "split_variable_parts_1d_opset18",
         "gather_elements_1", "scatternd_add", "top_k", "lstm_with_peepholes", "gru_seq_length", "if", "loop11", "scan9_sum",
         "quantizelinear_axis", "dequantizelinear_uint4", "qlinearmatmul_2D_uint8_float32", "cast_FLOAT_to_INT4",
         "attention_4d_fp16", "bitshift_right_int32_negative_input", "einsum_batch_matmul", "where_long_example")


def model_of(nodes, inputs, outputs, weights=(), opset=17):
    infos = [[helper.make_tensor_value_info(*item) for item in items] for items in (inputs, outputs)]
    graph = helper.make_graph(nodes, "g", *infos, [numpy_helper.from_array(array, name) for name, array in weights])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def layer(batch=4):
    random = np.random.default_rng(0)
    weights = [("w", random.normal(size=(16, 8)).astype(np.float32)), ("b", random.normal(size=8).astype(np.float32))]
    nodes = [helper.make_node("Gemm", ["x", "w", "b"], ["s"]), helper.make_node("Relu", ["s"], ["y"])]
    return model_of(nodes, [("x", TensorProto.FLOAT, [batch, 16])], [("y", TensorProto.FLOAT, [batch, 8])], weights)


def numbers(*shape):
    return np.random.default_rng(1).normal(size=shape).astype(np.float32)


class Files(unittest.TestCase):
    """The command's handling of files that are invalid, damaged, or its own inputs."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()), "inner")
        self.folder.mkdir()
        self.path = self.folder / "model.onnx"

    def command(self, *options, output="model.elf"):
        return subprocess.run([sys.executable, "-m", "tandem.onnx", "model.onnx", "-o", output, "--preset", "small", *options],
                              capture_output=True, text=True, cwd=self.folder)

    def refused(self, word, *options, output="model.elf"):
        ended = self.command(*options, output=output)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""), ended.stderr)
        self.assertRegex(ended.stderr, word)
        self.assertNotIn("Traceback", ended.stderr)

    def test_no_input_is_written_over(self):
        onnx.save(layer(), self.path, save_as_external_data=True, location="weights.bin", size_threshold=0)
        np.save(self.folder / "x.npy", numbers(4, 16))
        files = {path: path.read_bytes() for path in self.folder.iterdir()}
        for name in ("model.onnx", "weights.bin", "x.npy"):
            self.refused("is an input of this command", "--fix", "x=x.npy", output=name)
        self.assertEqual({path: path.read_bytes() for path in self.folder.iterdir()}, files)

    def test_data_elsewhere_is_not_read(self):
        """Neither from beside the model's folder, nor from the current one where a model was not loaded with its data."""
        secret = self.folder.parent / "secret.bin"
        secret.write_bytes(layer().graph.initializer[0].raw_data)
        (self.folder / "link").symlink_to(secret)
        for location in ("../secret.bin", str(secret), "/dev/zero", "link"):
            model = layer()
            tensor = model.graph.initializer[0]
            tensor.ClearField("raw_data")
            tensor.data_location = TensorProto.EXTERNAL
            tensor.external_data.add(key="location", value=location)
            self.path.write_bytes(model.SerializeToString())
            self.refused("tandem.onnx: ")
            with self.assertRaisesRegex(tandem.onnx.Refused, "was not loaded"):
                tandem.onnx.load(model)

    def test_what_cannot_be_read_is_refused(self):
        whole = layer().SerializeToString()
        for data in (b"", b"nonsense", whole[:len(whole) // 2], b"\x0a\xff\xff\xff\xff\x0f"):
            self.path.write_bytes(data)
            self.refused("tandem.onnx: ")
        self.path.write_bytes(whole)
        (self.folder / "x.npy").write_bytes(b"\x80\x04cos\nsystem\n")  # no pickle is read
        self.refused("pickle", "--fix", "x=x.npy")
        model = layer()
        model.graph.initializer[0].dims[0] = 1 << 62
        self.path.write_bytes(model.SerializeToString())
        self.refused("tandem.onnx: ")
        loop = helper.make_function("own", "Again", ["x"], ["y"], [helper.make_node("Again", ["x"], ["y"], domain="own")],
                                    [helper.make_opsetid("own", 1)])
        model = model_of([helper.make_node("Again", ["x"], ["y"], domain="own")], [("x", TensorProto.FLOAT, [4])], [("y", TensorProto.FLOAT, [4])])
        model.functions.append(loop)
        model.opset_import.append(helper.make_opsetid("own", 1))
        self.path.write_bytes(model.SerializeToString())
        self.refused("tandem.onnx: ")

    def test_a_few_lines_do_not_ask_for_a_million_nodes(self):
        def call(number, value, result):
            return helper.make_node(f"F{number}", [value], [result], domain="own")

        model = model_of([call(0, "x", "y")], [("x", TensorProto.FLOAT, [4])], [("y", TensorProto.FLOAT, [4])])
        own = helper.make_opsetid("own", 1)
        model.functions.extend(helper.make_function("own", f"F{number}", ["a"], ["b"], [call(number + 1, "a", "t"), call(number + 1, "t", "b")], [own])
                               for number in range(40))
        model.functions.append(helper.make_function("own", "F40", ["a"], ["b"], [helper.make_node("Neg", ["a"], ["b"])], list(model.opset_import)))
        model.opset_import.append(own)
        self.path.write_bytes(model.SerializeToString())
        self.refused("e.12 nodes when its functions are written out")

    def test_a_value_is_computed_once(self):
        for nodes, name in (([("Neg", "x", "y"), ("Abs", "x", "y")], "y"), ([("Neg", "x", "x"), ("Abs", "x", "y")], "x")):
            model = model_of([helper.make_node(kind, [taken], [made]) for kind, taken, made in nodes], [("x", TensorProto.FLOAT, [4])],
                             [("y", TensorProto.FLOAT, [4])])
            self.path.write_bytes(model.SerializeToString())
            self.refused(f"`{name}` of the graph is computed twice")
        unwanted = model_of([helper.make_node("TopK", ["x", "k"], ["", "y"]), helper.make_node("TopK", ["x", "k"], ["z", ""])],
                            [("x", TensorProto.FLOAT, [4])], [("y", TensorProto.INT64, [2]), ("z", TensorProto.FLOAT, [2])], [("k", np.array([2]))])
        self.path.write_bytes(unwanted.SerializeToString())
        self.assertEqual(self.command().returncode, 0)

    def test_negative_sizes_are_refused(self):
        tile = model_of([helper.make_node("Tile", ["x", "n"], ["y"])], [("x", TensorProto.FLOAT, [4])], [("y", TensorProto.FLOAT, None)],
                        [("n", np.array([-3]))])
        add = model_of([helper.make_node("Add", ["x", "w"], ["y"])], [("x", TensorProto.FLOAT, [4])], [("y", TensorProto.FLOAT, [4])],
                       [("w", np.ones(4, np.float32))])
        add.graph.initializer[0].dims[0] = -1
        for model, said in ((tile, "-3.* repeats"), (add, "`w` has the sizes")):
            self.path.write_bytes(model.SerializeToString())
            self.refused(said)


class Api(unittest.TestCase):
    def test_a_loaded_model_is_a_function_of_weights_and_inputs(self):
        with tempfile.TemporaryDirectory() as folder:
            onnx.save(layer(), f"{folder}/model.onnx")
            function, weights = tandem.onnx.load(f"{folder}/model.onnx")
        self.assertEqual((list(function.inputs), function.outputs, list(weights)), (["x"], ["y"], ["w"]))
        expected, = onnx.reference.ReferenceEvaluator(layer()).run(None, {"x": numbers(4, 16)})
        got, = jax.jit(function)(weights, {"x": numbers(4, 16)})
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)
        gradient = jax.grad(lambda weights: function(weights, {"x": numbers(4, 16)})[0].sum())(weights)["w"]
        np.testing.assert_allclose(gradient, numbers(4, 16).T @ (expected > 0), rtol=1e-5, atol=1e-5)

    def test_backend_runs_models_and_nodes(self):
        expected, = onnx.reference.ReferenceEvaluator(layer()).run(None, {"x": numbers(4, 16)})
        for precision, bound in (("highest", 1e-5), ("default", 0.1)):
            got, = backend.prepare(layer(), precision=precision).run([numbers(4, 16)])
            np.testing.assert_allclose(got, expected, rtol=bound, atol=bound)
        total, = backend.run_node(helper.make_node("Add", ["x", "y"], ["z"]), [np.arange(3), np.arange(3)])
        self.assertEqual((total.dtype, total.tolist()), (np.int64, [0, 2, 4]))

    def test_inputs_that_decide_shapes_become_constants(self):
        model = model_of([helper.make_node("Reshape", ["x", "s"], ["y"])],
                         [("x", TensorProto.FLOAT, [4, 6]), ("s", TensorProto.INT64, [2])], [("y", TensorProto.FLOAT, [None, None])])
        machine = backend.prepare(model)
        for shape in ((3, 8), (2, -1)):
            got, = machine.run([numbers(4, 6), np.array(shape)])
            np.testing.assert_array_equal(got, numbers(4, 6).reshape(shape))
        function, weights = tandem.onnx.load(model)
        with self.assertRaisesRegex(tandem.onnx.Refused, r"Reshape \(node `y`, opset 17\): the values of the input `s` decide shapes"):
            jax.jit(function)(weights, {"x": numbers(4, 6), "s": np.array([3, 8])})
        function, weights = tandem.onnx.load(model, fixed={"s": np.array([3, 8])})
        self.assertEqual(jax.jit(function)(weights, {"x": numbers(4, 6)})[0].shape, (3, 8))


class CommandLine(unittest.TestCase):
    def run_on(self, model, *arguments):
        path = pathlib.Path(self.folder.name) / "model.onnx"
        onnx.save(model, path)
        return subprocess.run([sys.executable, "-m", "tandem.onnx", path, "-o", path.with_suffix(".elf"), *arguments],
                              capture_output=True, text=True, check=False), path.with_suffix(".elf")

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_it_writes_a_program_that_runs(self):
        done, elf = self.run_on(layer("batch"), "--size", "batch=4", "--preset", "nano")
        self.assertEqual((done.returncode, done.stdout), (0, "arg0: x 4x16 float32\nout0: y\n"), done.stderr)
        expected, = onnx.reference.ReferenceEvaluator(layer()).run(None, {"x": numbers(4, 16)})
        run = tandem.Device(preset="nano").load(elf)(arg0=numbers(4, 16))
        np.testing.assert_allclose(run.outputs["out0"], expected, rtol=1e-5, atol=1e-5)

    def test_an_open_size_is_an_error(self):
        done, elf = self.run_on(layer("batch"))
        self.assertEqual((done.returncode, done.stderr), (1, "tandem.onnx: the input `x` leaves a size open: --size batch=...\n"))
        self.assertFalse(elf.exists())


class Refusals(unittest.TestCase):
    def refused(self, node, kind=TensorProto.FLOAT, value=None, opset=17):
        value = np.ones(4, np.float32) if value is None else value
        model = model_of([node], [("x", kind, value.shape)], [("y", kind, value.shape)], opset=opset)
        with self.assertRaises(tandem.onnx.Refused) as caught:
            backend.prepare(model).run([value])
        return str(caught.exception)

    def test_operators_by_name(self):
        said = self.refused(helper.make_node("RandomNormalLike", ["x"], ["y"], name="noise"))
        self.assertEqual(said, "ONNX on Tandem: RandomNormalLike (node `noise`, opset 17): no such operator here")

    def test_values_beyond_32_bits(self):
        said = self.refused(helper.make_node("Neg", ["x"], ["y"]), TensorProto.INT64, np.array([1, 1 << 40]))
        self.assertEqual(said, "`x` holds 1099511627776, which int32 cannot")

    def test_arrays_that_the_model_does_not_declare(self):
        machine = backend.prepare(layer())
        with self.assertRaisesRegex(TypeError, "`x` is declared as float32, an array of int32 was given"):
            machine.run([np.ones((4, 16), np.int32)])
        with self.assertRaisesRegex(ValueError, r"`x` is declared with the shape \[4, 16\], an array of \[5, 16\] was given"):
            machine.run([numbers(5, 16)])

    def test_training_of_old_opsets(self):
        said = self.refused(helper.make_node("Dropout", ["x"], ["y"]), opset=6)
        self.assertIn("Dropout (node `y`, opset 6): random numbers of training", said)

    def test_bits_of_64(self):
        said = self.refused(helper.make_node("BitwiseNot", ["x"], ["y"]), TensorProto.UINT64, np.array([1], np.uint64), opset=18)
        self.assertIn("BitwiseNot (node `y`, opset 18): bits of 64-bit elements", said)


class HostileConstants(unittest.TestCase):
    """Known values that no operator can take: the node is named."""

    def function(self, nodes, outputs, **weights):
        model = model_of(nodes, [("x", TensorProto.FLOAT, [4])], [(name, TensorProto.FLOAT, None) for name in outputs],
                         [(name, np.asarray(value)) for name, value in weights.items()], opset=18)
        path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "m.onnx"
        onnx.save(model, path)
        return tandem.onnx.load(path)

    def refused(self, said, node, **weights):
        summed = [helper.make_node("Cast", ["r"], ["f"], to=TensorProto.FLOAT), helper.make_node("ReduceSum", ["f"], ["s"], keepdims=0),
                  helper.make_node("Add", ["x", "s"], ["y"])]
        function, parameters = self.function([node, *summed], ["y"], **weights)
        with self.assertRaisesRegex(tandem.onnx.Refused, rf"^ONNX on Tandem: {node.op_type} \(node `n`, opset 18\): {said}"):
            jax.jit(function).lower(parameters, {"x": np.ones(4, np.float32)})

    def loop(self, trips, scanned=False):
        """Doubles the first input while it is less than 100."""
        infos = [helper.make_tensor_value_info(*info) for info in (
            ("i", TensorProto.INT64, []), ("go", TensorProto.BOOL, []), ("v", TensorProto.FLOAT, [4]),
            ("on", TensorProto.BOOL, []), ("w", TensorProto.FLOAT, [4]), ("each", TensorProto.FLOAT, [4]))]
        steps = [helper.make_node("Add", ["v", "v"], ["w"]), helper.make_node("Identity", ["w"], ["each"])]
        steps += ([helper.make_node("Identity", ["go"], ["on"])] if scanned else
                  [helper.make_node("ReduceMax", ["w"], ["m"], keepdims=0), helper.make_node("Less", ["m", "most"], ["on"])])
        body = helper.make_graph(steps, "body", infos[:3], infos[3:] if scanned else infos[3:5])
        node = helper.make_node("Loop", ["n", "", "x"], ["y", "rows"] if scanned else ["y"], name="n", body=body)
        return self.function([node], ["y"], n=np.int64(trips), most=np.float32(100))

    def test_sizes(self):
        integer = lambda **values: {name: np.int64(value) for name, value in values.items()}
        counted = helper.make_node("Range", ["a", "b", "c"], ["r"], name="n")
        for first, last, step in ((0, 5, 0), (3, 3, 0)):
            self.refused(f"from {first} to {last} in steps of 0", counted, **integer(a=first, b=last, c=step))
        self.refused("from 0.0 to nan in steps of 1.0", counted, a=np.float32(0), b=np.float32(np.nan), c=np.float32(1))
        self.refused(f"{1 << 33} numbers", counted, **integer(a=0, b=1 << 33, c=1))
        self.refused(f"{1 << 44} numbers", helper.make_node("ConstantOfShape", ["a"], ["r"], name="n"), a=np.array([1 << 44]))
        self.refused(r"parts of \[0, 9\] of 4", helper.make_node("Split", ["x", "a"], ["r", "q"], name="n"), a=np.array([0, 9]))
        self.refused(f"{1 << 40} numbers", helper.make_node("OneHot", ["a", "b", "c"], ["r"], name="n"), a=np.array([1]),
                     b=np.int64(1 << 40), c=np.array([0, 1], np.float32))

    def test_results_beyond_all_memory(self):
        for kind, sizes in (("Expand", [1 << 40, 4]), ("Tile", [1 << 50])):
            self.refused("[0-9]+ numbers", helper.make_node(kind, ["x", "a"], ["r"], name="n"), a=np.array(sizes))
        for mode, said in (("constant", f"{(1 << 40) + 4} numbers"), ("reflect", f"{(1 << 40) + 4} numbers"), ("wrap", "[0-9]+ numbers")):
            self.refused(said, helper.make_node("Pad", ["x", "a"], ["r"], name="n", mode=mode), a=np.array([1 << 40, 0]))
        self.refused("padding of .* more than 100 times", helper.make_node("Pad", ["x", "a"], ["r"], name="n", mode="reflect"), a=np.array([0, 401]))

    def test_impossible_shapes_and_parts(self):
        reshaped = helper.make_node("Reshape", ["x", "a"], ["r"], name="n")
        for sizes, said in (([-5], "to the sizes"), ([-1, -1], "to the sizes"), ([1 << 62, 0], f"{1 << 62} numbers"), ([1 << 40], f"{1 << 40} numbers")):
            self.refused(said, reshaped, a=np.array(sizes))
        with self.assertRaisesRegex(tandem.onnx.Refused, f"AveragePool .*: {(1 << 62) + 4} numbers"):
            function, parameters = self.function(
                [helper.make_node("Unsqueeze", ["x", "a"], ["u"]), helper.make_node("AveragePool", ["u"], ["y"], kernel_shape=[1], pads=[0, 1 << 62])],
                ["y"], a=np.array([0, 1]))
            jax.jit(function).lower(parameters, {"x": np.ones(4, np.float32)})
        for count in (0, 3, 1 << 40):
            self.refused(f"{count} parts for 2 outputs", helper.make_node("Split", ["x"], ["r", "q"], name="n", num_outputs=count))
        self.refused("3 parts for 2 outputs", helper.make_node("Split", ["x", "a"], ["r", "q"], name="n"), a=np.array([1, 1, 2]))

    def test_data_of_another_size_or_type(self):
        """Damaged files: the tensor is named, wherever it is, and ONNX's inference of shapes does not end the process."""
        def load(change, nodes=(), outputs=()):
            model = model_of([helper.make_node("Gather", ["x", "a"], ["y"]), *nodes], [("x", TensorProto.FLOAT, [4])],
                             [(name, TensorProto.FLOAT, None) for name in ("y", *outputs)], [("a", np.array([0, 2]))], opset=18)
            change(model.graph.initializer[0])
            return tandem.onnx.load(model)

        def sizes(*counts):
            def change(tensor):
                del tensor.dims[:]
                tensor.dims.extend(counts)
            return change

        kind = lambda number: lambda tensor: setattr(tensor, "data_type", number)
        cut = lambda length: lambda tensor: setattr(tensor, "raw_data", tensor.raw_data[:length])
        for change in (sizes(3), sizes(1 << 40), sizes(1 << 62, 4), sizes(), kind(99), kind(0), cut(7), cut(8), cut(0)):
            with self.assertRaisesRegex(tandem.onnx.Refused, "^ONNX on Tandem: `a` of the sizes"):
                load(change)
        with self.assertRaisesRegex(tandem.onnx.Refused, "negative|sizes"):
            load(sizes(-2))
        # A slice of a negative number of elements ended the process.
        known = lambda name, *numbers: helper.make_node("Constant", [], [name], value=numpy_helper.from_array(np.array(numbers)))
        nodes = [known("c", 0, 1), known("d", 2), known("e", 1), helper.make_node("Unsqueeze", ["x", "c"], ["u"]),
                 helper.make_node("MaxPool", ["u"], ["p"], kernel_shape=[99]), helper.make_node("Slice", ["p", "e", "e", "d"], ["f"])]
        function, parameters = load(lambda tensor: None, nodes, ["f"])
        jax.jit(function).lower(parameters, {"x": np.ones(4, np.float32)})

    def test_indices_outside_of_their_axis(self):
        node = lambda kind, inputs, **attributes: helper.make_node(kind, inputs, ["r"], name="n", **attributes)
        for given in ([4], [0, -5], [[1 << 40]]):
            worst = np.array(given).reshape(-1)[-1]
            self.refused(f"index {worst} of 4", node("Gather", ["x", "a"]), a=np.array(given))
        self.refused("index 9 of 4", node("GatherElements", ["x", "a"]), a=np.array([0, 9]))
        self.refused("index -5 of 4", node("GatherND", ["x", "a"]), a=np.array([[0], [-5]]))
        self.refused("2 indices of 1 axes", node("GatherND", ["x", "a"]), a=np.array([[0, 1]]))
        self.refused("index 4 of 4", node("ScatterElements", ["x", "a", "b"]), a=np.array([4]), b=np.ones(1, np.float32))
        self.refused("index 7 of 4", node("ScatterND", ["x", "a", "b"]), a=np.array([[7]]), b=np.ones(1, np.float32))
        known = np.arange(3)  # all of it is known
        self.refused("index 3 of 3", node("Gather", ["b", "a"]), a=np.array([3]), b=known)
        for kind in ("Gather", "GatherElements"):
            function, parameters = self.function([node(kind, ["x", "a"])], ["r"], a=np.array([-4, 3, -1]))
            result = jax.jit(function)(parameters, {"x": np.array([1, 2, 3, 4], np.float32)})
            np.testing.assert_array_equal(jax.tree.leaves(result)[0], [1, 4, 4])

    def test_axes_that_are_not_there(self):
        node = lambda kind, inputs, **attributes: helper.make_node(kind, inputs, ["r"], name="n", **attributes)
        one = {"a": np.array([7])}
        for kind in ("Squeeze", "Unsqueeze", "ReduceSum", "CumSum"):
            self.refused("axis 7 of a tensor with [12]", node(kind, ["x", "a"]), **one)
        self.refused(r"axes \[0, 0\]: one of them twice", node("ReduceSum", ["x", "a"]), a=np.array([0, -1]))
        self.refused("axis 2 of a tensor with 1", node("Slice", ["x", "a", "b", "c"]), a=np.array([0]), b=np.array([2]), c=np.array([2]))
        self.refused("a step of 0", node("Slice", ["x", "a", "b", "c", "d"]), a=np.array([0]), b=np.array([2]), c=np.array([0]), d=np.array([0]))
        self.refused("axis 3 of a tensor with 1", node("Flatten", ["x"], axis=3))
        # Ends beyond the tensor are its ends.
        for first, last, step, wanted in ((-9, 9, 1, [1, 2, 3, 4]), (1 << 40, -(1 << 40), -1, [4, 3, 2, 1]), (7, 9, 1, [])):
            function, parameters = self.function([node("Slice", ["x", "a", "b", "c", "d"])], ["r"], a=np.array([first]), b=np.array([last]),
                                                 c=np.array([0]), d=np.array([step]))
            result = jax.jit(function)(parameters, {"x": np.array([1, 2, 3, 4], np.float32)})
            np.testing.assert_array_equal(jax.tree.leaves(result)[0], wanted)

    def test_loops_that_only_their_condition_ends(self):
        for trips in ((1 << 63) - 1, 1 << 60, 1 << 31):
            function, parameters = self.loop(trips)
            result = jax.jit(function)(parameters, {"x": np.array([1, 2, 3, 0], np.float32)})
            np.testing.assert_array_equal(jax.tree.leaves(result)[0], [64, 128, 192, 0])

    def test_rounds_that_are_written_out_have_a_limit(self):
        function, parameters = self.loop(1 << 60, scanned=True)
        with unittest.mock.patch("tandem.onnx.operators.control_flow._MOST_WRITTEN", 50), \
                self.assertRaisesRegex(tandem.onnx.Refused, r"Loop \(node `n`, opset 18\): .* more than 50 nodes in all its rounds"):
            jax.jit(function).lower(parameters, {"x": np.ones(4, np.float32)})


class NodeCases(unittest.TestCase):
    """By ONNX's own runner: its class of tests, with our backend, unchanged."""

    def test_a_few_dozen_pass(self):
        with warnings.catch_warnings():  # of ONNX's own arithmetic
            warnings.simplefilter("ignore")
            runner = Runner(backend.TandemBackend, __name__)
        for name in CASES:
            runner.include(f"^test_{name}_cpu$")
        result = unittest.TestResult()
        runner.test_suite.run(result)
        self.assertEqual([(str(test), text[-400:]) for test, text in result.errors + result.failures], [])
        self.assertEqual(result.testsRun - len(result.skipped), len(CASES))


class Document(unittest.TestCase):
    def test_its_programs_give_what_it_says(self):
        text = (ROOT / "docs/onnx.md").read_text()
        pairs = re.findall(r"^```python\n(.*?)^```\n+```text\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
        self.assertGreaterEqual(len(pairs), 2)
        with tempfile.TemporaryDirectory() as folder:
            for program, expected in pairs:
                done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=folder)
                self.assertEqual(done.stdout, expected, done.stderr)


if __name__ == "__main__":
    unittest.main()
