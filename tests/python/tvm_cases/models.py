"""Networks in TVM's own nn.Module, as its users write them; each is one function for the machine."""

import numpy as np
from tvm.relax.frontend import nn
from tvm.relax.frontend.nn import op, spec


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(64, 128), nn.Linear(128, 10)

    def main(self, x):
        return op.softmax(self.second(op.relu(self.first(x))), axis=-1)


class ResNetBlock(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = (nn.Conv2D(8, 8, 3, padding=1, bias=True) for _ in range(2))
        self.norm = nn.GroupNorm(4, 8)

    def main(self, x):
        y = op.relu(self.norm(self.first(x), channel_axis=1, axes=[2, 3]))
        return op.relu(op.add(self.second(y), x))


class TransformerBlock(nn.Module):
    def __init__(self, width=32, heads=4, hidden=64):
        super().__init__()
        self.width, self.heads = width, heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def main(self, x):
        batch, length, _ = (int(size) for size in x.shape)
        each = self.width // self.heads
        q, k, v = op.split(self.qkv(self.before(x)), 3, axis=-1)
        q, k, v = (op.permute_dims(op.reshape(part, (batch, length, self.heads, each)), [0, 2, 1, 3]) for part in (q, k, v))
        scores = op.multiply(op.matmul(q, op.permute_dims(k, [0, 1, 3, 2])), nn.Tensor.from_scalar(each ** -0.5, "float32"))
        mixed = op.permute_dims(op.matmul(op.softmax(scores, axis=-1), v), [0, 2, 1, 3])
        x = op.add(x, self.out(op.reshape(mixed, (batch, length, self.width))))
        return op.add(x, self.down(op.gelu(self.up(self.between(x)))))


def exported(module, shape):
    """As a Relax module, with an input and weights."""
    relax_module, parameters = module.export_tvm(spec={"main": {"x": spec.Tensor(shape, "float32")}})
    random = np.random.default_rng(1)
    arrays = [random.normal(size=shape).astype(np.float32)]
    arrays += [(random.normal(size=[int(size) for size in parameter.shape]) * 0.2).astype(np.float32)
               for _, parameter in parameters]
    return relax_module, arrays


MODELS = {"mlp": lambda: exported(Mlp(), (32, 64)), "resnet_block": lambda: exported(ResNetBlock(), (1, 8, 12, 12)),
          "transformer_block": lambda: exported(TransformerBlock(), (2, 10, 32))}
