"""A language model behind an HTTP endpoint, computed by the machine: python -m tandem.serve MODEL (docs/serve.md)."""
