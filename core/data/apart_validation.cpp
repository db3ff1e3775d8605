// A part of the training samples, to judge by while others are learnt.
#include <array>

#include "core/base/generator.h"
#include "core/data/dataset_view.h"

namespace hearth {
namespace {

constexpr quint64 validationStream = 5;

class ApartValidation : public DatasetView {
  public:
    ApartValidation(std::shared_ptr<const Dataset> data, double share, quint64 seed) : DatasetView(std::move(data)) {
        const Generator stream = Generator(seed).child(validationStream);
        const qint64 samples = shown().count(Split::Train);
        for (qint64 i = 0; i < samples; ++i) {
            const bool isApart = static_cast<double>(stream.word(static_cast<quint64>(i))) < share * 0x1p64;
            (isApart ? m_apart : m_learnt).push_back(static_cast<quint32>(i));
        }
    }
    bool isUsable() const { return !m_apart.empty() && !m_learnt.empty(); }

    qint64 count(Split split) const override {
        return split == Split::Test ? shown().count(split) : static_cast<qint64>(of(split).size());
    }
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        return split == Split::Test ? shown().readSamples(split, part, indices, out)
                                    : shown().readSamples(Split::Train, part, places(split, indices), out);
    }
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        return split == Split::Test ? shown().readLabels(split, indices, out)
                                    : shown().readLabels(Split::Train, places(split, indices), out);
    }
    Result<void> readEpoch(qint64 epoch, std::size_t part, std::span<const qint64> indices,
                           std::span<std::byte> out) const override {
        return shown().readEpoch(epoch, part, places(Split::Train, indices), out);
    }
    QString fileOf(Split split, qint64 index) const override {
        const auto [held, place] = placeOf(split, index);
        return shown().fileOf(held, place);
    }
    Result<QStringList> readFields(Split split, qint64 index) const override {
        const auto [held, place] = placeOf(split, index);
        return shown().readFields(held, place);
    }
    Result<QImage> readPicture(Split split, qint64 index, const ScaleChoice &scale) const override {
        const auto [held, place] = placeOf(split, index);
        return shown().readPicture(held, place, scale);
    }

  private:
    const std::vector<quint32> &of(Split split) const { return split == Split::Validation ? m_apart : m_learnt; }
    /// Where a sample stands in the set that is shown.
    std::pair<Split, qint64> placeOf(Split split, qint64 index) const {
        return split == Split::Test ? std::pair{split, index}
                                    : std::pair{Split::Train, qint64{of(split)[static_cast<std::size_t>(index)]}};
    }
    std::vector<qint64> places(Split split, std::span<const qint64> indices) const {
        std::vector<qint64> found;
        found.reserve(indices.size());
        for (const qint64 index : indices)
            found.push_back(of(split)[static_cast<std::size_t>(index)]);
        return found;
    }

    std::vector<quint32> m_learnt, m_apart;
};

}  // namespace

Result<std::shared_ptr<const Dataset>> withValidation(std::shared_ptr<const Dataset> data, double share, quint64 seed) {
    if (data->count(Split::Validation) > 0)
        return data;
    const QString name = data->name();
    auto view = std::make_shared<const ApartValidation>(std::move(data), share, seed);
    if (view->isUsable())
        return view;
    return fail(QStringLiteral("job.validation"), sentence("The data %1 have too few samples.").arg(name),
                sentence("Of its training samples none would be set apart for validation, or none be left."),
                sentence("Choose another share for \"validation\" of the job, or leave it out."));
}

}  // namespace hearth
