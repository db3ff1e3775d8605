// Networks opened beside the event loop.
#pragma once

#include <QObject>
#include <QStringList>
#include <map>
#include <memory>
#include <vector>

#include "ui/job/model_facts.h"

namespace hearth {

class BackgroundTask;

/// Keeps what it has read until the file changes. GUI thread.
class ModelReader : public QObject {
    Q_OBJECT
  public:
    explicit ModelReader(QObject *parent = nullptr);
    ~ModelReader() override;

    /// Opens those of which nothing is known yet, or whose files have changed: the first at once, the others one after
    /// another. Those that are not named any more are forgotten.
    void read(const QStringList &names, DType dtype);
    /// Null: not read yet. Valid until the event loop is entered again.
    const ModelFacts *facts(const QString &name) const;

  Q_SIGNALS:
    void told(const QString &name);

  private:
    /// When the files of a model were written last; a built-in one has none.
    using Stamp = QStringList;
    struct Known {
        Stamp stamp;
        DType dtype;
        std::unique_ptr<ModelFacts> facts;  // null: being read, or of a file that has changed
        std::unique_ptr<BackgroundTask> task;
    };
    static Stamp stampOf(const QString &name);
    bool isBusy() const;
    void start(const QString &name);
    void goOn();

    std::map<QString, Known> m_known;
    QStringList m_waiting;
    std::vector<std::unique_ptr<BackgroundTask>> m_unwanted;  // still at work
};

}  // namespace hearth
