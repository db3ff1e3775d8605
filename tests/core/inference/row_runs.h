// Runs that learnt from rows and texts, as they leave their folders: nothing else is there of their data.
#pragma once

#include <QDir>
#include <QTemporaryDir>

#include "core/data/preparation.h"
#include "tests/core/inference/trained_run.h"

namespace hearth {

class RowRuns {
  public:
    static constexpr qint64 length = 8;  // tokens

    /// Runs are below `folder`; without one below a temporary one.
    explicit RowRuns(const QString &folder = {}) : m_root(folder.isEmpty() ? m_folder.path() : folder) {}

    QString path(const QString &name) const { return m_root + QLatin1Char('/') + name; }
    QString save(const QString &name, const QByteArray &content) const {
        QString file = path(name);
        QDir().mkpath(QFileInfo(file).absolutePath());
        QFile to(file);
        if (!to.open(QIODevice::WriteOnly) || to.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(file));
        return file;
    }

    /// One linear layer over the numbers of a table with these rows.
    TrainedRun table(const QString &run, const QByteArray &train, const QByteArray &test) {
        learn(run, {{QStringLiteral("train.csv"), train}, {QStringLiteral("test.csv"), test}});
        const bool areClasses = data->classes() > 0;
        const QByteArray model = QByteArray(R"({"format":"hearth-model/1","name":"t","inputs":[{"name":"features",
            "dtype":"real","shape":[%1]}],"graph":[{"name":"head","kind":"linear","features":%2,"from":["features"]}],
            "outputs":["head"]})")
                                     .replace("%1", QByteArray::number(data->sample().elements()))
                                     .replace("%2", QByteArray::number(areClasses ? data->classes() : 1));
        return TrainedRun(path(run), model, job, described(areClasses ? "cross-entropy" : "mean-squared-error", {0}));
    }
    /// The mean of the embeddings of tokens and segments, as bytes; then one linear layer.
    TrainedRun texts(const QString &run, const QByteArray &train, const QByteArray &test) {
        learn(run, {{QStringLiteral("train.csv"), train}, {QStringLiteral("test.csv"), test}});
        const QByteArray model = QByteArray(R"({"format":"hearth-model/1","name":"t","inputs":[
            {"name":"segments","dtype":"int64","shape":[8]},{"name":"tokens","dtype":"int64","shape":[8]}],"graph":[
            {"name":"place","kind":"embedding","rows":2,"features":4,"from":["segments"]},
            {"name":"word","kind":"embedding","rows":259,"features":4,"from":["tokens"]},
            {"name":"sum","kind":"add","from":["place","word"]},{"name":"mean","kind":"mean","axes":[0]},
            {"name":"head","kind":"linear","features":%1}],"outputs":["head"]})")
                                     .replace("%1", QByteArray::number(data->classes()));
        return TrainedRun(path(run), model, job, described("cross-entropy", {2, 0}));
    }
    /// What follows a byte depends on it alone.
    TrainedRun language(const QString &run) {
        const QByteArray words = QByteArray("some words ").repeated(100);
        learn(run, {{QStringLiteral("train.txt"), words}, {QStringLiteral("test.txt"), words}});
        const QByteArray model = R"({"format":"hearth-model/1","name":"t","inputs":[
            {"name":"tokens","dtype":"int64","shape":[8]}],"graph":[
            {"name":"word","kind":"embedding","rows":259,"features":16,"from":["tokens"]},
            {"name":"head","kind":"linear","features":259}],"outputs":["head"]})";
        return TrainedRun(path(run), model, job, described("cross-entropy", {0}));
    }

    /// Of the last one; its files are gone after forget().
    std::shared_ptr<const Dataset> data;
    void forget() const { QDir(path(QStringLiteral("set"))).removeRecursively(); }

  private:
    static constexpr auto job = R"({"format":"hearth-job/1","model":"m.json","data":"gone"})";

    void learn(const QString &run, const std::vector<std::pair<QString, QByteArray>> &files) {
        forget();
        for (const auto &[name, content] : files)
            save(QStringLiteral("set/") + name, content);
        const auto loaded = loadDataset(path(QStringLiteral("set")));
        if (!loaded)
            qFatal("%s", qPrintable(loaded.error().toString()));
        data = fitTexts(*loaded, length);
        QDir(path(run)).removeRecursively();  // a run keeps what it was told of its data first
        QDir().mkpath(path(run));
        if (const auto saved = savePreparation(*data, path(run)); !saved)
            qFatal("%s", qPrintable(saved.error().toString()));
    }
    RunData described(const char *loss, const std::vector<std::size_t> &parts) const {
        RunData run{Precision::Float64, QLatin1String(loss), {}, {}, data->labelNames()};
        for (const std::size_t part : parts)
            run.samples.push_back(data->parts()[part].slot);
        return run;
    }

    QTemporaryDir m_folder;
    const QString m_root;
};

}  // namespace hearth
