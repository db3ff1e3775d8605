// Internal to core/data: a data set that shows another one differently.
#pragma once

#include <QImage>

#include "core/data/dataset.h"

namespace hearth {

/// Says and reads what `data` does; what differs is overridden.
class DatasetView : public Dataset {
  public:
    explicit DatasetView(std::shared_ptr<const Dataset> data) : Dataset(*data), m_data(std::move(data)) {}

    bool hasOwnSizes() const override { return m_data->hasOwnSizes(); }
    bool isDecoded() const override { return m_data->isDecoded(); }
    bool isElsewhere() const override { return m_data->isElsewhere(); }
    bool hasChanged() const override { return m_data->hasChanged(); }
    qint64 count(Split split) const override { return m_data->count(split); }
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        return m_data->readSamples(split, part, indices, out);
    }
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        return m_data->readLabels(split, indices, out);
    }
    Result<void> readEpoch(qint64 epoch, std::size_t part, std::span<const qint64> indices,
                           std::span<std::byte> out) const override {
        return m_data->readEpoch(epoch, part, indices, out);
    }
    QString fileOf(Split split, qint64 index) const override { return m_data->fileOf(split, index); }
    Result<QStringList> readFields(Split split, qint64 index) const override {
        return m_data->readFields(split, index);
    }
    Result<QImage> readPicture(Split split, qint64 index, const ScaleChoice &scale) const override {
        return m_data->readPicture(split, index, scale);
    }

  protected:
    const Dataset &shown() const { return *m_data; }

  private:
    std::shared_ptr<const Dataset> m_data;
};

}  // namespace hearth
