#include "core/model/import/hugging_face_tensors.h"

#include <QRegularExpression>
#include <QSet>
#include <algorithm>
#include <utility>

namespace hearth::detail {

using namespace Qt::StringLiterals;

namespace {

/// What old files say instead.
constexpr std::pair<const char *, const char *> oldEndings[] = {{".weight", ".gamma"}, {".bias", ".beta"}};
/// The same tensor under the name of another place that has it.
constexpr std::pair<const char *, const char *> otherNames[] = {
    {"cls.predictions.bias", "cls.predictions.decoder.bias"},
    {"shared.weight", "encoder.embed_tokens.weight"},
    {"shared.weight", "decoder.embed_tokens.weight"},
    {"shared.weight", "lm_head.weight"}};

QStringList candidates(const QString &name, const QString &base) {
    QStringList list{name};
    for (const auto &[ours, other] : otherNames) {
        if (name == QLatin1String(ours))
            list << QLatin1String(other);
    }
    for (const auto &[ending, old] : oldEndings) {
        if (name.endsWith(QLatin1String(ending)))
            list << name.chopped(QLatin1String(ending).size()) + QLatin1String(old);
    }
    if (!base.isEmpty() && name.startsWith(base)) {
        for (const QString &whole : QStringList(list))
            list << whole.mid(base.size());
    }
    return list;
}

Shape withoutOnes(Shape shape) {
    std::erase(shape, 1);
    return shape;
}

/// Constants that networks once saved with their weights, and the second of two that are the same.
bool isExpected(const QString &name) {
    static const QRegularExpression form(
        u"(\\A|\\.)(position_ids|inv_freq|masked_bias|attn\\.bias|lm_head\\.weight|embed_tokens\\.weight|"
        "predictions\\.decoder\\.(weight|bias)|vocab_projector\\.weight)\\z"_s);
    return form.match(name).hasMatch();
}

QString some(QStringList names) {
    constexpr qsizetype shown = 5;
    const qsizetype all = names.size();
    const QString text = names.mid(0, shown).join(", "_L1);
    return all > shown ? text + ", …"_L1 : text;
}

class MatchedTensors : public TensorSource {
  public:
    MatchedTensors(const Model &model, std::shared_ptr<const TensorSource> files, const TensorMatch &match)
        : m_files(std::move(files)) {
        for (const TensorSpec &spec : model.tensors()) {
            if (const auto found = match.nameInFile.find(spec.name); found != match.nameInFile.end())
                m_tensors[spec.name] = {found->second, spec.shape};
        }
    }

    QStringList names() const override {
        QStringList list;
        for (const auto &[name, tensor] : m_tensors)
            list << name;
        return list;
    }

    std::optional<Facts> find(const QString &name) const override {
        const auto found = m_tensors.find(name);
        if (found == m_tensors.end())
            return std::nullopt;
        return Facts{m_files->find(found->second.inFile)->dtype, found->second.shape};
    }

    Result<NamedTensor> read(const QString &name) const override {
        const Tensor &tensor = m_tensors.at(name);
        auto found = m_files->read(tensor.inFile);
        if (found) {
            found->spec.name = name;
            found->spec.shape = tensor.shape;
        }
        return found;
    }

  private:
    struct Tensor {
        QString inFile;
        Shape shape;
    };
    std::shared_ptr<const TensorSource> m_files;
    std::map<QString, Tensor> m_tensors;
};

}  // namespace

Result<TensorMatch> matchTensors(const Model &model, const TensorSource &files, const QString &base,
                                 const QString &source) {
    const QStringList names = files.names();
    QSet<QString> unused(names.begin(), names.end());
    QStringList fresh, reshaped;
    TensorMatch match;
    for (const TensorSpec &spec : model.tensors()) {
        const QStringList possible = candidates(spec.name, base);
        const auto found =
            std::ranges::find_if(possible, [&](const QString &name) { return files.find(name).has_value(); });
        if (found == possible.end()) {
            fresh << spec.name;
            continue;
        }
        unused.remove(*found);
        const TensorSource::Facts facts = *files.find(*found);
        if (withoutOnes(facts.shape) != withoutOnes(spec.shape)) {
            reshaped << u"%1 (%2, %3)"_s.arg(spec.name, shapeText(facts.shape), shapeText(spec.shape));
            continue;
        }
        match.nameInFile[spec.name] = *found;
    }
    if (match.nameInFile.empty()) {
        return fail(u"weights.mismatch"_s, sentence("%1 has no weights for this network.").arg(source),
                    sentence("No tensor has the name and the shape of one of the network's, such as \"%1\".")
                        .arg(model.tensors().front().name),
                    sentence("Check that config.json and the weights belong together."));
    }
    QStringList rest;
    for (const QString &name : std::as_const(unused)) {
        if (!isExpected(name))
            rest << name;
    }
    rest.sort();
    match.notes.push_back(sentence("%1 {1|tensor|tensors} came with it.").arg(match.nameInFile.size()));
    if (!fresh.isEmpty())
        match.notes.push_back(sentence("%1 are new and begin at random: %2.").arg(fresh.size()).arg(some(fresh)));
    if (!reshaped.isEmpty()) {
        match.notes.push_back(sentence("%1 have another shape than the file's and begin at random: %2.")
                                  .arg(reshaped.size())
                                  .arg(some(reshaped)));
    }
    if (!rest.isEmpty())
        match.notes.push_back(sentence("%1 of the file are not used: %2.").arg(rest.size()).arg(some(rest)));
    return match;
}

std::shared_ptr<const TensorSource> matchedTensors(const Model &model, std::shared_ptr<const TensorSource> files,
                                                   const TensorMatch &match) {
    return std::make_shared<MatchedTensors>(model, std::move(files), match);
}

}  // namespace hearth::detail
