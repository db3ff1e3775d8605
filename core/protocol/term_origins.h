// With which version each term of a run began: which states of those that were away, and of the disk, still count.
#pragma once

#include <QJsonArray>
#include <optional>
#include <vector>

namespace hearth {

/// Where weights follow from plans (asynchronous training, local steps, codecs, bfloat16), rounds that are done again
/// under a later term give others. A device that missed the term, or a checkpoint, has states of the earlier course: of
/// these, versions after the later term's beginning belong to nobody any more. In other training they are the same
/// ones, and nothing is noted. Plain value, any thread.
class TermOrigins {
  public:
    /// Training goes on from `version` under `term`, which is later than all before.
    void begin(quint32 term, quint64 version);
    /// The newest version that counts of what was computed under term `last`.
    quint64 newestAfter(quint32 last) const;

    bool operator==(const TermOrigins &) const = default;
    bool isEmpty() const { return m_origins.empty(); }
    QJsonArray toJson() const;  // [[term, version], …]
    /// Nothing where it is no such list.
    static std::optional<TermOrigins> fromJson(const QJsonArray &rows);

  private:
    struct Origin {
        quint32 term = 0;
        quint64 version = 0;
        bool operator==(const Origin &) const = default;
    };
    /// Both ascend: of an earlier term that began with no less, the later one says all there is to say.
    std::vector<Origin> m_origins;
};

}  // namespace hearth
