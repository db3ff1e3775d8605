#include "core/history/network_use.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/data/preparation.h"
#include "core/data/tokenizer.h"
#include "core/run/job.h"

namespace hearth {
namespace {

QString jsonText(const QJsonDocument &document) {
    return QString::fromUtf8(document.toJson(QJsonDocument::Compact));
}

QJsonArray jsonList(const std::vector<double> &values) {
    QJsonArray list;
    for (const double value : values)
        list << value;
    return list;
}

QJsonObject inputJson(const NetworkUse &use) {
    const Shape &sample = use.data.samples.front().shape;
    QJsonObject input = use.data.input.toJson();
    input[QStringLiteral("channels")] = sample[0];
    input[QStringLiteral("size")] = QJsonArray{sample[1], sample[2]};
    input[QStringLiteral("fit")] = pictureFitNames().at(static_cast<int>(use.fit));
    input[QStringLiteral("mean")] = jsonList(use.means());
    input[QStringLiteral("std")] = jsonList(use.deviations());
    return input;
}

QJsonArray columnsJson(const Preparation &preparation) {
    QJsonArray columns;
    for (const TableColumn &column : preparation.tableColumns())
        columns << column.toJson();
    return columns;
}

QJsonObject quantityJson(const RowLabels &labels) {
    return {{QStringLiteral("column"), labels.column},
            {QStringLiteral("mean"), labels.mean},
            {QStringLiteral("deviation"), labels.deviation}};
}

QJsonArray frameJson(const std::vector<TextFrame::Piece> &pieces) {
    QJsonArray frame;
    for (const TextFrame::Piece &piece : pieces) {
        QJsonObject each{{QStringLiteral("segment"), piece.segment}};
        if (piece.id >= 0)
            each[QStringLiteral("token")] = piece.id;
        else
            each[QStringLiteral("text")] = piece.id == TextFrame::first ? 0 : 1;
        frame << each;
    }
    return frame;
}

QJsonObject tokenizerJson(const NetworkUse &use) {
    const Tokenizer &tokenizer = *use.preparation->tokenizer();
    QJsonObject object{{QStringLiteral("file"), tokenizer.file()},
                       {QStringLiteral("length"), use.data.samples.front().elements()},
                       {QStringLiteral("words"), tokenizer.words()},
                       {QStringLiteral("padding"), tokenizer.padding()},
                       {QStringLiteral("end"), tokenizer.end()}};
    if (const auto lowers = tokenizer.lowers())
        object[QStringLiteral("lowercase")] = *lowers;
    if (use.takes == NetworkUse::Takes::Texts) {
        const QStringList &texts = use.preparation->columns();
        object[QStringLiteral("texts")] = QJsonArray::fromStringList(texts);
        object[QStringLiteral("frame")] = frameJson(texts.size() > 1 ? tokenizer.frame().two : tokenizer.frame().one);
    }
    return object;
}

}  // namespace

Result<NetworkUse> NetworkUse::load(const QString &runFolder) {
    auto data = RunData::load(runFolder);
    if (!data)
        return tl::unexpected(data.error());
    NetworkUse use;
    use.data = std::move(*data);
    if (const LossFacts *loss = LossFacts::byName(use.data.loss))
        use.answers = loss->answers;
    const Slot &first = use.data.samples.front();
    if (use.data.samples.size() == 1 && first.dtype == DType::UInt8 && first.shape.size() == 3) {
        const auto job = Job::load(runFolder + QStringLiteral("/job.json"));
        if (!job)
            return tl::unexpected(job.error());
        use.takes = Takes::Pictures;
        use.fit = job->fit.value_or(PictureFit::Crop);
        return use;
    }
    auto preparation = Preparation::load(runFolder);
    if (!preparation) {
        return preparation.error().code == QLatin1String("run.no-preparation") ? Result<NetworkUse>(use)
                                                                               : tl::unexpected(preparation.error());
    }
    using Kind = Preparation::Kind;
    const Kind kind = (*preparation)->kind();
    use.takes = kind == Kind::Table ? Takes::Rows : kind == Kind::Texts ? Takes::Texts : Takes::Prompts;
    use.preparation = std::move(*preparation);
    return use;
}

bool NetworkUse::hasQuantity() const {
    return answers == LossFacts::Answers::Numbers && (takes == Takes::Rows || takes == Takes::Texts);
}

std::vector<double> NetworkUse::means() const {
    const auto channels = static_cast<std::size_t>(data.input.outputShape(data.samples.front().shape).front());
    return data.input.mean.empty() ? std::vector<double>(channels, 0.0) : data.input.mean;
}

std::vector<double> NetworkUse::deviations() const {
    return data.input.deviation.empty() ? std::vector<double>(means().size(), 1.0) : data.input.deviation;
}

std::map<QString, QString> NetworkUse::metadata() const {
    std::map<QString, QString> told;
    const auto tell = [&told](const char *key, const QJsonDocument &value) {
        told[QStringLiteral("hearth.") + QLatin1String(key)] = jsonText(value);
    };
    if (answers == LossFacts::Answers::Classes && takes != Takes::Prompts)
        tell("classes", QJsonDocument(QJsonArray::fromStringList(data.classes)));
    if (takes == Takes::Pictures)
        tell("input", QJsonDocument(inputJson(*this)));
    if (takes == Takes::Rows)
        tell("columns", QJsonDocument(columnsJson(*preparation)));
    if (takes == Takes::Texts || takes == Takes::Prompts)
        tell("tokenizer", QJsonDocument(tokenizerJson(*this)));
    if (hasQuantity())
        tell("quantity", QJsonDocument(quantityJson(preparation->labels())));
    return told;
}

}  // namespace hearth
