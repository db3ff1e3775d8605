#include "tests/ui/fake_home.h"
