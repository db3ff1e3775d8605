// What a trained network is asked about, one after the other.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QStringList>
#include <optional>

#include "core/base/error.h"

namespace hearth {

/// As a person knows it. Plain value.
struct Asked {
    QString name;                    // a file, the place of a row ("new.csv:12"), a text that was typed
    QImage picture;                  // as the network sees it
    QStringList fields;              // of a row, as many as SampleSource::columns()
    QString text;                    // those of them that the network takes, in one line
    std::optional<QString> label;    // what the row itself says
    std::optional<Sentence> broken;  // it cannot be used
};

/// Plain value.
struct Sample {
    Asked asked;
    QByteArray bytes;  // as the network takes them, by input; empty where it is broken
};

/// In memory for one sample. Blocks; one thread at a time.
class SampleSource {
  public:
    virtual ~SampleSource() = default;
    /// Names of fields; empty: samples have none.
    const QStringList &columns() const { return m_columns; }
    /// Nothing at the end. Errors: what follows cannot be read.
    virtual Result<std::optional<Sample>> next() = 0;

  protected:
    QStringList m_columns;
};

}  // namespace hearth
