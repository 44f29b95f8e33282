import { Texts, type Frame, type Value } from './frame';
import type { Range, State } from './state';

type Test = (row: number) => boolean;

/** Fields among whose texts words are searched. */
const SEARCHED = [
  'primitive',
  'variant',
  'target',
  'toolchain',
  'flags',
  'operation',
  'mode',
  'family',
  'error',
];

/** Whether a row has one of the wanted values of a field. */
function isOneOf(frame: Frame, name: string, wanted: Value[]): Test {
  const texts = frame.texts(name);
  if (!texts) {
    const numbers = frame.numbers(name);
    if (!numbers) return () => wanted.includes(null);
    const set = new Set(wanted.map((value) => (typeof value === 'number' ? value : NaN)));
    return (row) => set.has(numbers.values[row]);
  }
  const kept = new Uint8Array(texts.values.length + 1);
  for (const value of wanted) kept[value === null ? 0 : texts.values.indexOf(String(value)) + 1] = 1;
  if (!wanted.includes(null)) kept[0] = 0;
  const { codes } = texts;
  return (row) => kept[codes[row] + 1] === 1;
}

function isWithin(frame: Frame, name: string, { least = -Infinity, most = Infinity }: Range): Test {
  const values = frame.numbers(name)?.values;
  // A record without the figure is not within any limit.
  return values ? (row) => values[row] >= least && values[row] <= most : () => false;
}

/** Whether every word is part of a text of the row. */
function has(frame: Frame, word: string): Test {
  const found = SEARCHED.flatMap((name) => {
    const texts = frame.texts(name);
    if (!texts) return [];
    const kept = new Uint8Array(texts.values.length + 1);
    texts.values.forEach((text, place) => (kept[place + 1] = Number(text.toLowerCase().includes(word))));
    return kept.includes(1) ? [{ codes: texts.codes, kept }] : [];
  });
  return (row) => found.some(({ codes, kept }) => kept[codes[row] + 1] === 1);
}

/** The tests of a state by what they ask; `but` leaves one field's choice out. */
function tests(frame: Frame, state: State, but?: string): Test[] {
  return [
    ...[...state.wanted]
      .filter(([name, of]) => of.length && name !== but)
      .map(([name, of]) => isOneOf(frame, name, of)),
    ...[...state.ranges]
      .filter(([, of]) => of.least !== undefined || of.most !== undefined)
      .map(([name, of]) => isWithin(frame, name, of)),
    ...state.words
      .toLowerCase()
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => has(frame, word)),
  ];
}

/** The rows among these that a state leaves, in their order. */
export function matching(frame: Frame, state: State, among: Uint32Array, but?: string): Uint32Array {
  const asked = tests(frame, state, but);
  if (!asked.length) return among;
  const kept = new Uint32Array(among.length);
  let count = 0;
  next: for (const row of among) {
    for (const test of asked) if (!test(row)) continue next;
    kept[count++] = row;
  }
  return kept.subarray(0, count);
}

/** These rows by a column; rows without a value stay last either way, equal ones keep their order. */
export function sorted(frame: Frame, among: Uint32Array, name: string, descending: boolean): Uint32Array {
  const column = frame.texts(name) ?? frame.numbers(name);
  if (!column) return among;
  const sign = descending ? -1 : 1;
  const key = Float64Array.from(
    column instanceof Texts ? column.codes : column.values,
    column instanceof Texts
      ? (code) => (code < 0 ? Infinity : sign * code)
      : (value) => (Number.isNaN(value) ? Infinity : sign * value),
  );
  return Uint32Array.from(among).sort((a, b) => (key[a] === key[b] ? a - b : key[a] - key[b]));
}

/** How many of these rows have each value of a field, in the order of the values, none last. */
export function counts(frame: Frame, among: Uint32Array, name: string): [Value, number][] {
  const texts = frame.texts(name);
  const numbers = texts ? undefined : frame.numbers(name);
  const found: [Value, number][] = [];
  let none = 0;
  if (texts) {
    const count = new Uint32Array(texts.values.length + 1);
    for (const row of among) count[texts.codes[row] + 1]++;
    none = count[0];
    texts.values.forEach((text, place) => count[place + 1] && found.push([text, count[place + 1]]));
  } else if (numbers) {
    const count = new Map<number, number>();
    for (const row of among) count.set(numbers.values[row], (count.get(numbers.values[row]) ?? 0) + 1);
    none = count.get(NaN) ?? 0;
    count.delete(NaN);
    found.push(...[...count].sort((a, b) => a[0] - b[0]));
  } else none = among.length;
  return none ? [...found, [null, none]] : found;
}

/** The best of these rows in each group: of the least figure; rows without it are left out. */
export function best(frame: Frame, among: Iterable<number>, by: readonly string[], figure: string): number[] {
  const figures = frame.figures(figure);
  const { codes, count } = frame.groups(by);
  const least = new Int32Array(count).fill(-1);
  const found: number[] = [];
  for (const row of among) {
    const former = least[codes[row]];
    if (Number.isNaN(figures[row])) continue;
    if (former < 0) found.push(codes[row]);
    if (former < 0 || figures[row] < figures[former]) least[codes[row]] = row;
  }
  return found.map((group) => least[group]);
}

/** Things by what tells their groups apart, each group in their order. */
export function grouped<T, K>(things: Iterable<T>, key: (thing: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const thing of things) {
    const name = key(thing);
    const group = groups.get(name);
    if (group) group.push(thing);
    else groups.set(name, [thing]);
  }
  return groups;
}
