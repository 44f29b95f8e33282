/* Tables that are made of one list: a file of lines ROW(...), sixteen entries in each. What ROW
 * makes of a line is defined before the list is included; EACH gives each entry to a macro. */
#ifndef STEELYARD_ENTRIES_H
#define STEELYARD_ENTRIES_H

#define EACH(F, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                    \
    F(a), F(b), F(c), F(d), F(e), F(f), F(g), F(h), F(i), F(j), F(k), F(l), F(m), F(n), F(o), F(p),

#endif
