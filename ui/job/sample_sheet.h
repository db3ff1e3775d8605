// What the data look like: their size, and a sheet of real samples.
#pragma once

#include <QDateTime>
#include <QWidget>
#include <memory>
#include <utility>
#include <vector>

#include "ui/job/data_glance.h"

namespace hearth {

class BackgroundTask;

/// Loads the data set once for each way to see it, one of picture files, rows or texts only once, and again where its
/// files have changed since the sheet was shown last or what was wrong may be mended by now. A later one wins: what is
/// read of another set is given up. Of a folder that nobody has looked at, samples are there before all its pictures
/// were tried. GUI thread; asks for files and reads them in another.
class SampleSheet : public QWidget {
    Q_OBJECT
  public:
    explicit SampleSheet(QWidget *parent = nullptr);
    ~SampleSheet() override;
    /// Those of the job; as `model` would see them where its job makes something else of pictures. Null: nobody knows
    /// yet.
    void load(const Job &job, const Model *model);
    /// `set` was read under this name just now: load() or lookAgain() reads nothing more. Null: nothing was.
    void setRead(const QString &name, const std::shared_ptr<const Dataset> &set) { m_read = {name, set}; }
    /// In a thread; where files have changed meanwhile, the set is read again.
    void lookAgain();
    /// Of the set that is shown; nothing while one is read, or where none could be.
    const std::optional<DataShape> &shape() const { return m_shape; }
    /// What a run of this job counts; nothing while its data are read, or where they could not be.
    CountedSamples countedFor(const Job &job, const Model *model) const;
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

  protected:
    void paintEvent(QPaintEvent *event) override;
    void showEvent(QShowEvent *event) override;
    bool event(QEvent *event) override;

  Q_SIGNALS:
    /// The sentence about the data, or what is wrong with them.
    void told(const QString &text, bool wrong);

  private:
    void take(const DataGlance &glance);
    /// The sentence about the data.
    static QString factsOf(const DataGlance &glance);
    void paintRows(QPainter &painter);
    int columns(int width) const;

    /// Tells whether files came, went or were replaced: those of the data set's folder, and its description.
    struct FileTimes {
        QDateTime file, folder;
        bool operator==(const FileTimes &) const = default;
    };
    /// Blocks.
    static FileTimes timesOf(const QString &nameOrPath);
    /// What decides how the samples look, and how many a run counts.
    struct Wanted {
        Job job;                         // of it, what concerns data
        std::vector<ModelInput> inputs;  // of the network
        std::shared_ptr<const Model> model;
        bool operator==(const Wanted &other) const { return job == other.job && inputs == other.inputs; }
        /// Without the model.
        static Wanted of(const Job &job, const Model *model);
    };

    /// For the other thread.
    struct Look {
        Wanted wanted;
        std::shared_ptr<const Dataset> known;  // may be null
        std::optional<FileTimes> times;        // when that was read; nothing: just now
        bool isNew;                            // else there is only something to tell where files have changed
    };

    void loadWanted();
    /// In another thread; nothing in it where there is nothing to tell.
    Result<DataGlance> look(const Look &asked, const CheckProgress &progress);
    void beginReading();
    /// With what is wanted by now.
    void goOn();

    Wanted m_shown;                                             // or being read
    FileTimes m_times;                                          // of its files before they were read
    std::shared_ptr<const Dataset> m_data;                      // of these, where it is a list of files or rows
    Wanted m_wanted;                                            // last
    std::pair<QString, std::shared_ptr<const Dataset>> m_read;  // by others, not yet shown
    bool m_isKnown = false;                                     // else it is read again
    bool m_looksAgain = false;                                  // as soon as what is under way is over
    bool m_wrong = false;
    std::optional<DataShape> m_shape;
    CountedSamples m_counted;
    std::vector<QImage> m_pictures;
    QStringList m_labels;
    QList<QStringList> m_rows;  // the first one are the names of the columns
    std::unique_ptr<BackgroundTask> m_loading;
};

}  // namespace hearth
