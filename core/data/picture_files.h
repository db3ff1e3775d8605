// Which picture files make a data set: found in a folder or a table, checked, and kept as a list.
#pragma once

#include <QJsonObject>
#include <array>
#include <atomic>
#include <memory>
#include <vector>

#include "core/data/check_progress.h"
#include "core/data/dataset.h"

namespace hearth {

class JsonReader;

struct PictureEntry {
    QString file;  // relative to PictureFiles::folder
    int label = 0;

    bool operator==(const PictureEntry &) const = default;
};

/// Plain value. JSON, a part of a "hearth-data/1" file: {"path":"/home/me/photos","classes":["cat","dog"],
/// "train":{"cat":["cat/1.jpg"],"dog":[…]},"validation":{…},"test":{…},"broken":[{"file":"cat/7.jpg","cause":"…"}],
/// "bytes":123}; "cause" is in English, its parts beside it (insertSentence()).
struct PictureFiles {
    QString folder;  // absolute
    QStringList classes;
    std::array<std::vector<PictureEntry>, allSplits.size()> splits;  // by class, then by name
    std::vector<BrokenFile> broken;
    qint64 bytes = 0;

    struct Limits {
        static constexpr int classes = 100'000;
        static constexpr qint64 files = 4'000'000;
    };

    bool operator==(const PictureFiles &) const = default;
    /// Into `object`, which has format, name and kind.
    void addTo(QJsonObject &object) const;
    /// The reverse; the caller asks finish().
    static PictureFiles read(JsonReader &reader);
};

/// `path` is a folder with a folder of pictures for each class, or with folders train, validation (or val) and test of
/// such; a CSV or TSV file with the columns file and label (names that people use are known; without a header, the
/// first two), relative to it or to a folder "images" beside it; or a folder with train.csv, and val.csv and test.csv.
/// Without a test set, a fifth of the pictures becomes it, by SHA-256 of their content: copies of a picture stay
/// together, and no picture changes sides when others come. Where there is a validation set and no test set, it is
/// both. Each picture is read and decoded, small, in all processors' threads; those that cannot be used are `broken`.
/// Errors: "data.unreadable", "data.no-pictures", "data.too-many", "data.given-up". Blocks.
Result<PictureFiles> findPictures(const QString &path, const CheckProgress &progress = {});

/// For a first look: of a folder so many files of each class, whichever come first, and all that tables name. None is
/// opened, so that some may be no pictures, and all are there to train with. Errors: as above.
Result<PictureFiles> listPictures(const QString &path, qint64 mostOfClass, const CheckProgress &progress = {});

/// Whether findPictures() is for such a path: a folder, or a table that names pictures.
bool holdsPictures(const QString &path, const CheckProgress &progress = {});

/// A set that reads its files whenever a sample is asked for.
std::shared_ptr<const Dataset> picturesOf(const QString &name, PictureFiles files);

}  // namespace hearth
