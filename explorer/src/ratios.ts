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
  const found = new Map<Key, [number?, number?]>();
  for (const row of rows) {
    const side = wanted.indexOf(codes.codes[row]);
    if (side < 0 || codes.codes[row] < 0 || Number.isNaN(cycles.values[row])) continue;
    const group = key(row);
    const pair = found.get(group) ?? [];
    const former = pair[side];
    if (former === undefined || cycles.values[row] < cycles.values[former]) pair[side] = row;
    found.set(group, pair);
  }
  const made: Pair[] = [];
  for (const [first, second] of found.values())
    if (first !== undefined && second !== undefined) made.push({ base: first, other: second });
  return made;
}

/** The ratios of a figure, other over base, of the pairs that have both above zero. */
export function ratiosOf(frame: Frame, of: readonly Pair[], figure: string): number[] {
  const values = frame.numbers(figure)?.values;
  if (!values) return [];
  return of
    .map(({ base, other }) => values[other] / values[base])
    .filter((ratio) => ratio > 0 && Number.isFinite(ratio));
}
