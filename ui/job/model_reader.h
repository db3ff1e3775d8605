// Networks opened beside the event loop.
#pragma once

#include <QObject>
#include <QStringList>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "ui/job/model_facts.h"

namespace hearth {

class BackgroundTask;

/// Keeps what it has read until somebody looks again and the files have changed. Files are touched in threads alone:
/// they may lie where it takes long to answer. GUI thread.
class ModelReader : public QObject {
    Q_OBJECT
  public:
    explicit ModelReader(QObject *parent = nullptr);
    ~ModelReader() override;

    /// Opens those of which nothing is known yet: the first at once, the others one after another. Those that are not
    /// named any more are forgotten.
    void read(const QStringList &names, DType dtype);
    /// Opens those again whose files have changed, and those in which something was wrong.
    void lookAgain();
    /// Null: not read yet. Valid until the event loop is entered again.
    const ModelFacts *facts(const QString &name) const;

  Q_SIGNALS:
    void told(const QString &name);

  private:
    /// When the files of a model were written last; a built-in one has none.
    using Stamp = QStringList;
    struct Known {
        DType dtype = DType::Float32;
        bool isDue = true;                  // to be read, or looked at again
        Stamp stamp;                        // of the files, before they were read
        std::unique_ptr<ModelFacts> facts;  // null: not read yet
        std::unique_ptr<BackgroundTask> task;
    };
    struct Read {
        Stamp stamp;
        std::optional<ModelFacts> facts;  // nothing where those that are known hold
    };
    static Stamp stampOf(const QString &name);
    static bool isAtWork(const Known &known);
    bool isBusy() const;
    void start(const QString &name, Known &known);
    void goOn();

    QStringList m_names;  // in the order in which they are read
    std::map<QString, Known> m_known;
    std::vector<std::unique_ptr<BackgroundTask>> m_unwanted;  // still at work
};

}  // namespace hearth
