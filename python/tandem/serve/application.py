"""The endpoint: OpenAI's completions, chat completions and list of models over an engine."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any, AsyncIterator, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.requests import Request as Call
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from tandem.serve import wishes
from tandem.serve.answers import Answer, error, summed
from tandem.serve.chat import Template
from tandem.serve.engine import Engine, Full
from tandem.serve.model import Model, Refused
from tandem.serve.requests import Event, Request

_BODY = 16 << 20  # bytes that a call may have


class _Said(Response):
    """JSON in ASCII: an answer may quote a caller's text, which may hold invalid characters."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return json.dumps(content).encode()


class Failed(RuntimeError):
    """The machine failed to do its step."""


class _Asked:
    """The requests of a call and their output, in the event loop."""

    def __init__(self, engine: Engine, prompts: list[list[int]], wanted: list[Any]):
        self._engine, loop = engine, asyncio.get_running_loop()
        self._events: asyncio.Queue[tuple[int, Event]] = asyncio.Queue()

        def deliver(number: int) -> Callable[[Event], None]:
            def put(event: Event) -> None:
                with contextlib.suppress(RuntimeError):  # the server has ended
                    loop.call_soon_threadsafe(self._events.put_nowait, (number, event))
            return put

        self.requests: list[Request] = []
        try:
            for number, (prompt, wish) in enumerate(zip(prompts, wanted, strict=True)):
                request = Request(prompt, wish, deliver(number))
                engine.submit(request)
                self.requests.append(request)
        except Full:
            self.cancel()
            raise

    def cancel(self) -> None:
        for request in self.requests:
            self._engine.cancel(request)

    async def events(self) -> AsyncIterator[tuple[int, Event]]:
        """Waits until all have ended. Raises Failed."""
        left = len(self.requests)
        while left:
            number, event = await self._events.get()
            if event.error is not None:
                self.cancel()
                raise Failed(event.error)
            yield number, event
            left -= event.reason is not None


class _Stream(StreamingResponse):
    def __init__(self, asked: _Asked, lines: AsyncIterator[str]):
        super().__init__(lines, media_type="text/event-stream")
        self._asked = asked

    async def __call__(self, *connection: Any) -> None:
        try:
            await super().__call__(*connection)
        finally:  # the caller may be gone, before the first line too
            self._asked.cancel()


class Endpoint:
    def __init__(self, engine: Engine, model: Model, template: str | None):
        self._engine, self._model = engine, model
        self._template = None if template is None else Template(template)

    def application(self) -> Starlette:
        routes = [Route("/v1/models", self.models), Route("/v1/models/{name:path}", self.one_model),
                  Route("/v1/completions", self.completions, methods=["POST"]),
                  Route("/v1/chat/completions", self.chat, methods=["POST"]), Route("/health", self.health)]
        return Starlette(routes=routes, exception_handlers={
            HTTPException: lambda call, said: _Said(error(said.detail), said.status_code),
            Refused: lambda call, said: _Said(error(str(said)), 400),
            ClientDisconnect: lambda call, said: Response(status_code=499),
            Full: lambda call, said: _Said(error(str(said), "rate_limit_error"), 429),
            Failed: lambda call, said: _Said(error(str(said), "server_error"), 500)})

    def _described(self) -> dict[str, Any]:
        return {"id": self._model.name, "object": "model", "created": 0, "owned_by": "tandem"}

    async def models(self, call: Call) -> Response:
        return _Said({"object": "list", "data": [self._described()]})

    async def one_model(self, call: Call) -> Response:
        self._check_name(call.path_params["name"])
        return _Said(self._described())

    async def health(self, call: Call) -> Response:
        return _Said(self._engine.state())

    def _check_name(self, name: str) -> None:
        if name != self._model.name:
            raise HTTPException(404, f"the model `{name[:100]}` is not there; `{self._model.name}` is")

    async def _body(self, call: Call, about: str) -> dict[str, Any]:
        raw = bytearray()
        async for part in call.stream():
            raw += part
            if len(raw) > _BODY:
                raise HTTPException(413, f"the body is longer than {_BODY} bytes")
        try:
            body = json.loads(raw)
        except (ValueError, RecursionError) as said:
            raise Refused(f"the body is no JSON: {said}") from None
        wishes.check(body, about)
        self._check_name(body["model"])
        return body

    def _encoded(self, prompt: str | list[int], begin: bool) -> list[int]:
        if isinstance(prompt, str):
            if len(prompt) > self._engine.context * self._model.tokens.longest:
                raise Refused("the prompt is longer than a request may be (--context)")
            try:
                tokens = self._model.tokens.encode(prompt, begin)
            except ValueError as said:
                raise Refused(str(said)) from None
        else:
            tokens = prompt
        if not all(0 <= token < self._model.shape.vocabulary for token in tokens):  # a vocabulary may be larger
            raise Refused(f"a token is none of {self._model.shape.vocabulary}")
        if not tokens:
            raise Refused("the prompt has no tokens")
        return tokens

    def _check_number(self, number: int) -> None:
        """Checked first: more than may wait can never be answered."""
        if number > self._engine.queue:
            raise Refused(f"{number} answers are asked for at once; {self._engine.queue} may wait (--queue)")

    async def completions(self, call: Call) -> Response:
        body = await self._body(call, "prompt")
        given = wishes.prompts_of(body)
        self._check_number(len(given) * wishes.choices_of(body))
        prompts = await asyncio.to_thread(lambda: [self._encoded(prompt, True) for prompt in given])
        return await self._answered(call, body, prompts, 16, Answer(self._model.name, chat=False))

    async def chat(self, call: Call) -> Response:
        body = await self._body(call, "messages")
        if self._template is None:
            raise Refused("this model brings no chat template: --chat-template FILE gives it one")
        tokens = self._model.tokens
        begin, end = ("" if token is None else tokens.name(token) for token in (tokens.begin, min(tokens.ends, default=None)))
        messages = wishes.messages_of(body)
        self._check_number(wishes.choices_of(body))
        text = await asyncio.to_thread(self._template.text, messages, begin, end)
        prompt = await asyncio.to_thread(self._encoded, text, not (begin and text.startswith(begin)))
        return await self._answered(call, body, [prompt], 1 << 30, Answer(self._model.name, chat=True))

    async def _answered(self, call: Call, body: dict[str, Any], prompts: list[list[int]], limit: int,
                        answer: Answer) -> Response:
        prompts = [prompt for prompt in prompts for _ in range(wishes.choices_of(body))]
        wanted = [wishes.wish_of(body, limit, self._engine.context - len(prompt)) for prompt in prompts]
        asked = _Asked(self._engine, prompts, [wish.choice(number) for number, wish in enumerate(wanted)])
        if body.get("stream"):
            wants_usage = bool((body.get("stream_options") or {}).get("include_usage"))
            return _Stream(asked, self._streamed(asked, answer, wants_usage))
        return await self._gathered(call, asked, answer)

    async def _gathered(self, call: Call, asked: _Asked, answer: Answer) -> Response:
        """The whole answer; computation stops when the caller is gone."""
        texts, ends = [""] * len(asked.requests), [None] * len(asked.requests)

        async def gather() -> None:
            async for number, event in asked.events():
                texts[number] += event.text
                if event.reason is not None:
                    ends[number] = event

        tasks = [asyncio.ensure_future(gather()), asyncio.ensure_future(_gone(call))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if not tasks[0].done():
                return Response(status_code=499)
            tasks[0].result()
        finally:
            asked.cancel()
            for task in tasks:
                task.cancel()
        usage = summed([event.usage for event in ends])
        return _Said(answer.whole(texts, [event.reason for event in ends], usage))

    async def _streamed(self, asked: _Asked, answer: Answer, wants_usage: bool) -> AsyncIterator[str]:
        usages, begun = [], set()
        try:
            async for number, event in asked.events():
                if event.text or event.reason:
                    yield _line(answer.part(number, event.text, event.reason, number not in begun))
                    begun.add(number)
                if event.reason is not None:
                    usages.append(event.usage)
            if wants_usage:
                yield _line(answer.last(summed(usages)))
            yield "data: [DONE]\n\n"
        except Failed as said:
            yield _line(error(str(said), "server_error"))


async def _gone(call: Call) -> None:
    while (await call.receive())["type"] != "http.disconnect":
        pass


def _line(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data)}\n\n"
