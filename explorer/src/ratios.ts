import type { Frame } from './frame';

/** Two records of the same work, of which one field differs. */
export interface Pair {
  base: number;
  other: number;
}

/** What both records of a pair have in common, besides the compared field. */
const COMMON = [
  ...[
    'primitive',
    'variant',
    'parts',
    'target',
    'footprint',
    'operation',
    'mode',
    'padding',
    'message_bytes',
  ],
  ...['ad_bytes', 'cache_state', 'settings', 'device', 'library', 'threads'],
];

/** Every cell that has records of two values of a field; of several, those of the fewest cycles. */
export function pairs(
  frame: Frame,
  rows: Uint32Array,
  field: string,
  base: string,
  other: string,
  also: string[],
): Pair[] {
  const codes = frame.texts(field);
  const cycles = frame.figures('cycles');
  if (!codes) return [];
  const wanted = [codes.values.indexOf(base), codes.values.indexOf(other)];
  const { codes: group, count } = frame.groups([...COMMON, ...also]);
  const best = [new Int32Array(count).fill(-1), new Int32Array(count).fill(-1)];
  const found: number[] = [];
  for (const row of rows) {
    const side = wanted.indexOf(codes.codes[row]);
    if (side < 0 || codes.codes[row] < 0 || Number.isNaN(cycles[row])) continue;
    const former = best[side][group[row]];
    if (side === 0 && former < 0) found.push(group[row]);
    if (former < 0 || cycles[row] < cycles[former]) best[side][group[row]] = row;
  }
  return found.filter((one) => best[1][one] >= 0).map((one) => ({ base: best[0][one], other: best[1][one] }));
}

/** The ratio of a figure, other over base; NaN unless both are above zero. */
export function ratioOf(figures: Float64Array, { base, other }: Pair): number {
  const ratio = figures[other] / figures[base];
  return ratio > 0 && ratio < Infinity ? ratio : NaN;
}

/** What some ratios say together. */
export class Ratios {
  count = 0;
  less = 0;
  more = 0;
  private logarithms = 0;

  /** The ratios of a figure in pairs that have both. */
  static of(figures: Float64Array, pairs: readonly Pair[]): Ratios {
    const made = new Ratios();
    for (const pair of pairs) {
      const ratio = ratioOf(figures, pair);
      if (Number.isNaN(ratio)) continue;
      made.count++;
      made.less += Number(ratio < 1);
      made.more += Number(ratio > 1);
      made.logarithms += Math.log(ratio);
    }
    return made;
  }

  /** The geometric mean; NaN of nothing. */
  get mean(): number {
    return Math.exp(this.logarithms / this.count);
  }
}
