#include "ui/run/job_value_words.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/words/format.h"

namespace hearth {
namespace {

class JobValueWords {
    Q_DECLARE_TR_FUNCTIONS(JobValueWords)
  public:
    static QString of(const QString &path) {
        const std::size_t place = placeOf(path);
        return place < std::size(names) ? tr(names[place].words) : path;
    }
    static std::size_t placeOf(const QString &path) {
        const auto *named =
            std::ranges::find_if(names, [&path](const Name &name) { return path == QLatin1String(name.path); });
        return static_cast<std::size_t>(named - std::begin(names));
    }
    static QString textOf(const QString &path, const QJsonValue &value) {
        if (value.isDouble())
            return numberText(value.toDouble());
        if (value.isBool())
            return value.toBool() ? tr("Yes") : tr("No");
        if (value.isArray())
            return listText(path, value.toArray());
        return value.isString() ? choiceText(path, value.toString()) : QStringLiteral("–");
    }

  private:
    struct Name {
        const char *path;
        const char *words;
    };
    struct Choice {
        const char *path;
        const char *value;
        const char *words;
    };

    static QString numberText(double value) {
        constexpr double mostWhole = 9007199254740992;  // JSON carries whole numbers up to 2^53 exactly
        constexpr int digits = 9;                       // tell any two apart that somebody types; 1/255 has more
        return value == std::trunc(value) && std::abs(value) <= mostWhole ? formatCount(static_cast<qint64>(value))
                                                                          : QLocale().toString(value, 'g', digits);
    }
    static QString listText(const QString &path, const QJsonArray &items) {
        QStringList texts;
        for (const QJsonValue item : items)
            texts << textOf(path, item);
        if (texts.isEmpty())
            return tr("None");
        // The comma between two numbers may be taken for a decimal one.
        return texts.join(items.first().isDouble() ? QStringLiteral("; ") : QStringLiteral(", "));
    }
    /// What is no choice, or one of a later version, stays as it is.
    static QString choiceText(const QString &path, const QString &value) {
        const auto *known = std::ranges::find_if(choices, [&](const Choice &choice) {
            return path == QLatin1String(choice.path) && value == QLatin1String(choice.value);
        });
        return known == std::end(choices) ? value : tr(known->words);
    }

    // What people compare most comes first.
    static constexpr Name names[] = {
        {"model", QT_TR_NOOP("Model")},
        {"data", QT_TR_NOOP("Data")},
        {"optimizer.kind", QT_TR_NOOP("Optimizer")},
        {"optimizer.learning_rate", QT_TR_NOOP("Learning rate")},
        {"optimizer.momentum", QT_TR_NOOP("Momentum")},
        {"optimizer.weight_decay", QT_TR_NOOP("Weight decay")},
        {"batch", QT_TR_NOOP("Batch")},
        {"micro_batch", QT_TR_NOOP("Micro-batch")},
        {"rounds", QT_TR_NOOP("Planned rounds")},
        {"epochs", QT_TR_NOOP("Planned passes")},
        {"seed", QT_TR_NOOP("Seed")},
        {"precision", QT_TR_NOOP("Precision")},
        {"codec", QT_TR_NOOP("Compression")},
        {"schedule.kind", QT_TR_NOOP("Rate over the run")},
        {"loss", QT_TR_NOOP("Kind of loss")},
        {"fit", QT_TR_NOOP("Fitted by")},
        {"augment.crop", QT_TR_NOOP("Random part")},
        {"augment.shift", QT_TR_NOOP("Moved by pixels")},
        {"augment.flip", QT_TR_NOOP("Mirrored")},
        {"augment.colour", QT_TR_NOOP("Colours changed")},
        {"augment.random_ops", QT_TR_NOOP("RandAugment's changes")},
        {"augment.magnitude", QT_TR_NOOP("RandAugment's strength")},
        {"augment.mixup", QT_TR_NOOP("Mixup")},
        {"augment.cutmix", QT_TR_NOOP("CutMix")},
        {"validation", QT_TR_NOOP("Part for validation")},
        {"evaluate_every", QT_TR_NOOP("Evaluated every")},
        {"patience", QT_TR_NOOP("Patience")},
        {"best_by", QT_TR_NOOP("Best by")},
        {"adapters.kind", QT_TR_NOOP("Kind of adapters")},
        {"adapters.rank", QT_TR_NOOP("Rank of adapters")},
        {"adapters.alpha", QT_TR_NOOP("Alpha of adapters")},
        {"adapters.dropout", QT_TR_NOOP("Dropout of adapters")},
        {"adapters.features", QT_TR_NOOP("Features of adapters")},
        {"adapters.targets", QT_TR_NOOP("Ops with an adapter")},
        {"freeze", QT_TR_NOOP("Frozen")},
        {"local_steps.every", QT_TR_NOOP("Local steps")},
        {"local_steps.outer_rate", QT_TR_NOOP("Outer rate")},
        {"local_steps.outer_momentum", QT_TR_NOOP("Outer momentum")},
        {"mode", QT_TR_NOOP("Mode")},
        {"asynchronous.update", QT_TR_NOOP("Update after each")},
        {"asynchronous.vertical_sync", QT_TR_NOOP("One version everywhere")},
        {"asynchronous.average_every", QT_TR_NOOP("Versions averaged every")},
        {"asynchronous.correct_rate", QT_TR_NOOP("Rate divided by delay")},
        {"asynchronous.predict", QT_TR_NOOP("Prediction of weights")},
        {"label_smoothing", QT_TR_NOOP("Label smoothing")},
        {"optimizer.nesterov", QT_TR_NOOP("Nesterov's momentum")},
        {"optimizer.beta1", QT_TR_NOOP("Beta 1")},
        {"optimizer.beta2", QT_TR_NOOP("Beta 2")},
        {"optimizer.epsilon", QT_TR_NOOP("Epsilon")},
        {"optimizer.scale_parameter", QT_TR_NOOP("Steps in proportion to the weights")},
        {"optimizer.relative_step", QT_TR_NOOP("Rate of at most 1/√round")},
        {"optimizer.decay", QT_TR_NOOP("What decays")},
        {"optimizer.clip_norm", QT_TR_NOOP("Largest norm of gradients")},
        {"optimizer.ema", QT_TR_NOOP("Averaging of weights")},
        {"schedule.warmup_rounds", QT_TR_NOOP("Rounds of warm-up")},
        {"schedule.last", QT_TR_NOOP("Part of the rate at the end")},
        {"schedule.every", QT_TR_NOOP("Rounds between steps")},
        {"schedule.drop", QT_TR_NOOP("Factor of each step")},
        {"gradient_codec", QT_TR_NOOP("Gradients inside groups")},
        {"shuffle", QT_TR_NOOP("Shuffled")},
        {"keep_best", QT_TR_NOOP("Best weights kept")},
        {"prompts", QT_TR_NOOP("Prompts")},
        {"prompt_tokens", QT_TR_NOOP("Tokens per prompt")},
        {"input.scale", QT_TR_NOOP("Scale of the input")},
        {"input.pad", QT_TR_NOOP("Border of the input")},
        {"input.repeat_channels", QT_TR_NOOP("Channels repeated")},
        {"input.mean", QT_TR_NOOP("Mean of the channels")},
        {"input.std", QT_TR_NOOP("Deviation of the channels")},
    };
    static constexpr Choice choices[] = {
        {"optimizer.kind", "sgd", QT_TR_NOOP("SGD")},
        {"optimizer.kind", "adam", QT_TR_NOOP("Adam")},
        {"optimizer.kind", "adamw", QT_TR_NOOP("AdamW")},
        {"optimizer.kind", "adafactor", QT_TR_NOOP("Adafactor")},
        {"optimizer.decay", "all", QT_TR_NOOP("All that is trained")},
        {"optimizer.decay", "weights", QT_TR_NOOP("All but biases and norms")},
        {"schedule.kind", "constant", QT_TR_NOOP("Constant")},
        {"schedule.kind", "linear", QT_TR_NOOP("Falls in a straight line")},
        {"schedule.kind", "cosine", QT_TR_NOOP("Falls along a cosine")},
        {"schedule.kind", "steps", QT_TR_NOOP("Falls in steps")},
        {"schedule.kind", "one-cycle", QT_TR_NOOP("One cycle up and down")},
        {"precision", "float32", QT_TR_NOOP("32 bits (float32)")},
        {"precision", "bfloat16", QT_TR_NOOP("16 bits in large products (bfloat16)")},
        {"precision", "float64", QT_TR_NOOP("64 bits (float64)")},
        {"codec", "none", QT_TR_NOOP("None")},
        {"codec", "auto", QT_TR_NOOP("To 16 or 8 bits where links are slow")},
        {"codec", "strong", QT_TR_NOOP("To 4 bits as well")},
        {"gradient_codec", "none", QT_TR_NOOP("As they are")},
        {"gradient_codec", "bfp8", QT_TR_NOOP("Rounded to 8 bits")},
        {"fit", "crop", QT_TR_NOOP("Cut to their middle")},
        {"fit", "whole", QT_TR_NOOP("Whole, on black")},
        {"fit", "stretch", QT_TR_NOOP("Stretched")},
        {"best_by", "loss", QT_TR_NOOP("Lowest loss")},
        {"best_by", "accuracy", QT_TR_NOOP("Highest accuracy")},
        {"adapters.kind", "lora", QT_TR_NOOP("LoRA")},
        {"adapters.kind", "bottleneck", QT_TR_NOOP("Bottleneck")},
        {"mode", "synchronous", QT_TR_NOOP("Synchronous")},
        {"mode", "asynchronous", QT_TR_NOOP("Asynchronous")},
        {"asynchronous.update", "round", QT_TR_NOOP("Round")},
        {"asynchronous.update", "micro-batch", QT_TR_NOOP("Micro-batch")},
    };
};

}  // namespace

QString jobValueName(const QString &path) {
    return JobValueWords::of(path);
}

std::size_t jobValuePlace(const QString &path) {
    return JobValueWords::placeOf(path);
}

QString jobValueText(const QString &path, const QJsonValue &value) {
    return JobValueWords::textOf(path, value);
}

}  // namespace hearth
