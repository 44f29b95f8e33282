#include "byte_words.h"
