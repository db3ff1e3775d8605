#include "core/history/usage_python.h"

#include "core/data/preparation.h"
#include "core/data/tokenizer.h"

namespace hearth {
namespace {

constexpr auto openOnnx = R"py(import csv, json
import numpy as np, onnxruntime

session = onnxruntime.InferenceSession("network.onnx")
told = session.get_modelmeta().custom_metadata_map
names = [each.name for each in session.get_inputs()]
real = np.float64 if session.get_inputs()[0].type == "tensor(double)" else np.float32
ask = lambda inputs: session.run(None, inputs)[0][0]
)py";

constexpr auto openWeights = R"py(import csv, json
import numpy as np, torch
from safetensors import safe_open
from safetensors.torch import load_file

told = safe_open("network.safetensors", "pt").metadata()
network.load_state_dict(load_file("network.safetensors"))  # the same network, built in PyTorch
names, real = ["tokens", "mask"], np.float32  # what its forward() takes, in order
ask = lambda inputs: network.eval()(*map(torch.from_numpy, inputs.values()))[0].detach().numpy()
)py";

constexpr auto tellClasses = R"py(classes = dict(enumerate(json.loads(told["hearth.classes"])))

def tell(scores):
    chances = np.exp(scores - scores.max())
    for i in chances.argsort()[::-1][:3]:
        print(f"{classes.get(i, i)}: {chances[i] / chances.sum():.4f}")
)py";

constexpr auto tellQuantity = R"py(quantity = json.loads(told["hearth.quantity"])

def tell(scores):
    print(quantity["column"], scores[0] * quantity["deviation"] + quantity["mean"])
)py";

constexpr auto tellYesOrNo = R"py(def tell(scores):
    print("yes:", 1 / (1 + np.exp(-scores)))
)py";

constexpr auto tellNumbers = R"py(tell = print
)py";

constexpr auto takePicture = R"py(from PIL import Image, ImageOps

given = json.loads(told["hearth.input"])
height, width = given["size"]
picture = ImageOps.exif_transpose(Image.open("picture.jpg")).convert("RGBA")
picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
fits = {"crop": ImageOps.fit, "stretch": Image.Image.resize, "whole": lambda *of: ImageOps.pad(*of, "black")}
fit = fits[given["fit"]]
picture = fit(picture, (width, height), Image.BILINEAR)
picture = picture.convert("L" if given["channels"] == 1 else "RGB")
x = np.asarray(picture, real).reshape(height, width, -1).transpose(2, 0, 1)
x = np.tile(x * given["scale"], (given["repeat_channels"], 1, 1))
mean, std = (np.reshape(given[key], (-1, 1, 1)) for key in ("mean", "std"))
rows, columns = given["pad"]
x = np.pad((x - mean) / std, ((0, 0), (rows, rows), (columns, columns)))
tell(ask({names[0]: x[None].astype(real)}))
)py";

constexpr auto takeRows = R"py(columns = json.loads(told["hearth.columns"])
gaps = {"", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"}

def number(field):
    try:
        return float(field) if np.isfinite(float(field)) else None
    except ValueError:
        return None

with open("rows.csv", newline="", encoding="utf-8-sig") as file:
    for row in csv.DictReader(file):
        x = []
        for column in columns:
            field = row[column["name"]]
            is_gap = field.strip() in gaps
            if "categories" in column:
                x += [field == each for each in column["categories"]]
            else:
                value = None if is_gap else number(field)
                is_gap = value is None
                x.append(0 if is_gap else (value - column["mean"]) / column["deviation"])
            if column.get("lacks"):
                x.append(is_gap)
        tell(ask({names[0]: np.array([x], real)}))
)py";

constexpr auto openTokenizer = R"py(given = json.loads(told["hearth.tokenizer"])
length = given["length"]
)py";

constexpr auto codeBytes = R"py(encode = lambda text: [byte + 3 for byte in text.encode()]
decode = lambda ids: bytes(id - 3 for id in ids if 3 <= id < 259).decode(errors="replace")
)py";

constexpr auto codeHuggingFace = R"py(import tokenizers

tokenizer = tokenizers.Tokenizer.from_file(given["file"])
tokenizer.no_padding()
tokenizer.no_truncation()
encode = lambda text: tokenizer.encode(text, add_special_tokens=False).ids
decode = tokenizer.decode
)py";

constexpr auto codeWordPiece = R"py(import tokenizers

tokenizer = tokenizers.BertWordPieceTokenizer(given["file"], lowercase=given["lowercase"])
encode = lambda text: tokenizer.encode(text, add_special_tokens=False).ids
decode = tokenizer.decode
)py";

constexpr auto codeBytePairs = R"py(import tokenizers

tokenizer = tokenizers.ByteLevelBPETokenizer(given["file"], "merges.txt")
encode = lambda text: tokenizer.encode(text).ids
decode = tokenizer.decode
)py";

constexpr auto codeSentencePiece = R"py(import sentencepiece

tokenizer = sentencepiece.SentencePieceProcessor(model_file=given["file"])
encode, decode = tokenizer.encode, tokenizer.decode
)py";

constexpr auto takeTexts = R"py(texts = ["I would see it again."]  # of pairs two
pieces = [encode(text) for text in texts]
while sum(map(len, pieces)) > length - sum("token" in piece for piece in given["frame"]):
    max(reversed(pieces), key=len).pop()
tokens, segments = [], []
for piece in given["frame"]:
    added = [piece["token"]] if "token" in piece else pieces[piece["text"]]
    tokens += added
    segments += [piece["segment"]] * len(added)
filling = length - len(tokens)
x = {"tokens": tokens + [given["padding"]] * filling, "mask": [1] * len(tokens) + [0] * filling,
     "segments": segments + [0] * filling}
tell(ask({name: np.array([x[name]], np.int64) for name in names}))
)py";

constexpr auto takePrompt = R"py(tokens = encode("Once upon")
for _ in range(100):
    seen = tokens[-length:]
    x = np.array([seen + [given["padding"]] * (length - len(seen))], np.int64)
    likeliest = int(ask({names[0]: x})[len(seen) - 1][:given["words"]].argmax())
    if likeliest == given["end"]:
        break
    tokens.append(likeliest)
print(decode(tokens))
)py";

constexpr auto takeArrays = R"py(tell(ask({name: np.load(f"{name}.npy")[None] for name in names}))  # of one sample each
)py";

const char *tellFor(const NetworkUse &use) {
    if (use.hasQuantity())
        return tellQuantity;
    // Of arrays the network may answer for each token.
    if (use.answers == LossFacts::Answers::Numbers || use.takes == NetworkUse::Takes::Arrays)
        return tellNumbers;
    return use.answers == LossFacts::Answers::YesOrNo ? tellYesOrNo : tellClasses;
}

/// As Tokenizer::load() tells files apart.
const char *codeFor(const QString &tokenizer) {
    if (tokenizer == QLatin1String("bytes"))
        return codeBytes;
    if (tokenizer.endsWith(QLatin1String(".txt"), Qt::CaseInsensitive))
        return codeWordPiece;
    if (tokenizer.endsWith(QLatin1String(".model"), Qt::CaseInsensitive))
        return codeSentencePiece;
    return tokenizer == QLatin1String("vocab.json") ? codeBytePairs : codeHuggingFace;
}

std::vector<const char *> pythonFor(const NetworkUse &use) {
    switch (use.takes) {
        case NetworkUse::Takes::Pictures:
            return {openOnnx, tellFor(use), takePicture};
        case NetworkUse::Takes::Rows:
            return {openOnnx, tellFor(use), takeRows};
        case NetworkUse::Takes::Texts:
            return {openOnnx, tellFor(use), openTokenizer, codeFor(use.preparation->tokenizer()->file()), takeTexts};
        case NetworkUse::Takes::Prompts:
            return {openOnnx, openTokenizer, codeFor(use.preparation->tokenizer()->file()), takePrompt};
        case NetworkUse::Takes::Arrays:
            break;
    }
    return {openOnnx, tellFor(use), takeArrays};
}

}  // namespace

QStringList usagePython(const NetworkUse &use) {
    QStringList parts;
    for (const char *part : pythonFor(use))
        parts << QString::fromLatin1(part);
    return parts;
}

QString usagePyTorch() {
    return QString::fromLatin1(openWeights);
}

QStringList allUsagePython() {
    QStringList parts;
    for (const char *part : {openOnnx, openWeights, tellClasses, tellQuantity, tellYesOrNo, tellNumbers, takePicture,
                             takeRows, openTokenizer, codeBytes, codeHuggingFace, codeWordPiece, codeBytePairs,
                             codeSentencePiece, takeTexts, takePrompt, takeArrays})
        parts << QString::fromLatin1(part);
    return parts;
}

}  // namespace hearth
