"""tandem.serve: a story model behind HTTP, asked by OpenAI's client, beside a Llama in NumPy; files of models; pages."""

import ast
import concurrent.futures
import contextlib
import io
import json
import pathlib
import re
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import needs_compiler  # noqa: F401, skips without a compiler
import numpy as np

try:
    import gguf
    import openai
    import tandem.serve.__main__  # noqa: F401
except ImportError as error:
    print(f"skipped: {error} (scripts/python-environment)")
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).parent / "serve_cases"))

import small_llama
from counting import Counting
from engines import made_by
from reference import SHARED, STORIES, STORIES_WORDS, as_int4, checkpoint, text, words
from served import health, served

from tandem.serve.application import Endpoint
from tandem.serve.chat import Template
from tandem.serve.engine import Engine, Full
from tandem.serve.machine import Machine, Rows
from tandem.serve.model import Refused, load
from tandem.serve.packed import packed, product
from tandem.serve.pages import Pool, chain
from tandem.serve.requests import Request, Wish

# Chosen so that no two best scores are closer than 0.006, of 23: bfloat16 products could swap closer ones.
BEGINNINGS = ["", "Once upon a time", "Once upon a time, a little girl named", "Once upon a time, a boy named Tom lived in a house",
              "Once upon a time, a boy", "Once upon a time, a little girl named Lily", "Once upon a time, a little girl named Nina lived in a cabin in the forest. Nina loved to dance in the forest."]

TEMPLATE = "{% if messages[0].role != 'user' %}{{ raise_exception('users only') }}{% endif %}{{ messages | map(attribute='content') | join(' ') }}"


class Stories(unittest.TestCase):
    """Over HTTP."""

    @classmethod
    def setUpClass(cls):
        cls.reference, cls.words = checkpoint(STORIES), words(STORIES_WORDS)
        cls.tokens = load(STORIES).tokens
        template = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()), "template.jinja")
        template.write_text(TEMPLATE)
        cls.enter = cls.enterClassContext(served(STORIES, "--context", "128", "--rows", "8", "--chat-template", str(template)))

    def wanted(self, prompt, limit):
        encoded = self.tokens.encode(prompt)
        made = self.reference.greedy(encoded, limit, end=1)
        found = text(made, self.words)
        return found[1:] if encoded == [1] and found.startswith(" ") else found

    def ask(self, prompt, limit=24, **options):
        return self.enter.completions.create(model="stories", prompt=prompt, max_tokens=limit, temperature=0, **options)

    def test_requests_under_load_get_their_own_answers(self):
        prompts = [BEGINNINGS[number % len(BEGINNINGS)] for number in range(21)]
        limits = [8 + 5 * (number % 4) for number in range(21)]
        before = health(self.enter)
        with concurrent.futures.ThreadPoolExecutor(16) as threads:
            answers = list(threads.map(self.ask, prompts, limits))
        for answer, prompt, limit in zip(answers, prompts, limits, strict=True):
            self.assertEqual(answer.choices[0].text, self.wanted(prompt, limit), prompt)
            self.assertEqual(answer.usage.completion_tokens, limit)
        after = health(self.enter)
        self.assertEqual((after["running"], after["waiting"]), (0, 0))
        self.assertEqual(after["requests"] - before["requests"], 21)
        shares = sum(answer.usage.tandem["cycles"] for answer in answers)
        self.assertAlmostEqual(shares, after["cycles"] - before["cycles"], delta=21)
        self.assertLess(after["steps"] - before["steps"], sum(limits) / 3)  # together, not one after the other

    def test_a_stream_is_the_same_text(self):
        parts = list(self.ask(BEGINNINGS[3], stream=True, stream_options={"include_usage": True}))
        self.assertGreater(len(parts), 20)
        self.assertEqual("".join(part.choices[0].text for part in parts[:-1]), self.wanted(BEGINNINGS[3], 24))
        self.assertEqual(parts[-2].choices[0].finish_reason, "length")
        self.assertGreater(parts[-1].usage.tandem["cycles_per_token"], 1000)

    def test_a_chat_is_put_by_its_template(self):
        first, second = "Once upon a time,", "a boy named Tom lived in a house"
        asked = {"model": "stories", "temperature": 0, "max_completion_tokens": 20, "messages": [
            {"role": "user", "content": first}, {"role": "user", "content": [{"type": "text", "text": second}]}]}
        wanted = self.wanted(f"{first} {second}", 20)
        answer = self.enter.chat.completions.create(**asked)
        self.assertEqual((answer.choices[0].message.content, answer.choices[0].message.role), (wanted, "assistant"))
        parts = list(self.enter.chat.completions.create(**asked, stream=True))
        self.assertEqual("".join(part.choices[0].delta.content or "" for part in parts), wanted)
        self.assertEqual(parts[0].choices[0].delta.role, "assistant")

    def test_who_goes_away_is_not_computed_for(self):
        state = health(self.enter)
        stream = self.ask("", 120, stream=True)
        next(iter(stream))
        stream.close()
        asked = time.monotonic()
        while health(self.enter)["running"] and time.monotonic() < asked + 10:
            time.sleep(0.01)
        after = health(self.enter)
        self.assertEqual(after["cancelled"], state.get("cancelled", 0) + 1)
        self.assertEqual(after["free_pages"], state["free_pages"])

    def test_stops_and_chance(self):
        answer = self.ask("Once upon a time", 40, stop=[".", "zzz"]).choices[0]
        self.assertEqual((answer.text, answer.finish_reason), (self.wanted("Once upon a time", 40).split(".")[0], "stop"))
        drawn = [self.enter.completions.create(model="stories", prompt="Once", max_tokens=12, temperature=1.5, seed=seed, n=2).choices
                 for seed in (1, 1, 7)]
        texts = [[choice.text for choice in choices] for choices in drawn]
        self.assertEqual(texts[0], texts[1])
        self.assertGreater(len({text for pair in texts for text in pair}), 2)

    def test_the_program_of_the_document_prints_what_stands_there(self):
        page = (pathlib.Path(__file__).parents[2] / "docs/serve.md").read_text()
        program = re.search(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[1]
        wanted = re.search(r"^```text\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[1].splitlines()
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(program.replace("http://127.0.0.1:8000/v1", str(self.enter.base_url)), {})
        text, numbers = said.getvalue().splitlines()
        self.assertEqual(text, wanted[0])
        self.assertEqual(set(ast.literal_eval(numbers)), set(ast.literal_eval(wanted[1])))

    def test_what_is_not_there_is_refused_by_name(self):
        for options, word in (({"logprobs": 3}, "logprobs"), ({"extra_body": {"mirostat": 1}}, "mirostat"), ({"top_p": 7}, "top_p"),
                              ({"frequency_penalty": 1.0}, "frequency_penalty")):
            with self.assertRaisesRegex(openai.BadRequestError, word):
                self.ask("One", **options)
        with self.assertRaisesRegex(openai.BadRequestError, "128|fit after"):
            self.ask("One", 128)
        with self.assertRaisesRegex(openai.BadRequestError, "no 'ß'"):
            self.ask("ß")
        with self.assertRaisesRegex(openai.BadRequestError, "users only"):
            self.enter.chat.completions.create(model="stories", messages=[{"role": "system", "content": "Hello"}])
        with self.assertRaises(openai.NotFoundError):
            self.enter.models.retrieve("another")
        self.assertEqual([model.id for model in self.enter.models.list()], ["stories"])

    def post(self, body, path="completions"):
        """Status and answer to a body that no client would send."""
        raw = body if isinstance(body, bytes) else json.dumps({"model": "stories", "temperature": 0, **body}).encode()
        asked = urllib.request.Request(f"{self.enter.base_url}{path}", raw, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as said:
            with said:
                return said.code, json.load(said)

    def test_no_call_harms_another(self):
        """Requests that would compute for hours or take all memory are refused first; others do not disturb each
        other."""
        prompt = BEGINNINGS[3]
        with concurrent.futures.ThreadPoolExecutor(1) as threads:
            other = threads.submit(self.ask, prompt, 100)
            hostile = {
                "a long text": ({"prompt": "a" * 10_000_000}, 400), "a long text without blanks": ({"prompt": "one" * 500}, 400),
                "many texts": ({"prompt": ["a"] * 500_000, "n": 64}, 400), "a long stop": ({"prompt": "One", "stop": "a" * 4_000_000}, 400),
                "many stops": ({"prompt": "One", "stop": ["a"] * 1000}, 400), "no letter": ({"prompt": "\ud800"}, 400),
                "options of a stream": ({"prompt": "One", "stream": True, "stream_options": [1]}, 400), "a model": ({"model": "\ud800\x1b"}, 404),
                "a number": ({"prompt": "One", "max_tokens": "9" * 100_000}, 400), "a stream of what": ({"prompt": "One", "stream": "no"}, 400),
                "no JSON": (b"{" * 100_000, 400), "no object": (b"[]", 400), "a large number": (b'{"n": ' + b"9" * 100_000 + b"}", 400),
                "no text": (b"\xff\xfe", 400), "no number": (b'{"model": "stories", "prompt": "One", "temperature": NaN}', 400),
                "a large body": (b" " * (17 << 20), 413)}
            for name, value in (("stop", 0), ("stop", False), ("stop", {}), ("stop", ""), ("stop", 1.5), ("logprobs", 0), ("echo", 0),
                                ("best_of", True), ("best_of", 1.0), ("top_logprobs", False), ("frequency_penalty", False), ("n", True),
                                ("n", 1.0), ("seed", 1.5), ("max_tokens", True), ("temperature", "1"), ("top_p", [1]), ("user", 5),
                                ("metadata", []), ("store", 0), ("messages", []), ("stream", 1), ("stream_options", {"include_usage": 1}),
                                ("stream_options", {"usage": True}), ("model", None), ("model", 5), ("tools", {}), ("logit_bias", [])):
                hostile[f"{name}: {value!r}"] = ({"prompt": "One", name: value}, 400)
            hostile["two limits"] = ({"prompt": "One", "max_completion_tokens": 4, "max_tokens": "many"}, 400)
            for name, (body, status) in hostile.items():
                begin = time.monotonic()
                got, said = self.post(body)
                self.assertEqual((name, got), (name, status), said)
                self.assertLess(len(said["error"]["message"]), 400, name)
                self.assertLess(time.monotonic() - begin, 20, name)
            # What changes nothing is taken.
            got, said = self.post({"prompt": prompt, "max_tokens": 8, "stop": None, "frequency_penalty": 0, "presence_penalty": 0.0, "echo": False,
                                   "best_of": 1, "logprobs": None, "user": "me", "metadata": {}, "logit_bias": {}, "n": 1})
            self.assertEqual((got, said["choices"][0]["text"]), (200, self.wanted(prompt, 8)), said)
            # The least numbers that are greater than 0.
            for options in ({"temperature": 1e-310}, {"temperature": 5e-324, "top_p": 1e-310}):
                got, said = self.post({"prompt": prompt, "max_tokens": 8, **options})
                self.assertEqual((got, said["choices"][0]["text"]), (200, self.wanted(prompt, 8)), said)
            self.assertEqual(other.result().choices[0].text, self.wanted(prompt, 100))
        self.assertEqual((health(self.enter)["running"], health(self.enter)["waiting"]), (0, 0))


class Engines(unittest.TestCase):
    def test_a_beginning_that_is_known_changes_nothing(self):
        model, prompt = load(STORIES), load(STORIES).tokens.encode(BEGINNINGS[-1])
        prompts = [prompt, prompt[:20], prompt[:17] + prompt[:5], *[prompt] * 5]
        plain, _, none = made_by(model, prompts, 10, reuse=False)
        reused, events, state = made_by(model, prompts, 10, extra=8)
        self.assertEqual(plain, reused)
        self.assertEqual(none["reused_tokens"], 0)
        self.assertEqual(state["reused_tokens"], sum(event.usage["prompt_tokens_details"]["cached_tokens"] for event in events))
        self.assertGreater(state["reused_tokens"], 60)
        self.assertLess(state["rows"], none["rows"] - 60)

    def test_a_row_has_the_same_bits_in_any_company(self):
        """For any weights and pages: the scores of a step that began empty."""
        model, random = load(STORIES), np.random.default_rng(5)
        machine = Machine(model, preset="small", simulation="golden", form="int8", rows=6, table=4, page=8, count=25, hbm=1 << 30)
        tables = np.arange(1, 25, dtype=np.int32).reshape(6, 4)
        for position in range(9):
            machine.step(Rows(random.integers(3, 500, 6, np.int32), np.full(6, position, np.int32), tables))
        tokens, positions = random.integers(3, 500, 6, np.int32), np.full(6, 9, np.int32)
        machine.step(Rows(tokens, positions, tables))
        together = machine.scores()
        for order in (np.arange(6)[::-1], np.array([3, 0, 5, 1, 4, 2])):
            machine.step(Rows(tokens[order], positions, tables[order]))
            np.testing.assert_array_equal(machine.scores().view(np.uint32), together[order].view(np.uint32))
        lonely = np.zeros((6, 4), np.int32)
        lonely[4] = tables[2]
        machine.step(Rows(np.where(np.arange(6) == 4, tokens[2], 0), np.where(np.arange(6) == 4, 9, 0), lonely))
        np.testing.assert_array_equal(machine.scores()[4].view(np.uint32), together[2].view(np.uint32))

    def test_cycles_are_those_of_the_run(self):
        model = load(STORIES)
        made, events, state = made_by(model, [[1], [1, 5]], 3, simulation="cycle")
        golden, others, other = made_by(model, [[1], [1, 5]], 3)
        self.assertEqual(made, golden)
        self.assertEqual([event.usage["tandem"]["cycles_from"] for event in events + others], ["run"] * 2 + ["step"] * 2)
        self.assertAlmostEqual(state["cycles"] / state["steps"] / (other["cycles"] / other["steps"]), 1, delta=0.02)

    def test_the_published_stories(self):
        if not SHARED.is_dir():
            self.skipTest(f"no {SHARED}")
        wanted = [int(token) for token in (SHARED / "greedy_tokens.txt").read_text().split()][:40]
        [made], _, _ = made_by(load(SHARED / "stories260K.bin"), [[1]], 40)
        self.assertEqual(made, wanted)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.weights = small_llama.weights(3)

    def test_gguf_and_safetensors_hold_the_same_llama(self):
        small_llama.write_gguf(self.folder / "small.gguf", self.weights)
        small_llama.write_folder(self.folder / "small", self.weights)
        one, other = load(self.folder / "small.gguf"), load(self.folder / "small")
        self.assertEqual(one.shape, other.shape)
        for layer, (left, right) in enumerate(zip(one.layers, other.layers, strict=True)):
            for name, matrix in left.items():
                np.testing.assert_array_equal(matrix, right[name])
                np.testing.assert_array_equal(right[name], self.weights[name][layer])
        for said in ("the thin man in 1234 days", "Grüße, 東京 <|end|> a", "  the\n\n"):
            tokens = one.tokens.encode(said)
            self.assertEqual(tokens, other.tokens.encode(said))
            self.assertEqual(b"".join(map(one.tokens.piece, tokens)).decode(), said.replace("<|end|>", ""))
        self.assertEqual((one.tokens.ends, other.tokens.ends), ({271}, {271}))

    def test_weights_of_every_form_choose_well(self):
        small_llama.write_gguf(self.folder / "small.gguf", self.weights, gguf.GGMLQuantizationType.Q8_0)
        model = load(self.folder / "small.gguf")
        prompts = [[5, 9, 200], list(range(30)), [7]]
        for form, tolerance in (("bf16", 0.1), ("int8", 0.25)):
            self.assert_chosen_well(model, small_llama.reference(self.weights), prompts, form, tolerance)

    def test_int4_chooses_as_its_sixteen_levels_do(self):
        small_llama.write_gguf(self.folder / "small.gguf", self.weights)
        reference = small_llama.reference(as_int4(self.weights, packed))
        self.assert_chosen_well(load(self.folder / "small.gguf"), reference, [[5, 9, 200], list(range(30)), [7]], "int4", 0.1)

    def assert_chosen_well(self, model, reference, prompts, form, tolerance):
        made, _, _ = made_by(model, prompts, 6, form=form)
        worst = max(reference.worst_choice(prompt, tokens) for prompt, tokens in zip(prompts, made, strict=True))
        self.assertLess(worst, tolerance, form)

    def test_damaged_files_are_refused(self):
        """Each with a message, and quickly, for any numbers in it."""
        small_llama.write_gguf(self.folder / "small.gguf", self.weights)
        small_llama.write_folder(self.folder / "small", self.weights)
        whole, random = (self.folder / "small.gguf").read_bytes(), np.random.default_rng(9)
        broken = self.folder / "broken.gguf"
        for at in [4, 8, 16, 24, *random.integers(24, 3000, 24)]:  # lengths and counts are at the beginning
            broken.write_bytes(whole[:at] + (2**63).to_bytes(8, "little") + whole[at + 8:])
            with contextlib.suppress(Refused):
                load(broken)
        for length in (0, 3, 24, 700, len(whole) // 2):
            broken.write_bytes(whole[:length])
            with self.assertRaises(Refused, msg=length):
                load(broken)
        config = json.loads((self.folder / "small/config.json").read_text())
        for changes in ({"num_attention_heads": 0}, {"hidden_size": "many"}, {"num_hidden_layers": 10**30}, {"num_key_value_heads": 3},
                        {"head_dim": -16}, {"vocab_size": None}, {"rope_scaling": [1]}, {"hidden_size": 2.5}):
            (self.folder / "small/config.json").write_text(json.dumps({**config, **changes}))
            with self.assertRaises(Refused, msg=changes):
                load(self.folder / "small")
        (self.folder / "small/config.json").write_text("[" * 100_000)
        with self.assertRaises(Refused):
            load(self.folder / "small")
        (self.folder / "tokenizer.bin").write_bytes(bytes(4) + np.array([0, -8], np.int32).tobytes() * 9)
        for header in ([0] * 7, [4, 4, 1, 2, 2, 9, 8], [-1] * 7, [2**31 - 1] * 7, [4, 4, 2**31 - 1, 2, 2, 9, 8], [4, 4, 1, 0, 0, 9, 8]):
            (self.folder / "model.bin").write_bytes(np.array(header, np.int32).tobytes() + bytes(4000))
            with self.assertRaises(Refused, msg=header):
                load(self.folder / "model.bin")

    def test_templates_of_chats_have_limits(self):
        """They come with a model's file."""
        said = [{"role": "user", "content": "Hello \ud800"}]
        self.assertEqual(Template("{{ bos_token }}{% for m in messages %}{{ m.content }}{% break %}{% endfor %}").text(said, "<s>", ""), "<s>Hello \ud800")
        loop = "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"
        double = "{% set n = namespace(x='a') %}{% for i in range(60) %}{% set n.x = n.x ~ n.x %}{% endfor %}"
        for text, why in ((loop, "too much time"), (double, "MemoryError"), ("{{ 'a' * (1 << 40) }}", "unexpected"), ("{{ 'a' * 99999999 }}", "99999999 letters"),
                          ("{{ messages[0].content.__class__.__mro__ }}", "unsafe"), ("{{ raise_exception('no') }}", "no")):
            with self.assertRaisesRegex(Refused, why):
                Template(text).text(said, "", "")
        for text in ("{% if", "{{ " + "(" * 9999, "{{ 10 ** (10 ** 9) }}"):
            with self.assertRaisesRegex(Refused, "the model's chat template: "):
                Template(text)

    def test_what_is_no_plain_llama_is_refused(self):
        small_llama.write_folder(self.folder / "scaled", self.weights, rope_scaling={"rope_type": "llama3", "factor": 8.0})
        small_llama.write_folder(self.folder / "other", self.weights, model_type="mixtral")
        (self.folder / "broken.gguf").write_bytes(b"GGUF" + bytes(60))
        for name, word in (("scaled", "rotary"), ("other", "mixtral"), ("broken.gguf", "broken"), ("nothing.pt", "wanted")):
            with self.assertRaisesRegex(Refused, word):
                load(self.folder / name)


    def test_parts_that_do_not_fit_each_other_are_refused(self):
        """Each of them was answered with another model's text, or by a traceback."""
        plain = small_llama.weights(8)
        short = {"norm": plain["norm"][:1], "embedding": plain["embedding"][:50], "classifier": plain["classifier"][:100],
                 "attention_norm": [plain["attention_norm"][0][:1], plain["attention_norm"][1]], "down": [part[:, :5] for part in plain["down"]]}
        shifted = {"gate": [part[:40] for part in plain["gate"]], "up": [np.concatenate([part, part[:56]]) for part in plain["up"]]}
        trials = [({name: part}, {}, f"`{name}`") for name, part in short.items()]
        trials += [(shifted, {}, "`gate`"), ({}, {"vocab_size": 100}, "`embedding`"), ({}, {"vocab_size": 1000}, "`embedding`")]
        trials += [({}, {"rope_theta": value}, "`theta`") for value in (0, -5, "x", None)]
        trials += [({}, {"rms_norm_eps": value}, "`epsilon`") for value in (-5.0, float("inf"), [1])]
        trials += [({}, {"bos_token_id": value}, "begins") for value in (-1, 1 << 33, "x", True)]
        for number, (weights, config, message) in enumerate(trials):
            with self.subTest(message, number=number):
                folder = self.folder / str(number)
                small_llama.write_folder(folder, {**plain, **weights}, **config)
                with self.assertRaisesRegex(Refused, message):
                    load(folder)

    def test_a_token_that_the_model_has_not_is_refused(self):
        folder = self.folder / "more"
        small_llama.write_folder(folder, small_llama.weights(9))
        words = json.loads((folder / "tokenizer.json").read_text())
        words["added_tokens"].append({**words["added_tokens"][0], "id": small_llama.VOCABULARY, "content": "cat", "special": False})
        (folder / "tokenizer.json").write_text(json.dumps(words))
        model = load(folder)

        class Asked:
            context = 64

        ask = Endpoint(Asked, model, None)._encoded
        self.assertGreater(len(ask("the dog", True)), 2)
        with self.assertRaisesRegex(Refused, "none of 272"):
            ask("the cat", True)


class Scheduling(unittest.TestCase):
    """With a machine that only counts."""

    def engine(self, machine, pages, **options):
        class Nothing:
            begin, ends = None, frozenset()

            def piece(self, token, first=False):
                return b"x"

        engine = Engine(machine, Pool(1 + pages, machine.page), Nothing(), **options)
        self.addCleanup(engine.close)
        return engine

    def ask(self, engine, first, length, limit):
        ended = concurrent.futures.Future()
        request = Request(list(range(first, first + length)), Wish(limit), lambda event: event.reason and ended.set_result(event))
        engine.submit(request)
        return request, ended

    def test_many_requests_in_few_pages(self):
        random, engine = np.random.default_rng(2), self.engine(Counting(rows=5, table=8, page=4), 17)
        asked = [self.ask(engine, int(random.choice([100, 200, 1000 + 50 * number])), int(random.integers(1, 18)), int(random.integers(1, 14)))
                 for number in range(300)]
        for number in range(0, 300, 7):
            engine.cancel(asked[number][0])
        for number, (request, ended) in enumerate(asked):
            if number % 7 == 0:
                continue
            self.assertEqual(ended.result(60).reason, "length")
            self.assertEqual(request.made, list(range(request.prompt[-1] + 1, request.prompt[-1] + 1 + request.wish.limit)))
        state = engine.state()
        self.assertEqual((state["running"], state["waiting"], state["free_pages"]), (0, 0, 17))
        self.assertGreater(state["reused_tokens"], 100)

    def test_a_step_that_fails_is_told_and_the_rest_goes_on(self):
        machine = Counting(rows=3, table=4, page=4, fails_at=3)
        engine = self.engine(machine, 12)
        ends = [self.ask(engine, 10 * number, 4, 8)[1].result(60) for number in range(1, 4)]
        self.assertEqual([end.reason for end in ends], ["error", "length", "length"])
        self.assertIn("planted", ends[0].error)
        self.assertEqual(engine.state()["free_pages"], 12)

    def test_no_more_wait_than_may(self):
        machine = Counting(rows=1, table=4, page=4)
        engine = self.engine(machine, 4, queue=2)
        machine.go.clear()
        first = self.ask(engine, 1, 2, 2)[1]
        while engine.state()["waiting"]:
            time.sleep(0.001)
        others = [self.ask(engine, 1, 2, 2)[1] for _ in range(2)]
        with self.assertRaises(Full):
            self.ask(engine, 1, 2, 2)
        machine.go.set()
        self.assertEqual([end.result(60).reason for end in (first, *others)], ["length"] * 3)


class Parts(unittest.TestCase):
    def test_packed_weights_are_what_they_were(self):
        random = np.random.default_rng(0)
        matrix = random.normal(size=(100, 24)).astype(np.float32)
        x = random.normal(size=(3, 100)).astype(np.float32)
        for form, tolerance in (("f32", 1e-6), ("bf16", 4e-3), ("int8", 1e-2), ("int4", 0.15)):
            got, want = np.asarray(product(x, packed(matrix, form))), x @ matrix
            self.assertLess(np.linalg.norm(got - want) / np.linalg.norm(want), tolerance, form)

    def test_pages_are_given_once(self):
        random = np.random.default_rng(1)
        pool, taken = Pool(20, 4), []
        for _ in range(2000):
            if taken and random.random() < 0.5:
                pool.give_back(taken.pop(random.integers(len(taken)))[0])
                continue
            tokens = [int(token) for token in random.integers(0, 2, random.integers(1, 20))]
            shared = pool.known(tokens)
            pages = pool.take(shared, -(-len(tokens) // 4) - len(shared))
            if pages is None:
                self.assertGreater(len(taken), 0)
                continue
            for owned, others in taken:  # requests that share a page have the same prefix
                for place, page in enumerate(owned):
                    if page in pages:
                        self.assertEqual(pages.index(page), place)
                        self.assertEqual(tokens[:4 * (place + 1)], others[:4 * (place + 1)])
            taken.append((pages, tokens))
            name = b""
            for place in range(len(tokens) // 4):
                name = chain(name, tokens[4 * place:4 * place + 4])
                pool.full(pages[place], name)
            self.assertNotIn(0, pages)
        for pages, _ in taken:
            pool.give_back(pages)
        self.assertEqual(pool.room, 19)


if __name__ == "__main__":
    unittest.main()
