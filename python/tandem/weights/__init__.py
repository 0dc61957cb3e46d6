"""Programs with weights from files, safetensors and GGUF: python -m tandem.weights."""
