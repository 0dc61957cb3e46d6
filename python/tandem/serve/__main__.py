"""A model behind OpenAI's protocol.

    python -m tandem.serve MODEL [--preset full] [--model golden|cycle] [--weights int8] [--port 8000]

MODEL is a file .gguf, a folder with config.json, *.safetensors and tokenizer.json, or a checkpoint .bin of llama2.c.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import sys
import time

import uvicorn

from tandem import jax_tools, tools
from tandem.serve.application import Endpoint
from tandem.serve.engine import Engine
from tandem.serve.machine import Machine
from tandem.serve.model import Model, Refused, load
from tandem.serve.packed import FORMS
from tandem.serve.pages import Pool


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tandem.serve", description="A language model behind OpenAI's protocol.")
    parser.add_argument("path", type=pathlib.Path, metavar="MODEL", help="a file .gguf or .bin, or a folder with .safetensors")
    parser.add_argument("--preset", default=os.environ.get("TANDEM_PRESET", "full"))
    parser.add_argument("--model", choices=["golden", "cycle"], default=os.environ.get("TANDEM_MODEL", "golden"), dest="simulation")
    parser.add_argument("--weights", choices=list(FORMS), default="bf16", help="form of matrices in memory")
    parser.add_argument("--rows", type=positive, default=16, help="tokens a step, and requests at a time")
    parser.add_argument("--context", type=positive, help="tokens of a request, prompt and answer; the model's, at most 512, if not given")
    parser.add_argument("--page", type=positive, default=16, help="positions of a page of keys and values")
    parser.add_argument("--pages", type=positive, help="pages in all; if not given, a full context for each row, and 64 MiB at least")
    parser.add_argument("--queue", type=positive, default=1000, help="requests that may wait; further ones get status 429")
    parser.add_argument("--no-reuse", action="store_true", help="beginnings that were computed already are computed again")
    parser.add_argument("--chat-template", type=pathlib.Path, help="a file with a Jinja template in place of the model's")
    parser.add_argument("--hbm", type=positive, default=4, metavar="GIB", help="the device's memory")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000, help="0 takes a free one")
    return parser.parse_args()


_LEAST = 64 << 20  # bytes of pages: more than any preset's VMEM, so that they stay in HBM, and prefixes stay cached


def engine_of(model: Model, given: argparse.Namespace) -> Engine:
    context = given.context or min(512, model.shape.positions)
    if context > model.shape.positions:
        raise Refused(f"--context {context}: the model knows {model.shape.positions} positions")
    table = -(-context // given.page)
    of_page = 4 * model.shape.layers * given.page * 2 * model.shape.keys
    count = 1 + (given.pages or max(table * given.rows, _LEAST // of_page))
    if count <= table:
        raise Refused(f"--pages {given.pages}: one request needs {table}")
    machine = Machine(model, preset=given.preset, simulation=given.simulation, form=given.weights, rows=given.rows, table=table,
                      page=given.page, count=count, hbm=given.hbm << 30)
    return Engine(machine, Pool(count, given.page), model.tokens, queue=given.queue, reuse=not given.no_reuse)


class _Server(uvicorn.Server):
    """Prints its address as soon as it listens."""

    async def startup(self, sockets: list | None = None) -> None:
        await super().startup(sockets)
        for server in self.servers:
            for socket in server.sockets:
                host, port = socket.getsockname()[:2]
                print(f"tandem.serve: http://{host}:{port}/v1", flush=True)


def main() -> int:
    given = options()
    begin = time.monotonic()
    try:
        model = load(given.path)
        template = tools.input_file(given.chat_template).read_text() if given.chat_template else model.chat_template
        engine = engine_of(model, given)
        application = Endpoint(engine, model, template).application()
    except (Refused, jax_tools.CompileError, OSError, MemoryError) as error:
        print(f"tandem.serve: {error}", file=sys.stderr)
        return 1
    step = f", {engine.step_cycles:,} cycles a step" if engine.step_cycles else ""
    print(f"tandem.serve: {model.name} on {given.preset}, {given.simulation}, {given.weights}{step}, ready after "
          f"{time.monotonic() - begin:.1f} s", flush=True)
    try:
        _Server(uvicorn.Config(application, host=given.host, port=given.port, log_level="warning", timeout_graceful_shutdown=5)).run()
    except KeyboardInterrupt:  # uvicorn re-raises it when everything is closed
        return 130
    finally:
        engine.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
