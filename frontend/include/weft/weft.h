// Everything of Weft that a program needs.
#pragma once

#include <weft/array.h>
#include <weft/control.h>
#include <weft/creation.h>
#include <weft/debug.h>
#include <weft/elementwise.h>
#include <weft/index.h>
#include <weft/jit.h>
#include <weft/joining.h>
#include <weft/lax.h>
#include <weft/products.h>
#include <weft/reduce.h>
#include <weft/reductions.h>
#include <weft/shaping.h>
#include <weft/sorting.h>
#include <weft/signal.h>
#include <weft/stages.h>
#include <weft/update.h>
#include <weft/vmap.h>
