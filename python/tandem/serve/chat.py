"""Messages as one text, by the model's template: Jinja, in a sandbox."""

from __future__ import annotations

from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from tandem.serve.model import Refused


class Template:
    def __init__(self, text: str):
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"])
        environment.globals["raise_exception"] = self._raise
        try:
            self._template = environment.from_string(text)
        except jinja2.TemplateError as error:
            raise Refused(f"the model's chat template: {error}") from None

    @staticmethod
    def _raise(message: str) -> None:
        raise jinja2.TemplateError(message)

    def text(self, messages: list[dict[str, Any]], begin: str, end: str) -> str:
        """With the prompt for an answer at the end."""
        try:
            return self._template.render(messages=messages, add_generation_prompt=True, bos_token=begin, eos_token=end)
        except (jinja2.TemplateError, TypeError, ValueError, LookupError, ArithmeticError, AttributeError, RecursionError, MemoryError) as error:
            raise Refused(f"the chat template refuses the messages: {error}") from None
