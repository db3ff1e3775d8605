#include "core/model/import/hugging_face_config.h"

#include <algorithm>
#include <array>

#include "core/base/json_reader.h"
#include "core/model/families/bert.h"
#include "core/model/families/gpt2.h"
#include "core/model/families/llama.h"
#include "core/model/families/t5.h"
#include "core/model/families/vit.h"
#include "core/model/graph_builder.h"

namespace hearth::detail {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 usualSequence = 128;
constexpr qint64 mostTokens = 1 << 17;

/// Reads a configuration whose other keys count for nothing. Every function gives something valid also where it found
/// an error, which finish() tells.
class Config {
  public:
    Config(const QJsonObject &object, const HeadOptions &options, const QString &source)
        : m_object(object), m_options(options), m_reader(object, source) {}

    qint64 size(const char *key, std::optional<qint64> fallback = std::nullopt) {
        return m_reader.integer(key, 1, ModelLimits::dimension, fallback);
    }
    int count(const char *key, std::optional<qint64> fallback = std::nullopt) {
        return static_cast<int>(m_reader.integer(key, 1, HuggingFaceLimits::blocks, fallback));
    }
    /// A row of the embedding, or none.
    qint64 padding(std::optional<qint64> fallback, qint64 words) {
        const qint64 id = m_reader.integer("pad_token_id", -1, words - 1, fallback.value_or(-1));
        return id;
    }
    double positive(const char *key, double fallback) { return m_reader.number(key, 1e-30, 1e12, fallback); }
    double probability(const char *key, double fallback) {
        const double read = m_reader.number(key, 0, 0.99, fallback);
        return m_options.dropout.value_or(read);
    }
    bool flag(const char *key, bool fallback) { return m_reader.boolean(key, fallback); }
    bool has(const char *key) const { return m_reader.has(key); }

    QString activation(const char *key, const QString &fallback) {
        const QString name = m_reader.string(key, fallback);
        if (m_reader.ok() && !GraphBuilder::isActivation(name)) {
            m_reader.reject(QLatin1String(key), sentence("The function \"%1\" is not known.").arg(name.left(60)),
                            sentence("Hearth computes gelu, gelu_new, relu, silu, tanh and sigmoid."));
            return fallback;
        }
        return name;
    }
    QString text(const char *key, const QString &fallback) { return m_reader.string(key, fallback); }
    QJsonObject object(const char *key) { return m_reader.object(key, false); }
    const QJsonObject &all() const { return m_object; }
    const HeadOptions &options() const { return m_options; }

    /// What Hearth does not compute: the key must be absent or `value`.
    void only(const char *key, const QJsonValue &value) {
        const QJsonValue found = m_object.value(QLatin1String(key));
        if (!found.isUndefined() && !found.isNull() && found != value) {
            m_reader.reject(QLatin1String(key), sentence("Hearth does not compute what this value stands for."),
                            sentence("Networks with the value %1 can be trained.").arg(value.toVariant().toString()));
        }
    }
    void reject(const char *key, const Sentence &cause, const Sentence &advice = {}) {
        m_reader.reject(QLatin1String(key), cause, advice);
    }
    bool ok() const { return m_reader.ok(); }

    /// Heads that share a width.
    void divides(const char *key, qint64 heads, qint64 width) {
        if (ok() && width % heads != 0)
            reject(key, sentence("%1 does not divide %2.").arg(heads).arg(width));
    }

    /// Tokens of a sample; `positions`: as many as the network can take.
    qint64 sequence(qint64 positions) {
        const qint64 wanted = m_options.sequence.value_or(std::min(usualSequence, positions));
        if (ok() && (wanted < 1 || wanted > positions)) {
            reject("", sentence("A sample of %1 tokens does not fit this network.").arg(wanted),
                   sentence("It takes 1 to %1: choose with \"sequence\".").arg(positions));
            return 1;
        }
        return wanted;
    }

    qint64 classes() {
        const QJsonObject labels = object("id2label");
        const qint64 named = labels.isEmpty() ? size("num_labels", 2) : labels.size();
        const qint64 wanted = m_options.classes.value_or(named);
        if (ok() && (wanted < 1 || wanted > ModelLimits::dimension))
            reject("id2label", sentence("There {1|is|are} %1 {1|class|classes}.").arg(wanted));
        return std::clamp<qint64>(wanted, 1, ModelLimits::dimension);
    }

    /// The first of `heads` is that of a network without one.
    TextHead head(std::initializer_list<TextHead> heads) {
        TextHead head = *heads.begin();
        const QString architecture = m_reader.array("architectures", false).at(0).toString();
        for (const auto &[ending, its] : endings) {
            if (architecture.endsWith(QLatin1String(ending)))
                head = its;
        }
        head = m_options.head.value_or(head);
        if (ok() && std::ranges::find(heads, head) == heads.end()) {
            QStringList names;
            for (const TextHead each : heads)
                names << textHeadName(each);
            reject("architectures", sentence("This kind of network has no head for %1 here.").arg(textHeadName(head)),
                   sentence("Choose one with \"head\": %1.").arg(names.join(", "_L1)));
        }
        return head;
    }

    Result<void> finish() {
        for (auto it = m_object.constBegin(); it != m_object.constEnd(); ++it)
            m_reader.ignore(it.key().toUtf8().constData());
        return m_reader.finish();
    }

  private:
    static constexpr std::array<std::pair<const char *, TextHead>, 7> endings{
        {{"ForSequenceClassification", TextHead::SequenceClassification},
         {"ForTokenClassification", TextHead::TokenClassification},
         {"ForMaskedLM", TextHead::MaskedLanguage},
         {"ForPreTraining", TextHead::MaskedLanguage},
         {"ForCausalLM", TextHead::CausalLanguage},
         {"LMHeadModel", TextHead::CausalLanguage},
         {"ForConditionalGeneration", TextHead::SequenceToSequence}}};
    const QJsonObject &m_object;
    const HeadOptions &m_options;
    JsonReader m_reader;
};

QString endingOf(TextHead head) {
    switch (head) {
        case TextHead::SequenceClassification:
            return u"ForSequenceClassification"_s;
        case TextHead::TokenClassification:
            return u"ForTokenClassification"_s;
        case TextHead::MaskedLanguage:
            return u"ForMaskedLM"_s;
        case TextHead::CausalLanguage:
            return u"ForCausalLM"_s;
        case TextHead::SequenceToSequence:
            return u"ForConditionalGeneration"_s;
    }
    return {};
}

bool hasClasses(TextHead head) {
    return head == TextHead::SequenceClassification || head == TextHead::TokenClassification;
}

using Read = ConfiguredModel (*)(Config &config, const QString &name);

ConfiguredModel readBert(Config &config, const QString &name) {
    BertDimensions d;
    d.blocks = config.count("num_hidden_layers", 12);
    d.width = config.size("hidden_size", 768);
    d.heads = config.count("num_attention_heads", 12);
    config.divides("num_attention_heads", d.heads, d.width);
    d.inner = config.size("intermediate_size", 3072);
    d.words = config.size("vocab_size", 30522);
    d.positions = config.size("max_position_embeddings", 512);
    d.segmentKinds = config.size("type_vocab_size", 2);
    d.padding = config.padding(0, d.words);
    d.activation = config.activation("hidden_act", u"gelu"_s);
    d.epsilon = config.positive("layer_norm_eps", 1e-12);
    d.dropout = config.probability("hidden_dropout_prob", 0.1);
    d.attentionDropout = config.probability("attention_probs_dropout_prob", 0.1);
    d.headDropout = config.probability("classifier_dropout", d.dropout);
    config.only("position_embedding_type", u"absolute"_s);
    config.only("is_decoder", false);
    d.tied = config.flag("tie_word_embeddings", true);
    d.segments = config.options().segments;
    d.sequence = config.sequence(d.positions);
    d.head = config.head({TextHead::SequenceClassification, TextHead::TokenClassification, TextHead::MaskedLanguage});
    d.classes = config.classes();
    return {config.ok() ? bertDescription(name, d) : QJsonObject(), u"bert."_s, "Bert"_L1 + endingOf(d.head),
            hasClasses(d.head) ? d.classes : 0};
}

ConfiguredModel readDistilBert(Config &config, const QString &name) {
    BertDimensions d;
    d.distilled = true;
    d.blocks = config.count("n_layers", 6);
    d.width = config.size("dim", 768);
    d.heads = config.count("n_heads", 12);
    config.divides("n_heads", d.heads, d.width);
    d.inner = config.size("hidden_dim", 3072);
    d.words = config.size("vocab_size", 30522);
    d.positions = config.size("max_position_embeddings", 512);
    d.padding = config.padding(0, d.words);
    d.activation = config.activation("activation", u"gelu"_s);
    d.dropout = config.probability("dropout", 0.1);
    d.attentionDropout = config.probability("attention_dropout", 0.1);
    d.sequence = config.sequence(d.positions);
    d.head = config.head({TextHead::SequenceClassification, TextHead::TokenClassification, TextHead::MaskedLanguage});
    d.headDropout =
        d.head == TextHead::SequenceClassification ? config.probability("seq_classif_dropout", 0.2) : d.dropout;
    d.tied = config.flag("tie_word_embeddings", true);
    d.classes = config.classes();
    return {config.ok() ? bertDescription(name, d) : QJsonObject(), u"distilbert."_s,
            "DistilBert"_L1 + endingOf(d.head), hasClasses(d.head) ? d.classes : 0};
}

ConfiguredModel readGpt2(Config &config, const QString &name) {
    Gpt2Dimensions d;
    d.blocks = config.count("n_layer", 12);
    d.width = config.size("n_embd", 768);
    d.heads = config.count("n_head", 12);
    config.divides("n_head", d.heads, d.width);
    d.inner = config.size("n_inner", std::min<qint64>(4 * d.width, ModelLimits::dimension));
    d.words = config.size("vocab_size", 50257);
    d.positions = config.size("n_positions", 1024);
    d.activation = config.activation("activation_function", u"gelu_new"_s);
    d.epsilon = config.positive("layer_norm_epsilon", 1e-5);
    d.embeddingDropout = config.probability("embd_pdrop", 0.1);
    d.dropout = config.probability("resid_pdrop", 0.1);
    d.attentionDropout = config.probability("attn_pdrop", 0.1);
    d.headDropout = config.has("classifier_dropout") ? config.probability("classifier_dropout", 0.1)
                                                     : config.probability("hidden_dropout", 0.1);
    d.scaled = config.flag("scale_attn_weights", true);
    config.only("scale_attn_by_inverse_layer_idx", false);
    config.only("add_cross_attention", false);
    d.tied = config.flag("tie_word_embeddings", true);
    d.sequence = config.sequence(d.positions);
    d.head = config.head({TextHead::CausalLanguage, TextHead::SequenceClassification, TextHead::TokenClassification});
    d.classes = config.classes();
    const bool language = d.head == TextHead::CausalLanguage;
    return {config.ok() ? gpt2Description(name, d) : QJsonObject(), u"transformer."_s,
            "GPT2"_L1 + (language ? u"LMHeadModel"_s : endingOf(d.head)), language ? 0 : d.classes};
}

/// Llama and Qwen2, which differ in the biases and in what they were called.
ConfiguredModel readLlama(Config &config, const QString &name, bool qwen) {
    LlamaDimensions d;
    d.blocks = config.count("num_hidden_layers", 32);
    d.width = config.size("hidden_size", 4096);
    d.heads = config.count("num_attention_heads", 32);
    d.keyHeads = config.count("num_key_value_heads", d.heads);
    config.divides("num_key_value_heads", d.keyHeads, d.heads);
    if (!config.has("head_dim"))
        config.divides("num_attention_heads", d.heads, d.width);
    d.headWidth = config.size("head_dim", std::max<qint64>(1, d.width / d.heads));
    if (config.ok() && d.headWidth % 2 != 0)
        config.reject("head_dim", sentence("Rotary positions turn pairs of numbers, and %1 is odd.").arg(d.headWidth));
    d.inner = config.size("intermediate_size", 11008);
    d.words = config.size("vocab_size", qwen ? 151936 : 32000);
    d.padding = config.padding(std::nullopt, d.words);
    d.activation = config.activation("hidden_act", u"silu"_s);
    d.epsilon = config.positive("rms_norm_eps", 1e-6);
    d.rotaryBase = config.positive("rope_theta", 10000);
    // Since version 5 of the library they stand together.
    for (const char *key : {"rope_parameters", "rope_scaling"}) {
        const QJsonObject rotary = config.object(key);
        const QJsonValue kind = rotary.contains("rope_type"_L1) ? rotary["rope_type"_L1] : rotary["type"_L1];
        if (config.ok() && !rotary.isEmpty() && kind.toString(u"default"_s) != "default"_L1) {
            config.reject(key,
                          sentence("Positions scaled as \"%1\" are not computed here.").arg(kind.toString().left(60)),
                          sentence("Networks with plain rotary positions can be trained."));
        }
        const double base = rotary["rope_theta"_L1].toDouble(d.rotaryBase);
        if (base > 1 && base < 1e12)
            d.rotaryBase = base;
    }
    config.only("use_sliding_window", false);
    d.queryBias = qwen || config.flag("attention_bias", false);
    d.outputBias = !qwen && d.queryBias;
    d.innerBias = !qwen && config.flag("mlp_bias", false);
    d.attentionDropout = config.probability("attention_dropout", 0);
    d.headDropout = config.probability("classifier_dropout", 0.1);
    d.tied = config.flag("tie_word_embeddings", false);
    d.sequence = config.sequence(std::min(config.size("max_position_embeddings", 2048), mostTokens));
    d.head = config.head({TextHead::CausalLanguage, TextHead::SequenceClassification, TextHead::TokenClassification});
    d.classes = config.classes();
    return {config.ok() ? llamaDescription(name, d) : QJsonObject(), u"model."_s,
            (qwen ? "Qwen2"_L1 : "Llama"_L1) + endingOf(d.head), hasClasses(d.head) ? d.classes : 0};
}

ConfiguredModel readT5(Config &config, const QString &name) {
    T5Dimensions d;
    d.blocks = config.count("num_layers", 6);
    d.decoderBlocks = config.count("num_decoder_layers", d.blocks);
    d.width = config.size("d_model", 512);
    d.heads = config.count("num_heads", 8);
    d.headWidth = config.size("d_kv", 64);
    d.inner = config.size("d_ff", 2048);
    d.words = config.size("vocab_size", 32128);
    d.buckets = config.count("relative_attention_num_buckets", 32);
    d.maximumDistance = static_cast<int>(config.size("relative_attention_max_distance", 128));
    d.epsilon = config.positive("layer_norm_epsilon", 1e-6);
    d.dropout = config.probability("dropout_rate", 0.1);
    d.tied = config.flag("tie_word_embeddings", true);
    QString function = config.text("feed_forward_proj", u"relu"_s);
    d.gated = function.startsWith("gated-"_L1);
    if (d.gated)
        function = function.mid(6);
    // What the library means by "gated-gelu".
    d.activation = d.gated && function == "gelu"_L1 ? u"gelu_new"_s : function;
    if (config.ok() && !GraphBuilder::isActivation(d.activation))
        config.reject("feed_forward_proj", sentence("The function \"%1\" is not known.").arg(function.left(60)));
    d.sequence = config.sequence(mostTokens);
    d.answer = config.options().answer.value_or(d.sequence);
    if (config.ok() && (d.answer < 1 || d.answer > mostTokens))
        config.reject("", sentence("An answer of %1 tokens does not fit this network.").arg(d.answer));
    config.head({TextHead::SequenceToSequence});
    return {config.ok() ? t5Description(name, d) : QJsonObject(), QString(), u"T5ForConditionalGeneration"_s, 0};
}

ConfiguredModel readVit(Config &config, const QString &name) {
    VitDimensions d;
    d.blocks = config.count("num_hidden_layers", 12);
    d.width = config.size("hidden_size", 768);
    d.heads = config.count("num_attention_heads", 12);
    config.divides("num_attention_heads", d.heads, d.width);
    d.inner = config.size("intermediate_size", 3072);
    d.channels = config.size("num_channels", 3);
    d.side = config.size("image_size", 224);
    d.patch = config.count("patch_size", 16);
    if (config.ok() && d.side % d.patch != 0)
        config.reject("patch_size",
                      sentence("Patches of %1×%1 do not cover pictures of %2×%2.").arg(d.patch).arg(d.side));
    d.queryBias = config.flag("qkv_bias", true);
    d.activation = config.activation("hidden_act", u"gelu"_s);
    d.epsilon = config.positive("layer_norm_eps", 1e-12);
    d.dropout = config.probability("hidden_dropout_prob", 0);
    d.attentionDropout = config.probability("attention_probs_dropout_prob", 0);
    d.classes = config.classes();
    return {config.ok() ? vitDescription(name, d) : QJsonObject(), u"vit."_s, u"ViTForImageClassification"_s,
            d.classes};
}

struct Type {
    const char *name;
    Read read;
};
constexpr std::array types{
    Type{"bert", readBert},
    Type{"distilbert", readDistilBert},
    Type{"gpt2", readGpt2},
    Type{"llama", [](Config &config, const QString &name) { return readLlama(config, name, false); }},
    Type{"qwen2", [](Config &config, const QString &name) { return readLlama(config, name, true); }},
    Type{"t5", readT5},
    Type{"vit", readVit}};

}  // namespace

QStringList configuredTypes() {
    QStringList names;
    for (const Type &type : types)
        names << QLatin1String(type.name);
    return names;
}

Result<ConfiguredModel> readConfig(const QJsonObject &object, const QString &name, const HeadOptions &options,
                                   const QString &source) {
    const QString wanted = object["model_type"_L1].toString();
    const auto *type =
        std::ranges::find_if(types, [&](const Type &each) { return wanted == QLatin1String(each.name); });
    if (type == types.end()) {
        return fail(u"model.unknown-type"_s, sentence("%1: networks of this kind cannot be trained here.").arg(source),
                    wanted.isEmpty() ? sentence("It does not say which kind it is (\"model_type\").")
                                     : sentence("Its \"model_type\" is \"%1\".").arg(wanted.left(60)),
                    sentence("Known are %1. Another may come as ONNX.").arg(configuredTypes().join(", "_L1)));
    }
    Config config(object, options, source);
    ConfiguredModel model = type->read(config, name);
    if (auto finished = config.finish(); !finished)
        return tl::unexpected(finished.error());
    return model;
}

}  // namespace hearth::detail
