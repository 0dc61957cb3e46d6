"""An engine without HTTP."""

import concurrent.futures

from tandem.serve.engine import Engine
from tandem.serve.machine import Machine
from tandem.serve.pages import Pool
from tandem.serve.requests import Request, Wish


def made_by(model, prompts, limit, *, preset="small", simulation="golden", form="bf16", rows=4, page=8, reuse=True, extra=0):
    """The tokens that an engine generates, greedily, all requested together, and the engine's statistics; the pool is
    just large enough."""
    table = -(-(max(map(len, prompts)) + limit) // page)
    count = 1 + rows * table + extra
    machine = Machine(model, preset=preset, simulation=simulation, form=form, rows=rows, table=table, page=page, count=count, hbm=1 << 30)
    engine = Engine(machine, Pool(count, page), model.tokens, reuse=reuse)
    waits, requests = [], []
    for prompt in prompts:
        wait = concurrent.futures.Future()
        request = Request(list(prompt), Wish(limit), lambda event, wait=wait: event.reason and wait.set_result(event))
        engine.submit(request)
        waits.append(wait)
        requests.append(request)
    events = [wait.result(3600) for wait in waits]
    state = engine.state()
    engine.close()
    return [request.made for request in requests], events, state
