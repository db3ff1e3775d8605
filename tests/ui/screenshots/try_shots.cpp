// "Try it" with a table, with pairs of texts, and with a prompt.
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>

#include "tests/core/inference/row_runs.h"
#include "tests/ui/screenshots/scene.h"
#include "ui/history/try_answers.h"
#include "ui/history/try_dialog.h"

namespace hearth::shots {
namespace {

const auto weather =
    QByteArray("temperature,wind,sky\n20,west,sun\n12.5,east,rain\n25,west,sun\n9,,rain\n-2,north,snow\n");

const auto prices = QByteArray("rooms,price\n2,150000.5\n3,210500\n5,399000\n");

/// Opened and ready.
std::unique_ptr<TryDialog> dialogOf(Scene &scene, const QString &name, const QString &folder) {
    auto dialog = std::make_unique<TryDialog>(scene.answers, scene.controller, name, folder, scene.window.get());
    dialog->open();
    while (!dialog->acceptDrops() && dialog->findChild<QPlainTextEdit *>() == nullptr)
        settle();
    return dialog;
}

void press(const TryDialog &dialog, const char *button) {
    dialog.findChild<QPushButton *>(QLatin1String(button))->click();
}

void waitForRows(const TryDialog &dialog, int rows) {
    while (dialog.findChild<TryAnswers *>()->rowCount() < rows)
        settle();
}

void shootRows(Scene &scene, const RowRuns &runs) {
    const auto dialog = dialogOf(scene, QStringLiteral("mlp"), runs.path(QStringLiteral("rows")));
    scene.grab(QStringLiteral("try-begun"), *dialog);
    dialog->findChild<QLineEdit *>(QStringLiteral("tryField-temperature"))->setText(QStringLiteral("17"));
    dialog->findChild<QComboBox *>(QStringLiteral("tryField-wind"))->setCurrentText(QStringLiteral("west"));
    press(*dialog, "tryAsk");
    waitForRows(*dialog, 1);
    scene.answers.file = runs.save(QStringLiteral("new.csv"), weather + "1,2,3,4\n");
    press(*dialog, "tryFile");
    waitForRows(*dialog, 7);
    scene.grab(QStringLiteral("try-rows"), *dialog);
    dialog->findChild<QLineEdit *>(QStringLiteral("tryField-temperature"))->setText(QStringLiteral("warm"));
    press(*dialog, "tryAsk");
    scene.grab(QStringLiteral("try-refused"), *dialog);
}

void shootQuantities(Scene &scene, const RowRuns &runs) {
    const auto dialog = dialogOf(scene, QStringLiteral("mlp"), runs.path(QStringLiteral("prices")));
    scene.answers.file = runs.save(QStringLiteral("houses.csv"), prices + "a,b\n");
    press(*dialog, "tryFile");
    waitForRows(*dialog, 4);
    scene.grab(QStringLiteral("try-quantities"), *dialog);
}

void shootTexts(Scene &scene, const RowRuns &runs) {
    const auto dialog = dialogOf(scene, QStringLiteral("bert"), runs.path(QStringLiteral("texts")));
    dialog->findChild<QLineEdit *>(QStringLiteral("tryField-sentence1"))
        ->setText(QStringLiteral("The house is on the hill."));
    dialog->findChild<QLineEdit *>(QStringLiteral("tryField-sentence2"))
        ->setText(QStringLiteral("There is a house on the hill."));
    press(*dialog, "tryAsk");
    waitForRows(*dialog, 1);
    scene.grab(QStringLiteral("try-texts"), *dialog);
}

void shootPrompt(Scene &scene, const RowRuns &runs) {
    const auto dialog = dialogOf(scene, QStringLiteral("gpt2"), runs.path(QStringLiteral("language")));
    dialog->findChild<QPlainTextEdit *>(QStringLiteral("tryPrompt"))->setPlainText(QStringLiteral("some wo"));
    dialog->findChild<QSpinBox *>(QStringLiteral("tryTokens"))->setValue(20);
    press(*dialog, "tryContinue");
    const auto *go = dialog->findChild<QPushButton *>(QStringLiteral("tryContinue"));
    for (const QString running = go->text(); go->text() == running;)
        settle();
    scene.grab(QStringLiteral("try-prompt"), *dialog);
}

}  // namespace

void shootTry(const Variant &variant, const QDir &folder) {
    Scene scene(variant, folder);
    scene.open();
    RowRuns runs;
    runs.table(QStringLiteral("rows"), weather, weather);
    runs.table(QStringLiteral("prices"), prices, prices);
    const QByteArray pairs = "sentence1,sentence2,label\na,b,same\nabc,d,other\n";
    runs.texts(QStringLiteral("texts"), pairs, pairs);
    runs.language(QStringLiteral("language"));
    shootRows(scene, runs);
    shootQuantities(scene, runs);
    shootTexts(scene, runs);
    shootPrompt(scene, runs);
}

}  // namespace hearth::shots
