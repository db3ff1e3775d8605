// The rounds of a run as TensorBoard reads them.
#pragma once

#include "core/history/round_writer.h"

namespace hearth {

/// An event file: records of TensorFlow (length and data, each with a masked CRC-32C), each of them a protocol buffer
/// `tensorflow.Event` with scalars. One run per file, as TensorBoard takes a folder for a run.
class TensorBoard final : public RoundLines {
  public:
    explicit TensorBoard(QIODevice &file) : m_file(file) {}

    /// As TensorBoard finds it below a folder.
    static QString fileName(const RunSummary &run);

    void begin(const RunRecord &record) override;

  protected:
    bool write(const RoundLine &line) override;

  private:
    bool writeRecord(const QByteArray &event);

    QIODevice &m_file;
    double m_started = 0;  // seconds since 1970
    bool m_taken = true;   // all that was written so far
};

}  // namespace hearth
