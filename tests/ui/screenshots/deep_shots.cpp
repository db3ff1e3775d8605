// Networks of hundreds of layers, and of several tensors on every cut.
#include <QKeyEvent>
#include <QWidget>
#include <algorithm>

#include "core/model/catalogue.h"
#include "tests/ui/screenshots/scene.h"

namespace hearth::shots {
namespace {

/// The recorded plan's devices, each with as many layers of another network.
Plan planOf(const Model &model, const std::vector<RunEvent> &recorded) {
    const auto first = std::ranges::find_if(
        recorded, [](const RunEvent &one) { return std::holds_alternative<event::Plan>(one.body); });
    Plan plan = *Plan::fromJson(std::get<event::Plan>(first->body).plan, QStringLiteral("the recording"));
    plan.prediction.reset();
    plan.modelName = model.name;
    plan.modelSha256 = QString::fromLatin1(model.sha256());
    plan.layerCount = static_cast<int>(model.layers.size());
    const auto layers = static_cast<int>(model.layers.size()), count = static_cast<int>(plan.stages.size());
    for (int s = 0; s < count; ++s) {
        plan.stages[static_cast<std::size_t>(s)].firstLayer = layers * s / count;
        plan.stages[static_cast<std::size_t>(s)].lastLayer = layers * (s + 1) / count;
    }
    return plan;
}

}  // namespace

void shootDeep(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    for (const char *name : {"t5-large", "efficientnet-b1:image=224", "bert-small"}) {
        const Model model = *loadModel(QLatin1String(name));
        const QString shot = QStringLiteral("deep-") + model.name.section(QLatin1Char(':'), 0, 0);
        Scene scene(variant, folder, RecordedRun::devices(recorded));
        scene.open();
        scene.controller.open(QStringLiteral("deep"));
        RunEvent run = recorded.front();
        std::get<event::Run>(run.body).model = model.toJson();
        Plan plan = planOf(model, recorded);
        scene.send({run, {2, 1, event::Plan{1, 1, plan.toJson(), QStringLiteral("first"), {}}, {}}});
        scene.grab(shot, PlanPlace);
        auto *strip = scene.find<QWidget>("layerStrip");
        QKeyEvent down(QEvent::KeyPress, Qt::Key_Down, {});
        QCoreApplication::sendEvent(strip, &down);
        scene.grab(shot + QStringLiteral("-unfolded"));
    }
}

}  // namespace hearth::shots
