#!/usr/bin/env python3
"""tiny_model.py FILE: writes a model with random weights that llama.cpp can serve: 2 layers of 64,
a token for each byte. What it says means nothing; how it is served is real."""
import random
import struct
import sys

LAYERS, WIDTH, INNER, HEADS, CONTEXT = 2, 64, 128, 4, 4096
TOKENS = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
UINT32, FLOAT32, STRING, ARRAY, INT32 = 4, 6, 8, 9, 5
ALIGNMENT = 32


def text(value):
    return struct.pack("<Q", len(value.encode())) + value.encode()


def packed(kind, value):
    formats = {UINT32: "<I", FLOAT32: "<f", INT32: "<i"}
    return text(value) if kind == STRING else struct.pack(formats[kind], value)


def array(kind, values):
    return struct.pack("<IQ", kind, len(values)) + b"".join(packed(kind, value) for value in values)


def settings():
    yield "general.architecture", STRING, "llama"
    yield "general.name", STRING, "tiny"
    yield "llama.context_length", UINT32, CONTEXT
    yield "llama.embedding_length", UINT32, WIDTH
    yield "llama.block_count", UINT32, LAYERS
    yield "llama.feed_forward_length", UINT32, INNER
    yield "llama.attention.head_count", UINT32, HEADS
    yield "llama.rope.dimension_count", UINT32, WIDTH // HEADS
    yield "llama.attention.layer_norm_rms_epsilon", FLOAT32, 1e-5
    yield "tokenizer.ggml.model", STRING, "llama"
    yield "tokenizer.ggml.tokens", ARRAY, array(STRING, TOKENS)
    yield "tokenizer.ggml.scores", ARRAY, array(FLOAT32, [0.0] * len(TOKENS))
    yield "tokenizer.ggml.token_type", ARRAY, array(INT32, [2, 3, 3] + [6] * 256)
    yield "tokenizer.ggml.unknown_token_id", UINT32, 0
    yield "tokenizer.ggml.bos_token_id", UINT32, 1
    yield "tokenizer.ggml.eos_token_id", UINT32, 2


def tensors():
    yield "token_embd.weight", (WIDTH, len(TOKENS))
    yield "output_norm.weight", (WIDTH,)
    yield "output.weight", (WIDTH, len(TOKENS))
    for i in range(LAYERS):
        yield f"blk.{i}.attn_norm.weight", (WIDTH,)
        yield f"blk.{i}.ffn_norm.weight", (WIDTH,)
        for part in "q", "k", "v", "output":
            yield f"blk.{i}.attn_{part}.weight", (WIDTH, WIDTH)
        yield f"blk.{i}.ffn_gate.weight", (WIDTH, INNER)
        yield f"blk.{i}.ffn_up.weight", (WIDTH, INNER)
        yield f"blk.{i}.ffn_down.weight", (INNER, WIDTH)


def main(path):
    random.seed(1)
    pairs, infos, data = list(settings()), b"", b""
    for name, shape in tensors():
        size = shape[0] * (shape[1] if len(shape) > 1 else 1)
        infos += text(name) + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *shape)
        infos += struct.pack("<IQ", 0, len(data))
        data += struct.pack(f"<{size}f", *(random.gauss(0, 0.2) for _ in range(size)))
        data += bytes(-len(data) % ALIGNMENT)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(list(tensors())), len(pairs))
    for name, kind, value in pairs:
        head += text(name) + struct.pack("<I", kind)
        head += value if kind == ARRAY else packed(kind, value)
    head += infos
    with open(path, "wb") as file:
        file.write(head + bytes(-len(head) % ALIGNMENT) + data)


main(*sys.argv[1:])
