// The families of ops. A new family is a line here, a file in core/model/ops and one in core/train/ops; a new op of a
// family is an entry in both files.
#pragma once

#define HEARTH_OP_FAMILIES(each)                                                                                \
    each(convolution) each(linear) each(normalization) each(activation) each(pooling) each(dropout) each(shape) \
        each(join) each(reduction) each(embedding) each(attention)
