"""Sums of products: tinygrad writes a matrix product as a sum over products of two tensors that were broadcast
against each other. If each has dimensions of its own it becomes a dot_general, which the matrix unit computes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tinygrad.uop.ops import Ops, UOp


def narrowed(u: UOp, axis: int) -> UOp | None:
    """The same with size 1 in one dimension, if that is only a broadcast; else None."""
    if u.shape[axis] == 1:
        return u
    if u.op is Ops.PERMUTE:
        inner = narrowed(u.src[0], u.marg[axis])
        return None if inner is None else inner.permute(u.marg)
    if u.op is Ops.EXPAND:  # adds dimensions in front
        added = list(u.marg)
        if axis < len(added):
            added[axis] = 1
            return u.src[0]._mop(Ops.EXPAND, tuple(added))
        inner = narrowed(u.src[0], axis - len(added))
        return None if inner is None else inner._mop(Ops.EXPAND, tuple(added))
    if u.op is Ops.RESHAPE:
        return _narrowed_reshape(u, axis)
    if u.op in (Ops.SHRINK, Ops.PAD) and u.marg[axis] == (0, u.src[0].shape[axis]):
        inner = narrowed(u.src[0], axis)
        marg = tuple((0, 1) if position == axis else pair for position, pair in enumerate(u.marg))
        return None if inner is None else inner._mop(u.op, marg)
    if u.op in (Ops.CAST, Ops.CONTIGUOUS_BACKWARD, Ops.DETACH):
        inner = narrowed(u.src[0], axis)
        return None if inner is None else u.replace(src=(inner, *u.src[1:]))
    return None


def _narrowed_reshape(u: UOp, axis: int) -> UOp | None:
    before, source = math.prod(u.shape[:axis]), u.src[0].shape
    for position, size in enumerate(source):
        if math.prod(source[:position]) == before and size == u.shape[axis]:
            inner = narrowed(u.src[0], position)
            shape = tuple(1 if place == axis else have for place, have in enumerate(u.shape))
            return None if inner is None else inner.reshape(shape)
    return None


def without_broadcasts(u: UOp) -> UOp:
    for axis in range(len(u.shape)):
        thinner = narrowed(u, axis)
        u = u if thinner is None else thinner
    return u


@dataclass(frozen=True)
class Contraction:
    """left and right have the dimensions of the product, of size 1 where they do not depend on one."""

    left: UOp
    right: UOp
    batch: list[int]
    contracted: list[int]
    left_only: list[int]
    right_only: list[int]
    order: tuple[int, ...]  # dimensions of the product that the sum keeps


def find(u: UOp) -> Contraction | None:
    """The value of a REDUCE that is a matrix product."""
    operation, count = u.arg
    product, order = u.src[0], None
    if product.op is Ops.PERMUTE:
        product, order = product.src[0], product.marg
    if operation is not Ops.ADD or product.op is not Ops.MUL:
        return None
    order = tuple(range(len(product.shape))) if order is None else tuple(order)
    summed = set(order[:count])
    left, right = (without_broadcasts(source) for source in product.src)
    rank = len(product.shape)
    shapes = [(1,) * (rank - len(side.shape)) + tuple(side.shape) for side in (left, right)]
    has = [[shapes[side][axis] != 1 for axis in range(rank)] for side in (0, 1)]
    both = [axis for axis in range(rank) if has[0][axis] and has[1][axis]]
    alone = [[axis for axis in range(rank) if has[side][axis] and not has[1 - side][axis]] for side in (0, 1)]
    contracted = [axis for axis in both if axis in summed]
    if not contracted or not alone[0] or not alone[1] or summed & set(alone[0] + alone[1]):
        return None
    if any(product.shape[axis] != 1 for axis in summed - set(contracted)):
        return None
    return Contraction(left, right, [axis for axis in both if axis not in summed], contracted, *alone, order[count:])
