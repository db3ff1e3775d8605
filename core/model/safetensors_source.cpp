#include "core/model/safetensors_source.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <map>

#include "core/base/files.h"
#include "core/model/safetensors_header.h"

namespace hearth {
namespace {

tl::unexpected<Error> changed(const QString &path) {
    return fail(QStringLiteral("weights.changed"), sentence("%1 changed while it was in use.").arg(path),
                sentence("It is not the file that was opened."), sentence("Open the model again."));
}

class SafetensorsFiles : public TensorSource {
  public:
    Result<void> add(const QString &path) {
        QFile file(path);
        if (auto opened = openPlainFile(file, true); !opened)
            return opened;
        auto content = detail::readSafetensorsHeader(file, path);
        if (!content)
            return tl::unexpected(content.error());
        const auto number = m_files.size();
        m_files.push_back({path, file.size(), QFileInfo(path).lastModified()});
        for (const detail::TensorEntry &entry : content->entries) {
            const auto [place, isNew] = m_places.try_emplace(
                entry.name,
                Place{{entry.dtype, entry.shape}, number, content->start + entry.begin, entry.end - entry.begin});
            if (!isNew) {
                return fail(QStringLiteral("weights.malformed"),
                            sentence("The tensor \"%1\" is there twice.").arg(entry.name.left(100)),
                            sentence("It lies in %1 and in %2.").arg(m_files[place->second.file].path, path),
                            sentence("Save the weights again."));
            }
        }
        return {};
    }

    QStringList names() const override {
        QStringList list;
        for (const auto &[name, place] : m_places)
            list << name;
        return list;
    }

    std::optional<Facts> find(const QString &name) const override {
        const auto found = m_places.find(name);
        return found == m_places.end() ? std::nullopt : std::optional(found->second.facts);
    }

    Result<NamedTensor> read(const QString &name) const override {
        const auto found = m_places.find(name);
        Q_ASSERT(found != m_places.end());
        const Place &place = found->second;
        const File &from = m_files[place.file];
        QFile file(from.path);
        if (auto opened = openPlainFile(file, true); !opened)
            return tl::unexpected(opened.error());
        if (file.size() != from.size || QFileInfo(from.path).lastModified() != from.modified || !file.seek(place.begin))
            return changed(from.path);
        NamedTensor tensor;
        tensor.spec.name = name;
        tensor.spec.shape = place.facts.shape;
        tensor.dtype = place.facts.dtype;
        tensor.data = Buffer::allocate(place.bytes);
        for (qint64 done = 0; done < place.bytes;) {
            const qint64 got = file.read(reinterpret_cast<char *>(tensor.data->data() + done), place.bytes - done);
            if (got <= 0)
                return changed(from.path);
            done += got;
        }
        return tensor;
    }

  private:
    struct File {
        QString path;
        qint64 size = 0;
        QDateTime modified;
    };
    struct Place {
        Facts facts;
        std::size_t file = 0;
        qint64 begin = 0, bytes = 0;
    };
    std::vector<File> m_files;
    std::map<QString, Place> m_places;
};

}  // namespace

Result<std::shared_ptr<const TensorSource>> openSafetensors(const QStringList &paths) {
    auto files = std::make_shared<SafetensorsFiles>();
    for (const QString &path : paths) {
        if (auto added = files->add(path); !added)
            return tl::unexpected(added.error());
    }
    return files;
}

}  // namespace hearth
