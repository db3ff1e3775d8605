"""Each change of RandAugment beside torchvision's, of the same picture and strength."""
import subprocess
import sys
import tempfile

import numpy
from PIL import Image
from torchvision.transforms import RandAugment
from torchvision.transforms.autoaugment import _apply_op
from torchvision.transforms.functional import InterpolationMode

OPS = ["Identity", "ShearX", "ShearY", "TranslateX", "TranslateY", "Rotate", "Brightness", "Color", "Contrast",
       "Sharpness", "Posterize", "Solarize", "AutoContrast", "Equalize"]
WIDTH, HEIGHT = 97, 64
# Theirs cut where ours round to the nearest, and at most so many pixels lie on the border between two.
LEVELS_APART, SHARE_ELSEWHERE = 2, 0.005


def picture():
    """Colours that run in all directions, a few edges, and neither black nor white."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    planes = [40 + 150 * x / WIDTH, 30 + 170 * y / HEIGHT, 60 + 40 * numpy.sin(x / 9) + 60 * numpy.cos(y / 7)]
    pixels = numpy.stack(planes, axis=2)
    pixels[20:40, 30:60] = [200, 40, 90]
    return Image.fromarray(pixels.astype(numpy.uint8), "RGB")


def expected(source, op, turned, magnitude):
    space = RandAugment()._augmentation_space(31, (HEIGHT, WIDTH))
    strengths, signed = space[op]
    strength = float(strengths[magnitude]) if strengths.ndim else 0.0
    if signed and turned:
        strength = -strength
    return _apply_op(source, op, strength, interpolation=InterpolationMode.NEAREST, fill=None), signed


def main(program):
    folder = tempfile.mkdtemp()
    source = picture()
    source.save(folder + "/in.png")
    wrong = 0
    for number, op in enumerate(OPS):
        unchanged = True
        for magnitude in (0, 4, 9, 17, 30):
            for turned in (0, 1):
                theirs, signed = expected(source, op, turned, magnitude)
                if turned and not signed:
                    continue
                subprocess.run([program, str(number), str(turned), str(magnitude), folder + "/in.png",
                                folder + "/out.png"], check=True)
                ours = numpy.asarray(Image.open(folder + "/out.png").convert("RGB")).astype(int)
                apart = numpy.abs(ours - numpy.asarray(theirs).astype(int)).max(axis=2) > LEVELS_APART
                unchanged = unchanged and (ours == numpy.asarray(source)).all()
                if apart.mean() > SHARE_ELSEWHERE:
                    wrong += 1
                    print(f"{op} {'turned ' if turned else ''}at {magnitude}: {apart.mean():.2%} of the pixels differ")
        if unchanged != (op == "Identity"):
            wrong += 1
            print(f"{op} {'changes nothing' if unchanged else 'changes something'}")
    print(f"{len(OPS)} changes, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
