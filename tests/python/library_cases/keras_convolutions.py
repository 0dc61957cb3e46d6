"""Keras: a convolutional network compiled, fitted with dropout and validation, and asked."""

import os

os.environ["KERAS_BACKEND"] = "jax"

import keras
import numpy as np
from keras import layers

TOLERANCES = {"losses": 2e-3, "validation": 2e-3, "predictions": 5e-3}  # products of bf16


def results():
    keras.utils.set_random_seed(0)
    random = np.random.default_rng(0)
    images, labels = random.normal(size=(192, 14, 14, 1)).astype(np.float32), random.integers(0, 10, 192)
    model = keras.Sequential([
        keras.Input((14, 14, 1)), layers.Conv2D(8, 3, activation="relu"), layers.BatchNormalization(), layers.MaxPooling2D(2),
        layers.Conv2D(16, 3, activation="relu"), layers.Flatten(), layers.Dropout(0.5), layers.Dense(10, activation="softmax")])
    model.compile(loss="sparse_categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
    history = model.fit(images, labels, batch_size=64, epochs=2, verbose=0, validation_split=1 / 3).history
    return {"losses": history["loss"], "validation": history["val_loss"], "predictions": model.predict(images[:16], verbose=0)}
