"""Requests on the machine: a thread that does one step after the other, with all current requests.

A request joins as soon as a slot and pages for its maximum length are free, and leaves after the step that ends it; the
others go on. Requests that decode have one row each; the remaining rows are for prompts, the oldest first. A program
takes as many rows as there are slots, so no request waits for a row.
"""

from __future__ import annotations

import collections
import threading
import traceback
from typing import Any

import numpy as np

from tandem.serve.machine import Machine, Rows
from tandem.serve.pages import Pool, chain
from tandem.serve.requests import Event, Request, Text, drawn
from tandem.serve.tokens import Tokens


class Full(RuntimeError):
    """Too many requests wait."""


class Engine:
    def __init__(self, machine: Machine, pool: Pool, tokens: Tokens, *, queue: int = 1000, reuse: bool = True):
        self._machine, self._pool, self._tokens, self.queue, self._reuse = machine, pool, tokens, queue, reuse
        self._waiting: collections.deque[Request] = collections.deque()
        self._running: list[Request] = []
        self._texts: dict[int, Text] = {}
        self._changed = threading.Condition()
        self._ended = False
        self.statistics: collections.Counter[str] = collections.Counter()
        self._thread = threading.Thread(target=self._work, name="tandem-serve", daemon=True)
        self._thread.start()

    @property
    def context(self) -> int:
        """Tokens that a request may have, prompt and answer together."""
        return self._machine.table * self._pool.page

    @property
    def step_cycles(self) -> int:
        """Of each step, on a model without time; 0 on one that counts cycles."""
        return self._machine.step_cycles

    def submit(self, request: Request) -> None:
        """Raises Full. The request's `deliver` gets its progress, in the engine's thread."""
        assert 0 < len(request.prompt) and len(request.prompt) + request.wish.limit <= self.context
        with self._changed:
            if len(self._waiting) >= self.queue:
                raise Full(f"{self.queue} requests wait already")
            self._waiting.append(request)
            self.statistics["requests"] += 1
            self._changed.notify()

    def cancel(self, request: Request) -> None:
        """Its caller is gone: it leaves before the next step."""
        with self._changed:
            request.cancelled = True
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify()
        self._thread.join()

    def state(self) -> dict[str, Any]:
        with self._changed:
            return {"waiting": len(self._waiting), "running": len(self._running), "free_pages": self._pool.room, **self.statistics}

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._ended or self._waiting or self._running)
                if self._ended:
                    return
                self._drop_cancelled()
                self._admit()
            if self._running:
                try:
                    self._step()
                except Exception as error:
                    traceback.print_exc()
                    self._fail(f"{type(error).__name__}: {error}")

    def _drop_cancelled(self) -> None:
        self._waiting = collections.deque(request for request in self._waiting if not request.cancelled)
        for request in [request for request in self._running if request.cancelled]:
            self._leave(request)
            self.statistics["cancelled"] += 1

    def _admit(self) -> None:
        """In order of arrival; one that finds no room keeps the others waiting, so that it does not starve."""
        while self._waiting and len(self._running) < self._machine.rows:
            request = self._waiting[0]
            shared = self._pool.known(request.prompt) if self._reuse else []
            needed = -(-(len(request.prompt) + request.wish.limit) // self._pool.page) - len(shared)
            pages = self._pool.take(shared, needed)
            if pages is None:
                return
            self._waiting.popleft()
            request.pages, request.named = pages, len(shared)
            request.shared = request.computed = len(shared) * self._pool.page
            for begin in range(0, request.shared, self._pool.page):
                request.name = chain(request.name, request.prompt[begin:begin + self._pool.page])
            self._texts[request.number] = Text(self._tokens, request.wish.stops, first=request.prompt == [self._tokens.begin])
            self._running.append(request)
            self.statistics["reused_tokens"] += request.shared

    def _plan(self) -> list[tuple[Request, int]]:
        """How many rows each request has in the next step."""
        plan = [(request, 1) for request in self._running if request.due == 1]
        left = self._machine.rows - len(plan)
        for request in self._running:
            if request.due > 1 and left > 0:
                count = min(request.due, left)
                plan.append((request, count))
                left -= count
        return plan

    def _rows(self, plan: list[tuple[Request, int]]) -> Rows:
        machine = self._machine
        tokens, positions = np.zeros(machine.rows, np.int32), np.zeros(machine.rows, np.int32)
        tables = np.zeros((machine.rows, machine.table), np.int32)
        at = 0
        for request, count in plan:
            begin = request.computed
            tokens[at:at + count] = request.tokens[begin:begin + count]
            positions[at:at + count] = range(begin, begin + count)
            tables[at:at + count, :len(request.pages)] = request.pages
            at += count
        return Rows(tokens, positions, tables)

    def _step(self) -> None:
        plan = self._plan()
        likeliest, cycles = self._machine.step(self._rows(plan))
        used, at = sum(count for _, count in plan), 0
        self.statistics.update(steps=1, rows=used, cycles=cycles)
        scores = None
        if any(request.wish.temperature > 0 and count == request.due for request, count in plan):
            scores = self._machine.scores()
        for request, count in plan:
            at += count
            request.computed += count
            request.steps += 1
            request.cycles += cycles * count / used
            self._name_full_pages(request)
            if request.due == 0:
                greedy = request.wish.temperature == 0
                self._made(request, int(likeliest[at - 1]) if greedy else drawn(scores[at - 1], request.wish, request.random))

    def _name_full_pages(self, request: Request) -> None:
        page = self._pool.page
        while (request.named + 1) * page <= request.computed:
            begin = request.named * page
            request.name = chain(request.name, request.tokens[begin:begin + page])
            self._pool.full(request.pages[request.named], request.name)
            request.named += 1

    def _made(self, request: Request, token: int) -> None:
        text = self._texts[request.number]
        request.made.append(token)
        self.statistics["tokens"] += 1
        ended = token in self._tokens.ends
        piece = "" if ended else text.add(token)
        reason = "stop" if ended or text.stopped else "length" if len(request.made) >= request.wish.limit else None
        if reason is None:
            request.deliver(Event(piece))
            return
        piece += text.end()
        with self._changed:
            self._leave(request)
        request.deliver(Event(piece, "stop" if text.stopped else reason, self._usage(request)))

    def _usage(self, request: Request) -> dict[str, Any]:
        machine = self._machine
        return {**request.usage(), "tandem": {
            "cycles": round(request.cycles), "cycles_per_token": round(request.cycles / len(request.made)), "steps": request.steps,
            "preset": machine.preset, "model": machine.simulation, "cycles_from": "run" if machine.cycles_are_measured else "step"}}

    def _leave(self, request: Request) -> None:
        self._running.remove(request)
        self._pool.give_back(request.pages)
        del self._texts[request.number]

    def _fail(self, error: str) -> None:
        """The contents of the pages are not known any more."""
        with self._changed:
            failed, self._running = self._running, []
            self._texts.clear()
            self._pool.clear()
        for request in failed:
            request.deliver(Event("", "error", error=error))
