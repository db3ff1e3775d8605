// What a person's folder may hold besides pictures, and what is told of it.
#include <unistd.h>
#include <QBuffer>
#include <QImage>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/data/data_registry.h"

using namespace hearth;

namespace {

constexpr uid_t nobody = 65534;

/// Root may read everything: then nobody does, for a while.
class AsNobody {
  public:
    AsNobody() { m_was = ::getuid() == 0 && ::setresuid(nobody, nobody, 0) == 0; }
    ~AsNobody() {
        if (m_was && ::setresuid(0, 0, 0) != 0)
            qFatal("root does not come back");
    }
    AsNobody(const AsNobody &) = delete;
    AsNobody &operator=(const AsNobody &) = delete;

  private:
    bool m_was = false;
};

}  // namespace

class PictureFoldersTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init();
    void aFolderWithinAClassThatCannotBeReadIsNamed();
    void aLinkThatLeadsBackIsNamedAndPassedOver();
    void whoLooksForFilesCanGiveUp();
    void filesAreListedBeforeAnyIsTried();
    void whatIsWrongWithAFileCanBeTranslatedLater();
    void aNameThatIsBuiltInStays();

  private:
    QString path(const QString &name = {}) const { return m_folder->filePath(name); }
    /// Pictures that all differ.
    void save(const QString &folder, int count);

    std::unique_ptr<QTemporaryDir> m_folder;
    int m_shade = 0;
};

void PictureFoldersTest::init() {
    // Where everybody may look, whoever runs this.
    m_folder = std::make_unique<QTemporaryDir>(QStringLiteral("/tmp/hearth-pictures"));
    QVERIFY(m_folder->isValid());
    QVERIFY(QFile::setPermissions(
        path(), QFile::permissions(path()) | QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther | QFile::ExeOther));
    save(QStringLiteral("hills"), 20);
    save(QStringLiteral("hills/far"), 3);
    save(QStringLiteral("sea"), 20);
}

void PictureFoldersTest::save(const QString &folder, int count) {
    QVERIFY(QDir().mkpath(path(folder)));
    for (int i = 0; i < count; ++i) {
        QImage picture(8, 8, QImage::Format_RGB888);
        picture.fill(QColor::fromRgb(static_cast<QRgb>(++m_shade)));
        QVERIFY(picture.save(path(QStringLiteral("%1/%2.png").arg(folder).arg(i))));
    }
}

void PictureFoldersTest::aFolderWithinAClassThatCannotBeReadIsNamed() {
    QVERIFY(QFile::setPermissions(path(QStringLiteral("hills/far")), {}));
    Result<PictureFiles> files;
    {
        const AsNobody somebodyElse;
        files = findPictures(path());
    }
    QVERIFY(QFile::setPermissions(path(QStringLiteral("hills/far")),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QVERIFY2(files, files ? "" : qPrintable(files.error().toString()));
    QCOMPARE(files->broken.size(), 1U);
    QCOMPARE(files->broken.front().file, QStringLiteral("hills/far"));
    QCOMPARE(files->broken.front().cause, QStringLiteral("The folder is not yours to read."));
    QCOMPARE(files->splits[0].size() + files->splits[2].size(), 40U);
}

void PictureFoldersTest::aLinkThatLeadsBackIsNamedAndPassedOver() {
    QVERIFY(QFile::link(path(), path(QStringLiteral("hills/far/back"))));
    const auto files = findPictures(path());
    QVERIFY2(files, files ? "" : qPrintable(files.error().toString()));
    QCOMPARE(files->splits[0].size() + files->splits[2].size(), 43U);
    QCOMPARE(files->broken.size(), 1U);
    QCOMPARE(files->broken.front().file, QStringLiteral("hills/far/back"));
}

void PictureFoldersTest::whoLooksForFilesCanGiveUp() {
    qint64 found = 0;
    const auto files = findPictures(path(), [&](qint64 done, qint64 total) {
        found = done;
        return total > 0 || done < 5;
    });
    QVERIFY(!files);
    QCOMPARE(files.error().code, QStringLiteral("data.given-up"));
    QCOMPARE(found, 5);
}

void PictureFoldersTest::filesAreListedBeforeAnyIsTried() {
    QFile broken(path(QStringLiteral("sea/none.jpg")));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    const auto listed = listPictures(path(), 1000);
    QVERIFY2(listed, listed ? "" : qPrintable(listed.error().toString()));
    QCOMPARE(listed->folder, path());
    QCOMPARE(listed->classes, QStringList({QStringLiteral("hills"), QStringLiteral("sea")}));
    const std::vector<PictureEntry> &all = listed->splits.front();
    QCOMPARE(all.size(), std::size_t{44});
    for (const PictureEntry &entry : all)
        QCOMPARE(entry.label, entry.file.startsWith(QLatin1String("sea/")) ? 1 : 0);
    QVERIFY(std::ranges::find(all, QStringLiteral("sea/none.jpg"), &PictureEntry::file) != all.end());
    const auto few = listPictures(path(), 5);
    QVERIFY(few);
    QCOMPARE(few->splits.front().size(), std::size_t{10});
    QCOMPARE(few->classes, listed->classes);
    QVERIFY(!listPictures(path(QStringLiteral("gone")), 5));
}

void PictureFoldersTest::whatIsWrongWithAFileCanBeTranslatedLater() {
    QFile file(path(QStringLiteral("sea/empty.jpg")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QString name = QStringLiteral("coast");
    const auto set = registerDataset(name, path(), true);
    QVERIFY2(set, set ? "" : qPrintable(set.error().toString()));
    QCOMPARE((*set)->broken().size(), 1U);
    const Sentence cause = (*set)->broken().front().cause;
    QCOMPARE(cause, QStringLiteral("It is empty."));
    QCOMPARE(cause.kind(), Sentence::Kind::Source);
    QVERIFY(unregisterDataset(name));
}

void PictureFoldersTest::aNameThatIsBuiltInStays() {
    const QString name = builtinDatasets().front();
    const auto added = registerDataset(name, path(), false);
    QVERIFY(!added);
    QCOMPARE(added.error().code, QStringLiteral("data.taken"));
    QVERIFY2(!added.error().toString().contains(QLatin1String("remove")), qPrintable(added.error().toString()));
    const auto removed = unregisterDataset(name);
    QVERIFY(!removed);
    QCOMPARE(removed.error().code, QStringLiteral("data.builtin"));
}

QTEST_GUILESS_MAIN(PictureFoldersTest)
#include "picture_folders_test.moc"
