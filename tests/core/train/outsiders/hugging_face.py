#!/usr/bin/env python3
"""Small networks as Hugging Face's library computes and saves them, in plain PyTorch.

    hugging_face.py FOLDER

makes a folder for each network (config.json, model.safetensors) and beside these "expected.safetensors": what goes in
("in.tokens", …), what comes out ("out"), the factors of a loss that is their sum of products ("factors"), and the
gradient of every tensor by its name ("grad.bert.…"). All in float64, without dropout. Nothing of Hearth is used.
"""
import json
import math
import os
import struct
import sys

import torch
import torch.nn.functional as F
from torch import nn

BATCH = 3


def write_safetensors(path, tensors):
    types = {torch.float64: ("F64", "<f8"), torch.float32: ("F32", "<f4"), torch.int64: ("I64", "<i8")}
    header, parts, offset = {"__metadata__": {"format": "pt"}}, [], 0
    for name in sorted(tensors):
        kind, layout = types[tensors[name].dtype]
        content = tensors[name].detach().numpy().astype(layout).tobytes()
        shape = list(tensors[name].shape)
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [offset, offset + len(content)]}
        offset += len(content)
        parts.append(content)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


class Named:
    """Tensors that are made when they are first asked for, under the names of the library's modules."""

    def __init__(self):
        self.tensors = {}

    def get(self, name, *shape, around=0.0):
        if name not in self.tensors:
            value = around + 0.3 * torch.randn(*shape, dtype=torch.float64)
            self.tensors[name] = value.requires_grad_()
        assert tuple(self.tensors[name].shape) == shape, name
        return self.tensors[name]

    def linear(self, name, x, features, bias=True):
        weight = self.get(name + ".weight", features, x.shape[-1])
        return F.linear(x, weight, self.get(name + ".bias", features) if bias else None)

    def conv1d(self, name, x, features):  # GPT-2's: the weight is {in, out}
        return x @ self.get(name + ".weight", x.shape[-1], features) + self.get(name + ".bias", features)

    def layer_norm(self, name, x, epsilon):
        width = x.shape[-1]
        mean = x.mean(-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(-1, keepdim=True)
        normed = (x - mean) / torch.sqrt(variance + epsilon)
        return normed * self.get(name + ".weight", width, around=1.0) + self.get(name + ".bias", width)

    def rms_norm(self, name, x, epsilon):
        normed = x * torch.rsqrt((x * x).mean(-1, keepdim=True) + epsilon)
        return normed * self.get(name + ".weight", x.shape[-1], around=1.0)


def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


def gelu_new(x):
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def split(x, heads):  # {batch, tokens, heads * d} to {batch, heads, tokens, d}
    return x.reshape(x.shape[0], x.shape[1], heads, -1).transpose(1, 2)


def joined(x):
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], -1)


def attend(query, key, value, scale, bias):
    scores = query @ key.transpose(-1, -2) * scale + bias
    return torch.softmax(scores, -1) @ value


def masked(mask):  # {batch, keys}, as the library adds it
    return (1 - mask.to(torch.float64))[:, None, None, :] * torch.finfo(torch.float64).min


def causal(tokens):
    hidden = torch.triu(torch.ones(tokens, tokens, dtype=torch.bool), 1)
    return torch.zeros(tokens, tokens, dtype=torch.float64).masked_fill(hidden, torch.finfo(torch.float64).min)


def last_token(x, mask):
    return x[torch.arange(x.shape[0]), mask.sum(-1) - 1]


def bert(n, c, tokens, mask, head):
    base, heads, width = "bert.", c["num_attention_heads"], c["hidden_size"]
    table = n.get(base + "embeddings.word_embeddings.weight", c["vocab_size"], width)
    x = F.embedding(tokens, table, padding_idx=0)
    x = x + n.get(base + "embeddings.token_type_embeddings.weight", 2, width)[torch.zeros_like(tokens)]
    positions = n.get(base + "embeddings.position_embeddings.weight", c["max_position_embeddings"], width)
    x = x + positions[torch.arange(tokens.shape[1])]
    x = n.layer_norm(base + "embeddings.LayerNorm", x, c["layer_norm_eps"])
    for i in range(c["num_hidden_layers"]):
        at = f"{base}encoder.layer.{i}."
        q, k, v = (split(n.linear(at + "attention.self." + p, x, width), heads) for p in ("query", "key", "value"))
        y = joined(attend(q, k, v, 1 / math.sqrt(width // heads), masked(mask)))
        y = n.linear(at + "attention.output.dense", y, width)
        x = n.layer_norm(at + "attention.output.LayerNorm", y + x, c["layer_norm_eps"])
        y = gelu(n.linear(at + "intermediate.dense", x, c["intermediate_size"]))
        y = n.linear(at + "output.dense", y, width)
        x = n.layer_norm(at + "output.LayerNorm", y + x, c["layer_norm_eps"])
    if head == "ForSequenceClassification":
        pooled = torch.tanh(n.linear(base + "pooler.dense", x[:, 0], width))
        return n.linear("classifier", pooled, len(c["id2label"]))
    if head == "ForTokenClassification":
        return n.linear("classifier", x, len(c["id2label"]))
    y = gelu(n.linear("cls.predictions.transform.dense", x, width))
    y = n.layer_norm("cls.predictions.transform.LayerNorm", y, c["layer_norm_eps"])
    return y @ table.t() + n.get("cls.predictions.bias", c["vocab_size"])


def distilbert(n, c, tokens, mask, head):
    base, heads, width = "distilbert.", c["n_heads"], c["dim"]
    table = n.get(base + "embeddings.word_embeddings.weight", c["vocab_size"], width)
    x = F.embedding(tokens, table, padding_idx=0)
    positions = n.get(base + "embeddings.position_embeddings.weight", c["max_position_embeddings"], width)
    x = n.layer_norm(base + "embeddings.LayerNorm", x + positions[torch.arange(tokens.shape[1])], 1e-12)
    for i in range(c["n_layers"]):
        at = f"{base}transformer.layer.{i}."
        q, k, v = (split(n.linear(at + f"attention.{p}_lin", x, width), heads) for p in "qkv")
        y = joined(attend(q / math.sqrt(width // heads), k, v, 1, masked(mask)))
        y = n.linear(at + "attention.out_lin", y, width)
        x = n.layer_norm(at + "sa_layer_norm", y + x, 1e-12)
        y = n.linear(at + "ffn.lin2", gelu(n.linear(at + "ffn.lin1", x, c["hidden_dim"])), width)
        x = n.layer_norm(at + "output_layer_norm", y + x, 1e-12)
    if head == "ForSequenceClassification":
        y = F.relu(n.linear("pre_classifier", x[:, 0], width))
        return n.linear("classifier", y, len(c["id2label"]))
    y = n.layer_norm("vocab_layer_norm", gelu(n.linear("vocab_transform", x, width)), 1e-12)
    return y @ table.t() + n.get("vocab_projector.bias", c["vocab_size"])


def gpt2(n, c, tokens, mask, head):
    base, heads, width, length = "transformer.", c["n_head"], c["n_embd"], tokens.shape[1]
    table = n.get(base + "wte.weight", c["vocab_size"], width)
    x = table[tokens] + n.get(base + "wpe.weight", c["n_positions"], width)[torch.arange(length)]
    for i in range(c["n_layer"]):
        at = f"{base}h.{i}."
        y = n.conv1d(at + "attn.c_attn", n.layer_norm(at + "ln_1", x, c["layer_norm_epsilon"]), 3 * width)
        q, k, v = (split(part, heads) for part in y.split(width, -1))
        y = joined(attend(q, k, v, 1 / math.sqrt(width // heads), causal(length)))
        x = x + n.conv1d(at + "attn.c_proj", y, width)
        y = gelu_new(n.conv1d(at + "mlp.c_fc", n.layer_norm(at + "ln_2", x, c["layer_norm_epsilon"]), 4 * width))
        x = x + n.conv1d(at + "mlp.c_proj", y, width)
    x = n.layer_norm(base + "ln_f", x, c["layer_norm_epsilon"])
    if head == "LMHeadModel":
        return x @ table.t()
    return last_token(n.linear("score", x, len(c["id2label"]), bias=False), mask)


def rotary(x, base):  # {batch, heads, tokens, d}: halves turn together
    d = x.shape[-1]
    frequency = 1.0 / base ** (torch.arange(0, d, 2, dtype=torch.float64) / d)
    angle = torch.arange(x.shape[-2], dtype=torch.float64)[:, None] * frequency
    cos, sin = (torch.cat([f(angle), f(angle)], -1) for f in (torch.cos, torch.sin))
    first, second = x.split(d // 2, -1)
    return x * cos + torch.cat([-second, first], -1) * sin


def llama(n, c, tokens, mask, head):
    heads, groups, width = c["num_attention_heads"], c["num_key_value_heads"], c["hidden_size"]
    d, bias, length = width // heads, c["model_type"] == "qwen2", tokens.shape[1]
    table = n.get("model.embed_tokens.weight", c["vocab_size"], width)
    x = table[tokens]
    for i in range(c["num_hidden_layers"]):
        at = f"model.layers.{i}."
        y = n.rms_norm(at + "input_layernorm", x, c["rms_norm_eps"])
        q = rotary(split(n.linear(at + "self_attn.q_proj", y, heads * d, bias), heads), c["rope_theta"])
        k = rotary(split(n.linear(at + "self_attn.k_proj", y, groups * d, bias), groups), c["rope_theta"])
        v = split(n.linear(at + "self_attn.v_proj", y, groups * d, bias), groups)
        k, v = (t.repeat_interleave(heads // groups, dim=1) for t in (k, v))
        y = joined(attend(q, k, v, 1 / math.sqrt(d), causal(length)))
        x = x + n.linear(at + "self_attn.o_proj", y, width, False)
        y = n.rms_norm(at + "post_attention_layernorm", x, c["rms_norm_eps"])
        inner = c["intermediate_size"]
        gated = F.silu(n.linear(at + "mlp.gate_proj", y, inner, False)) * n.linear(at + "mlp.up_proj", y, inner, False)
        x = x + n.linear(at + "mlp.down_proj", gated, width, False)
    x = n.rms_norm("model.norm", x, c["rms_norm_eps"])
    if head == "ForSequenceClassification":
        return last_token(n.linear("score", x, len(c["id2label"]), bias=False), mask)
    return x @ table.t() if c["tie_word_embeddings"] else n.linear("lm_head", x, c["vocab_size"], False)


def buckets(queries, keys, bidirectional, count, farthest):
    """The library's: half of the buckets for exact distances, the rest logarithmic; half for each direction."""
    distance = torch.arange(keys)[None, :] - torch.arange(queries)[:, None]
    bucket = torch.zeros_like(distance)
    if bidirectional:
        count //= 2
        bucket += (distance > 0).long() * count
        distance = distance.abs()
    else:
        distance = -torch.min(distance, torch.zeros_like(distance))
    exact = count // 2
    # In float32, as the library computes it.
    far = exact + (torch.log(distance.float() / exact) / math.log(farthest / exact) * (count - exact)).long()
    far = torch.min(far, torch.full_like(far, count - 1))
    return bucket + torch.where(distance < exact, distance, far)


def t5(n, c, tokens, mask, head, decoder_tokens):
    width, heads, d, epsilon = c["d_model"], c["num_heads"], c["d_kv"], c["layer_norm_epsilon"]
    table = n.get("shared.weight", c["vocab_size"], width)

    def attention(at, x, other, bias):
        q = split(n.linear(at + ".q", x, heads * d, False), heads)
        k, v = (split(n.linear(f"{at}.{p}", other, heads * d, False), heads) for p in "kv")
        return n.linear(at + ".o", joined(attend(q, k, v, 1, bias)), width, False)

    def side(name, x, blocks, encoded=None):
        decoder = encoded is not None
        length = x.shape[1]
        which = buckets(
            length, length, not decoder, c["relative_attention_num_buckets"], c["relative_attention_max_distance"]
        )
        relative = n.get(
            f"{name}.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
            c["relative_attention_num_buckets"],
            heads,
        )
        bias = relative[which].permute(2, 0, 1)[None]
        bias = bias + (causal(length) if decoder else masked(mask))
        for i in range(blocks):
            at = f"{name}.block.{i}.layer."
            y = n.rms_norm(at + "0.layer_norm", x, epsilon)
            x = x + attention(at + "0.SelfAttention", y, y, bias)
            if decoder:
                y = n.rms_norm(at + "1.layer_norm", x, epsilon)
                x = x + attention(at + "1.EncDecAttention", y, encoded, masked(mask))
            at += "2." if decoder else "1."
            y = n.rms_norm(at + "layer_norm", x, epsilon)
            if c["feed_forward_proj"] == "gated-gelu":
                y = gelu_new(n.linear(at + "DenseReluDense.wi_0", y, c["d_ff"], False)) * n.linear(
                    at + "DenseReluDense.wi_1", y, c["d_ff"], False
                )
            else:
                y = F.relu(n.linear(at + "DenseReluDense.wi", y, c["d_ff"], False))
            x = x + n.linear(at + "DenseReluDense.wo", y, width, False)
        return n.rms_norm(name + ".final_layer_norm", x, epsilon)

    encoded = side("encoder", table[tokens], c["num_layers"])
    decoded = side("decoder", table[decoder_tokens], c["num_decoder_layers"], encoded)
    if c["tie_word_embeddings"]:
        return decoded * width**-0.5 @ table.t()
    return n.linear("lm_head", decoded, c["vocab_size"], False)


def vit(n, c, image):
    heads, width, patch = c["num_attention_heads"], c["hidden_size"], c["patch_size"]
    at = "vit.embeddings."
    weight = n.get(at + "patch_embeddings.projection.weight", width, c["num_channels"], patch, patch)
    x = F.conv2d(image, weight, n.get(at + "patch_embeddings.projection.bias", width), stride=patch)
    x = x.flatten(2).transpose(1, 2)
    x = torch.cat([n.get(at + "cls_token", 1, 1, width).expand(x.shape[0], -1, -1), x], 1)
    x = x + n.get(at + "position_embeddings", 1, x.shape[1], width)
    for i in range(c["num_hidden_layers"]):
        at = f"vit.encoder.layer.{i}."
        y = n.layer_norm(at + "layernorm_before", x, c["layer_norm_eps"])
        q, k, v = (split(n.linear(at + "attention.attention." + p, y, width), heads) for p in ("query", "key", "value"))
        y = joined(attend(q, k, v, 1 / math.sqrt(width // heads), 0))
        x = x + n.linear(at + "attention.output.dense", y, width)
        y = n.layer_norm(at + "layernorm_after", x, c["layer_norm_eps"])
        y = n.linear(at + "output.dense", gelu(n.linear(at + "intermediate.dense", y, c["intermediate_size"])), width)
        x = x + y
    x = n.layer_norm("vit.layernorm", x, c["layer_norm_eps"])
    return n.linear("classifier", x[:, 0], len(c["id2label"]))


LABELS = {"id2label": {"0": "a", "1": "b", "2": "c"}}
BERT = dict(LABELS, model_type="bert", hidden_size=12, num_hidden_layers=2, num_attention_heads=3, intermediate_size=20,
            vocab_size=37, max_position_embeddings=16, type_vocab_size=2, layer_norm_eps=1e-12, hidden_act="gelu",
            pad_token_id=0)
DISTIL = dict(LABELS, model_type="distilbert", dim=12, n_layers=2, n_heads=3, hidden_dim=20, vocab_size=37,
              max_position_embeddings=16, activation="gelu", pad_token_id=0)
GPT2 = dict(LABELS, model_type="gpt2", n_embd=12, n_layer=2, n_head=3, vocab_size=37, n_positions=16,
            layer_norm_epsilon=1e-5, activation_function="gelu_new")
LLAMA = dict(LABELS, model_type="llama", hidden_size=24, num_hidden_layers=2, num_attention_heads=4,
             num_key_value_heads=2, intermediate_size=20, vocab_size=37, max_position_embeddings=64, rms_norm_eps=1e-6,
             rope_theta=1000.0, hidden_act="silu", tie_word_embeddings=False)
T5 = dict(model_type="t5", d_model=12, d_kv=5, d_ff=20, num_layers=2, num_decoder_layers=3, num_heads=3, vocab_size=37,
          relative_attention_num_buckets=8, relative_attention_max_distance=9, layer_norm_epsilon=1e-6,
          feed_forward_proj="relu", tie_word_embeddings=True)
VIT = dict(LABELS, model_type="vit", hidden_size=12, num_hidden_layers=2, num_attention_heads=3, intermediate_size=20,
           num_channels=3, image_size=12, patch_size=4, layer_norm_eps=1e-12, hidden_act="gelu")
NETWORKS = [
    ("bert-sequence", BERT, bert, "BertForSequenceClassification"),
    ("bert-token", BERT, bert, "BertForTokenClassification"),
    ("bert-masked", BERT, bert, "BertForMaskedLM"),
    ("distilbert-sequence", DISTIL, distilbert, "DistilBertForSequenceClassification"),
    ("distilbert-masked", DISTIL, distilbert, "DistilBertForMaskedLM"),
    ("gpt2-language", GPT2, gpt2, "GPT2LMHeadModel"),
    ("gpt2-sequence", GPT2, gpt2, "GPT2ForSequenceClassification"),
    ("llama-language", LLAMA, llama, "LlamaForCausalLM"),
    ("llama-sequence", LLAMA, llama, "LlamaForSequenceClassification"),
    ("qwen2-language", dict(LLAMA, model_type="qwen2", tie_word_embeddings=True), llama, "Qwen2ForCausalLM"),
    ("t5", T5, t5, "T5ForConditionalGeneration"),
    ("t5-gated", dict(T5, feed_forward_proj="gated-gelu", tie_word_embeddings=False), t5, "T5ForConditionalGeneration"),
    ("vit", VIT, vit, "ViTForImageClassification"),
]


def make(folder, config, network, architecture):
    os.makedirs(folder)
    torch.manual_seed(1)
    named, inputs = Named(), {}
    if network is vit:
        side = config["image_size"]
        inputs["image"] = torch.randn(BATCH, config["num_channels"], side, side, dtype=torch.float64)
        out = vit(named, config, inputs["image"])
    else:
        length, words = 13, config["vocab_size"]
        inputs["tokens"] = torch.randint(0, words, (BATCH, length))
        mask = (torch.arange(length)[None, :] < torch.tensor([length, 7, 9])[:, None]).long()
        head = architecture[architecture.index("LMHead" if "LMHead" in architecture else "For") :]
        arguments = {}
        if network is t5:
            arguments["decoder_tokens"] = inputs["decoder_tokens"] = torch.randint(0, words, (BATCH, 11))
        if network in (bert, distilbert, t5) or head == "ForSequenceClassification":
            inputs["mask"] = mask
        out = network(named, config, inputs["tokens"], mask, head, **arguments)
    factors = torch.randn_like(out)
    (out * factors).sum().backward()
    expected = {"out": out, "factors": factors}
    expected.update({"in." + name: value for name, value in inputs.items()})
    expected.update({"grad." + name: value.grad for name, value in named.tensors.items()})
    write_safetensors(os.path.join(folder, "expected.safetensors"), expected)
    write_safetensors(os.path.join(folder, "model.safetensors"), named.tensors)
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(dict(config, architectures=[architecture]), file)


def main():
    for name, config, network, architecture in NETWORKS:
        make(os.path.join(sys.argv[1], name), config, network, architecture)


if __name__ == "__main__":
    main()
