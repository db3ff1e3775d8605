#include "core/inference/run_inference.h"

#include <QDirIterator>
#include <QFileInfo>
#include <QMimeDatabase>
#include <QSaveFile>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <thread>

#include "core/agent/programs.h"
#include "core/base/json_reader.h"
#include "core/data/picture_files.h"
#include "core/history/csv_file.h"
#include "core/run/job.h"

namespace hearth {
namespace {

// Loading a network of gigabytes from a slow disk; and a piece of it on a slow processor.
constexpr std::chrono::minutes openDeadline{10}, answerDeadline{10};

/// `values` are what the last layer gives, of one sample.
void toChances(std::span<double> values, LossFacts::Answers answers) {
    if (answers == LossFacts::Answers::YesOrNo) {
        for (double &value : values)
            value = 1 / (1 + std::exp(-value));
    } else if (answers == LossFacts::Answers::Classes) {
        const double most = *std::ranges::max_element(values);
        double sum = 0;
        for (double &value : values)
            sum += value = std::exp(value - most);
        for (double &value : values)
            value /= sum;
    }
}

bool isPicture(const Slot &slot) {
    return slot.dtype == DType::UInt8 && slot.shape.size() == 3 && (slot.shape[0] == 1 || slot.shape[0] == 3);
}

}  // namespace

std::vector<std::size_t> FileAnswer::likeliest(std::size_t most) const {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    const std::size_t count = std::min(most, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), std::greater{},
                              [this](std::size_t output) { return values[output]; });
    order.resize(count);
    return order;
}

QStringList picturesAt(const QStringList &paths) {
    QStringList found;
    for (const QString &path : paths) {
        if (!QFileInfo(path).isDir()) {
            found << path;
            continue;
        }
        const QMimeDatabase kinds;
        QStringList inside;
        QDirIterator files(path, QDir::Files | QDir::Readable, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString file = files.next();
            if (kinds.mimeTypeForFile(file, QMimeDatabase::MatchExtension).name().startsWith(QLatin1String("image/")))
                inside << file;
        }
        inside.sort();
        found << inside;
    }
    return found;
}

Result<void> writeAnswers(const RunInference &inference, const std::vector<FileAnswer> &answers, const QString &path) {
    QSaveFile file(path);
    CsvFile table(file);
    bool good = file.open(QIODevice::WriteOnly) && table.write({"file", "class", "certainty", "error"});
    for (const FileAnswer &one : answers) {
        QByteArrayList row{one.file.toUtf8(), {}, {}, {}};
        if (one.broken) {
            row[3] = one.broken->english().toUtf8();
        } else {
            const std::size_t best = one.likeliest(1).front();
            row[1] = inference.outputName(best).toUtf8();
            row[2] = CsvFile::number(one.values[best]);
        }
        good = good && table.write(row);
    }
    if (good && file.commit())
        return {};
    return fail(QStringLiteral("predict.not-written"), sentence("%1 could not be written.").arg(path),
                file.errorString() + QLatin1Char('.'), sentence("Check the folder and its free space."));
}

Result<std::unique_ptr<RunInference>> RunInference::open(const QString &runFolder) {
    const auto data = RunData::load(runFolder);
    if (!data)
        return tl::unexpected(data.error());
    const QString path = runFolder + QStringLiteral("/job.json");
    const auto job =
        readJsonFile(path).and_then([&](const QJsonObject &object) { return Job::fromJson(object, path); });
    if (!job)
        return tl::unexpected(job.error());
    if (!QFileInfo::exists(runFolder + QStringLiteral("/weights.safetensors"))) {
        return hearth::fail(QStringLiteral("run.no-weights"), sentence("The run has no weights yet."),
                            sentence("It saves them at its end."),
                            sentence("\"hearth save RUN FILE\" saves those of a run under way."));
    }
    if (data->samples.size() != 1 || !isPicture(data->samples.front())) {
        return hearth::fail(QStringLiteral("predict.no-pictures"), sentence("This network takes no pictures."),
                            sentence("Only networks for pictures can be tried so far."),
                            sentence("Export it for other programs: hearth export RUN --onnx FILE."));
    }
    const LossFacts *loss = LossFacts::byName(data->loss);
    const PictureInput input{data->samples.front().shape, job->fit.value_or(PictureFit::Crop)};
    return std::unique_ptr<RunInference>(
        new RunInference(runFolder, *data, input, loss ? loss->answers : LossFacts::Answers::Numbers));
}

RunInference::RunInference(QString folder, RunData data, PictureInput input, LossFacts::Answers answers)
    : m_folder(std::move(folder)),
      m_data(std::move(data)),
      m_input(std::move(input)),
      m_answers(answers),
      m_process(sentence("The program that answers")) {
    connect(&m_process, &ChildProcess::ended, this, &RunInference::fail);
}

RunInference::~RunInference() = default;

QString RunInference::outputName(std::size_t output) const {
    return m_data.classes.value(static_cast<qsizetype>(output), QString::number(output));
}

void RunInference::ask(const QStringList &files) {
    m_waiting << files;
    if (m_hasFailed)
        return;
    if (!m_process.isRunning())
        start();
    readNext();
}

void RunInference::start() {
    const auto program = findProgram(QStringLiteral("hearth-worker"));
    if (!program)
        return fail(program.error());
    const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    m_process.start(*program, {QStringLiteral("--answer"), QStringLiteral("--threads"), QString::number(threads)});
    m_process.call(QStringLiteral("open"), {{QLatin1String("run"), QFileInfo(m_folder).absoluteFilePath()}},
                   openDeadline, this, [this](const Result<QCborMap> &opened) {
                       if (!opened)
                           return fail(opened.error());
                       m_isOpen = true;
                       askNext();
                   });
}

/// One piece ahead of what is being answered.
void RunInference::readNext() {
    if (m_hasFailed || m_ready || (m_reading && m_reading->isRunning()) || m_waiting.isEmpty())
        return;
    const QStringList files = m_waiting.mid(0, piece);
    m_waiting.remove(0, files.size());
    m_reading = std::make_unique<BackgroundTask>();
    m_reading->start<Read>(
        this,
        [files, input = m_input, bytes = m_data.samples.front().bytes()]() -> Result<Read> {
            return read(files, input, bytes);
        },
        [this](const Read &read) {
            m_ready = read;
            askNext();
        },
        [this](const Error &error) { fail(error); });
}

RunInference::Read RunInference::read(const QStringList &files, const PictureInput &input, qint64 sampleBytes) {
    Read result;
    for (const QString &file : files) {
        PictureFiles one{QStringLiteral("/"), {QString()}, {}, {}, 0};
        one.splits[static_cast<std::size_t>(Split::Test)] = {{QFileInfo(file).absoluteFilePath().mid(1), 0}};
        const auto picture = fitPictures(picturesOf(file, std::move(one)), input);
        QByteArray bytes(sampleBytes, Qt::Uninitialized);
        const qint64 first = 0;
        const auto done = picture->readSamples(
            Split::Test, 0, std::span(&first, 1),
            std::as_writable_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))));
        if (done) {
            result.samples += bytes;
            result.files.push_back({file, pictureOf(input.shape, std::as_bytes(std::span(bytes))), {}, {}});
        } else {
            result.files.push_back({file, {}, {}, done.error().cause});
        }
    }
    return result;
}

void RunInference::askNext() {
    if (m_hasFailed || !m_isOpen || m_isAsked || !m_ready)
        return;
    m_isAsked = true;
    Read asked = std::move(*m_ready);
    m_ready.reset();
    readNext();
    if (asked.samples.isEmpty())
        return take(std::move(asked), {});
    const QCborMap samples{{QLatin1String("samples"), asked.samples}};
    asked.samples.clear();
    m_process.call(QStringLiteral("answer"), samples, answerDeadline, this,
                   [this, asked](const Result<QCborMap> &answer) {
                       if (!answer)
                           return fail(answer.error());
                       take(asked, (*answer)[QLatin1String("values")].toByteArray());
                   });
}

void RunInference::take(Read read, const QByteArray &values) {
    m_isAsked = false;
    const auto used = std::ranges::count_if(read.files, [](const FileAnswer &file) { return !file.broken; });
    std::vector<double> numbers(static_cast<std::size_t>(values.size()) / sizeof(double));
    std::memcpy(numbers.data(), values.constData(), numbers.size() * sizeof(double));
    const std::size_t outputs = used > 0 ? numbers.size() / static_cast<std::size_t>(used) : 0;
    std::span<double> rest(numbers);
    for (FileAnswer &file : read.files) {
        if (!file.broken && outputs > 0) {
            toChances(rest.first(outputs), m_answers);
            file.values.assign(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(outputs));
            rest = rest.subspan(outputs);
        }
        Q_EMIT answered(file);
    }
    if (m_waiting.isEmpty() && !m_ready && !m_reading->isRunning())
        Q_EMIT finished();
    readNext();
    askNext();
}

void RunInference::fail(const Error &error) {
    if (m_hasFailed)
        return;
    m_hasFailed = true;
    Q_EMIT failed(error);
}

}  // namespace hearth
