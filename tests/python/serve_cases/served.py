"""A server in a process of its own, for the official client."""

import contextlib
import json
import os
import subprocess
import sys
import urllib.request

import openai


@contextlib.contextmanager
def served(path, *options):
    """Its client, which asks once and not again."""
    command = [sys.executable, "-m", "tandem.serve", str(path), "--port", "0", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ, JAX_PLATFORMS="cpu")) as server:
        try:
            lines = []
            while not lines or " http" not in lines[-1]:
                lines.append(server.stdout.readline())
                if not lines[-1]:
                    raise AssertionError(f"the server ended: {lines}")
            with openai.OpenAI(base_url=lines[-1].split()[-1], api_key="none", max_retries=0, timeout=600) as client:
                yield client
        finally:
            server.terminate()
            server.wait(20)


def health(client):
    with urllib.request.urlopen(str(client.base_url).replace("/v1/", "/health")) as answer:
        return json.load(answer)
