#include "columns.h"
