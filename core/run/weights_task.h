// Weights written beside everything else: hundreds of megabytes, or a slow disk, must stop no event loop.
#pragma once

#include <QObject>
#include <QStringList>
#include <map>
#include <vector>

#include "core/base/background_task.h"
#include "core/model/named_tensor.h"

namespace hearth {

struct WeightsOrder {
    QStringList files;  // safetensors, each with all tensors
    std::vector<NamedTensor> tensors;
    std::map<QString, QString> metadata;
    qint64 round = 0;       // after which they are what they are
    bool isHashed = false;  // their SHA-256 is wanted, too
};

struct WeightsWritten {
    struct Failure {
        QString file;
        Error error;
        bool lacksSpace = false;  // its disk has no room for the tensors
    };
    std::vector<Failure> failures;  // in the order of the files; every file was tried
    QByteArray sha256;              // weightsSha256(), where it is wanted and the first file was written
};

/// One writing in a thread of its own; one use. Lives in the caller's thread, where its signal comes. Ends what it
/// began when destroyed, which blocks until then: whoever asked for the file gets it.
class WeightsTask : public QObject {
    Q_OBJECT
  public:
    explicit WeightsTask(QObject *parent = nullptr) : QObject(parent) {}
    /// Ends in written().
    void write(const WeightsOrder &order);

  Q_SIGNALS:
    void written(const hearth::WeightsWritten &result);

  private:
    BackgroundTask m_task;
};

}  // namespace hearth
