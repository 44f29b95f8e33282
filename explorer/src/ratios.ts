import type { Frame } from './frame';
import { keys, type Key } from './select';

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
  const cycles = frame.numbers('cycles');
  if (!codes || !cycles) return [];
  const wanted = [codes.values.indexOf(base), codes.values.indexOf(other)];
  const key = keys(frame, [...COMMON, ...also]);
  const best = [new Map<Key, number>(), new Map<Key, number>()];
  for (const row of rows) {
    const side = wanted.indexOf(codes.codes[row]);
    if (side < 0 || codes.codes[row] < 0 || Number.isNaN(cycles.values[row])) continue;
    const group = key(row);
    const former = best[side].get(group);
    if (former === undefined || cycles.values[row] < cycles.values[former]) best[side].set(group, row);
  }
  const made: Pair[] = [];
  for (const [group, first] of best[0]) {
    const second = best[1].get(group);
    if (second !== undefined) made.push({ base: first, other: second });
  }
  return made;
}

/** The ratios of a figure, other over base, of the pairs that have both above zero. */
export function ratiosOf(frame: Frame, of: readonly Pair[], figure: string): number[] {
  const values = frame.numbers(figure)?.values;
  if (!values) return [];
  const found: number[] = [];
  for (const { base, other } of of) {
    const ratio = values[other] / values[base];
    if (ratio > 0 && ratio < Infinity) found.push(ratio);
  }
  return found;
}
