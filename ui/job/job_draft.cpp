#include "ui/job/job_draft.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QLocale>
#include <cmath>
#include <utility>

#include "core/base/files.h"
#include "core/model/catalogue.h"
#include "core/model/model_name.h"
#include "core/profile/profile_limits.h"
#include "core/run/job_file.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

constexpr qsizetype mostOpenedModels = 6;

/// Border and repeated channels were made for the data before. Scale, mean and deviation are what a network learnt
/// with.
std::optional<InputTransform> forOtherData(std::optional<InputTransform> input) {
    const InputTransform usual;
    if (!input)
        return input;
    input->pad = usual.pad;
    input->repeatChannels = usual.repeatChannels;
    return *input == usual ? std::nullopt : input;
}

}  // namespace

JobDraft::JobDraft(QObject *parent) : QObject(parent) {
    setJob(Job());
}

void JobDraft::fill(const Job &job) {
    m_choices = job;
    m_hasDroppedBorder = false;
    m_texts.clear();
    for (const JobNumber &number : jobNumbers())
        m_texts[number.field] = number.textOf(job, m_locale);
}

void JobDraft::setJob(const Job &job, const QString &path) {
    fill(job);
    m_savedTexts = m_texts;
    m_saved = job;
    m_path = path;
    m_copy = false;
    read();
}

void JobDraft::setText(JobField field, const QString &text) {
    if (m_texts.value(field) == text)
        return;
    m_texts[field] = text;
    read();
}

bool JobDraft::isUsed(JobField field) const {
    const OptimizerSpec::Kind optimizer = m_choices.optimizer.kind;
    const RateSchedule::Kind schedule = m_choices.schedule.kind;
    const auto adds = [this](AdapterSpec::Kind kind) { return m_choices.adapters && m_choices.adapters->kind == kind; };
    switch (field) {
        case JobField::LoraRank:
        case JobField::LoraAlpha:
        case JobField::LoraDropout:
            return adds(AdapterSpec::Kind::Lora);
        case JobField::AdapterFeatures:
            return adds(AdapterSpec::Kind::Bottleneck);
        case JobField::Rounds:
            return !byEpochs();
        case JobField::Epochs:
            return byEpochs();
        case JobField::Momentum:
            return optimizer == OptimizerSpec::Kind::Sgd;
        case JobField::Beta1:
            return optimizer != OptimizerSpec::Kind::Sgd;
        case JobField::Beta2:
        case JobField::Epsilon:
            return m_choices.optimizer.isAdam();
        case JobField::WarmupRounds:
            return schedule != RateSchedule::Kind::OneCycle;
        case JobField::LastRate:
            return schedule == RateSchedule::Kind::Linear || schedule == RateSchedule::Kind::Cosine;
        case JobField::DropEvery:
        case JobField::Drop:
            return schedule == RateSchedule::Kind::Steps;
        default:
            return true;
    }
}

bool JobDraft::isChanged(JobField field) const {
    return isUsed(field) && text(field) != m_savedTexts.value(field);
}

void JobDraft::setModel(const QString &nameOrPath) {
    m_choices.model = nameOrPath;
    read();
}

void JobDraft::setOpenedModels(const QStringList &paths) {
    m_openedModels = paths.mid(0, mostOpenedModels);
    read();
}

void JobDraft::moveModel(const QString &from, const QString &to) {
    m_openedModels.removeAll(from);
    for (Job *job : {&m_choices, &m_job, &m_saved}) {
        if (job->model == from)
            job->model = to;
    }
    read();
}

/// Those that are there keep their places: one that is chosen again does not move under the mouse.
void JobDraft::noteModel() {
    const QString model = ModelName::written(m_choices.model).base;
    if (isBuiltinModel(model) || !QFileInfo(model).isAbsolute() || m_openedModels.contains(model))
        return;
    m_openedModels.prepend(model);
    m_openedModels = m_openedModels.mid(0, mostOpenedModels);
}

void JobDraft::setTrained(const std::optional<AdapterSpec> &adapters, const QStringList &freeze) {
    m_choices.adapters = adapters;
    m_choices.freeze = freeze;
    read();
}

void JobDraft::setData(const QString &nameOrPath) {
    if (const QStringList data{nameOrPath}; m_choices.data != data) {
        m_choices.data = data;
        const auto before = std::exchange(m_choices.input, forOtherData(m_choices.input));
        m_hasDroppedBorder = m_hasDroppedBorder || m_choices.input != before;
    }
    read();
}

void JobDraft::addData(const QString &nameOrPath) {
    if (m_choices.data.contains(nameOrPath) || m_choices.data.size() >= Job::mostData)
        return;
    m_choices.data << nameOrPath;
    read();
}

void JobDraft::fitTo(const Job &fitted) {
    m_choices.model = fitted.model;
    m_choices.loss = fitted.loss;
    m_choices.labelSmoothing = fitted.labelSmoothing;
    m_choices.bestBy = fitted.bestBy;
    m_choices.fit = fitted.fit;
    m_choices.augment = fitted.augment;
    read();
}

void JobDraft::setOptimizer(OptimizerSpec::Kind kind) {
    if (kind == m_choices.optimizer.kind)
        return;
    const OptimizerSpec before = std::exchange(m_choices.optimizer, OptimizerSpec::defaultOf(kind));
    const auto write = [this](JobField field, double value) { m_texts[field] = fractionText(value, m_locale); };
    // They want quite different steps; a rate that was typed for another one would not train.
    const OptimizerSpec usual = OptimizerSpec::defaultOf(before.kind);
    if (usual.learningRate != m_choices.optimizer.learningRate)
        write(JobField::LearningRate, m_choices.optimizer.learningRate);
    if (usual.beta1 != m_choices.optimizer.beta1)
        write(JobField::Beta1, m_choices.optimizer.beta1);
    write(JobField::WeightDecay, m_choices.optimizer.weightDecay);
    // What the page does not show stays.
    m_choices.optimizer.decay = before.decay;
    m_choices.optimizer.clipNorm = before.clipNorm;
    m_choices.optimizer.ema = before.ema;
    read();
}

void JobDraft::setNesterov(bool nesterov) {
    m_choices.optimizer.nesterov = nesterov;
    read();
}

void JobDraft::setScaleParameter(bool scale) {
    m_choices.optimizer.scaleParameter = scale;
    read();
}

void JobDraft::setRelativeStep(bool relative) {
    m_choices.optimizer.relativeStep = relative;
    read();
}

void JobDraft::setSchedule(RateSchedule::Kind kind) {
    m_choices.schedule.kind = kind;
    read();
}

void JobDraft::setByEpochs(bool byEpochs) {
    if (byEpochs) {
        m_choices.epochs = m_choices.epochs.value_or(1);
        m_choices.rounds.reset();
    } else {
        m_choices.rounds = m_choices.rounds.value_or(1);
        m_choices.epochs.reset();
    }
    read();
}

void JobDraft::setCodec(CodecChoice codec) {
    m_choices.codec = codec;
    read();
}

void JobDraft::setGradientCodec(const Codec &codec) {
    m_choices.gradientCodec = &codec;
    read();
}

void JobDraft::setPrecision(Precision precision) {
    m_choices.precision = precision;
    read();
}

void JobDraft::setShuffle(bool shuffle) {
    m_choices.shuffle = shuffle;
    read();
}

void JobDraft::setFit(std::optional<PictureFit> fit) {
    m_choices.fit = fit;
    read();
}

void JobDraft::setAugmentation(const Augmentation &augmentation) {
    m_choices.augment = augmentation;
    read();
}

void JobDraft::setBestBy(BestBy by) {
    m_choices.bestBy = by;
    read();
}

void JobDraft::setKeepBest(bool keep) {
    m_choices.keepBest = keep;
    read();
}

void JobDraft::read() {
    noteModel();
    const QLocale &locale = m_locale;
    Job job = m_choices;
    m_reasons.clear();
    for (const JobNumber &number : jobNumbers()) {
        if (!isUsed(number.field))
            continue;
        const QString text = m_texts.value(number.field).trimmed();
        if (number.optional && text.isEmpty()) {
            number.set(job, std::nullopt);
            continue;
        }
        const std::optional<double> value = number.valueOf(text, locale);
        const auto bound = [&](double one) {
            return number.whole ? formatCount(static_cast<qint64>(one)) : locale.toString(one);
        };
        if (!value) {
            m_reasons[number.field] = number.whole ? tr("This is not a whole number.") : tr("This is not a number.");
        } else if (!number.allows(*value)) {
            const QString sentence =
                number.minimumAllowed ? tr("Must lie between %1 and %2.") : tr("Must be above %1 and at most %2.");
            m_reasons[number.field] = sentence.arg(bound(number.minimum), bound(number.maximum));
        } else {
            number.set(job, *value);
        }
    }
    const bool cut = m_reasons.value(JobField::Batch).isEmpty() && m_reasons.value(JobField::MicroBatch).isEmpty();
    if (cut && job.microBatch && job.batch % *job.microBatch != 0) {
        m_reasons[JobField::MicroBatch] = tr("Must divide the %1 samples of a round.").arg(formatCount(job.batch));
    }
    if (cut && job.localSteps && job.microBatch && *job.microBatch != job.batch)
        m_reasons[JobField::MicroBatch] = tr("With local steps a micro-batch is a whole batch: leave this empty.");
    if (cut && job.localSteps && qint64{job.batch} * job.localSteps->every > ProfileLimits::batch) {
        m_reasons[JobField::Batch] =
            tr("At most %2 with %1 local steps.")
                .arg(formatCount(job.localSteps->every), formatCount(ProfileLimits::batch / job.localSteps->every));
    }
    if (job.optimizer.nesterov && job.optimizer.momentum == 0 && m_reasons.value(JobField::Momentum).isEmpty())
        m_reasons[JobField::Momentum] = tr("Nesterov's form needs momentum.");
    if (job.validation > 0 && job.validation < Job::leastValidation && m_reasons.value(JobField::Validation).isEmpty())
        m_reasons[JobField::Validation] = tr("Too small: not one sample would be set aside.");
    if (job.patience > 0 && job.evaluateEvery == 0 && m_reasons.value(JobField::Patience).isEmpty())
        m_reasons[JobField::Patience] = tr("The run is never evaluated.");
    m_written = job;
    m_refusal.reset();
    // What the page saves it must be able to open.
    if (const auto whole = m_reasons.isEmpty() ? job.validate() : Result<void>(); !whole)
        m_refusal = whole.error();
    if (isValid())
        m_job = job;
    Q_EMIT changed();
}

bool JobDraft::hasUnsavedChanges() const {
    return m_copy || !isValid() || m_job != m_saved;
}

KeptJob JobDraft::kept() const {
    KeptJob kept{m_choices, {}};
    for (const JobNumber &number : jobNumbers()) {
        const QString text = m_texts.value(number.field);
        const std::optional<double> value = number.valueOf(text, m_locale);
        // The next start may speak another language.
        const bool isUsual = value && number.allows(*value) && number.written(*value, m_locale) == text;
        kept.numbers[QLatin1String(number.key)] = isUsual ? QJsonValue(*value) : QJsonValue(text);
    }
    return kept;
}

Result<void> JobDraft::resume(const QString &path, const std::optional<KeptJob> &unsaved) {
    const Result<void> opened = path.isEmpty() ? Result<void>() : open(path);
    if (!unsaved)
        return opened;
    fill(unsaved->choices);
    for (const JobNumber &number : jobNumbers()) {
        const QJsonValue value = unsaved->numbers.value(QLatin1String(number.key));
        if (value.isDouble())
            m_texts[number.field] = number.written(value.toDouble(), m_locale);
        else if (value.isString())
            m_texts[number.field] = value.toString();
    }
    read();
    return opened;
}

void JobDraft::takeOver(const JobDraft &before) {
    for (const JobNumber &number : jobNumbers()) {
        m_texts[number.field] = number.rewritten(before.text(number.field), before.m_locale, m_locale);
        m_savedTexts[number.field] =
            number.rewritten(before.m_savedTexts.value(number.field), before.m_locale, m_locale);
    }
    m_job = before.m_job;
    m_choices = before.m_choices;
    m_saved = before.m_saved;
    m_openedModels = before.m_openedModels;
    m_path = before.m_path;
    m_copy = before.m_copy;
    m_hasDroppedBorder = before.m_hasDroppedBorder;
    read();
}

void JobDraft::duplicate() {
    m_path.clear();
    m_copy = true;
    Q_EMIT changed();
}

Result<void> JobDraft::open(const QString &path) {
    const auto job = openJob(path);
    if (!job)
        return tl::unexpected(job.error());
    setJob(*job, path);
    return {};
}

Result<void> JobDraft::save(const QString &path) {
    if (!isValid()) {
        return fail(QStringLiteral("job.invalid"), tr("The job was not saved."),
                    tr("Some of its values cannot be used."), tr("Correct what is marked first."));
    }
    auto saved = saveFile(path, QJsonDocument(m_job.toJson()).toJson());
    if (saved)
        setJob(m_job, path);
    return saved;
}

}  // namespace hearth
