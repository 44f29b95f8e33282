import type { Value } from './frame';

export interface Range {
  least?: number;
  most?: number;
}

/** What a reader chose; all of it is in the address of the page. */
export interface State {
  view: string;
  /** Values wanted of a field; a field without any is not chosen by. */
  wanted: Map<string, Value[]>;
  ranges: Map<string, Range>;
  words: string;
  sort: { name: string; descending: boolean };
  everyColumn: boolean;
  /** Choices of single views, such as `lines.metric`. */
  options: Map<string, string>;
  /** Identities of the opened record and of those compared. */
  record: string;
  pair: string[];
}

export const FIRST_VIEW = 'table';
const ORDER = 'primitive';

export function emptyState(): State {
  return {
    view: FIRST_VIEW,
    wanted: new Map(),
    ranges: new Map(),
    words: '',
    sort: { name: ORDER, descending: false },
    everyColumn: false,
    options: new Map(),
    record: '',
    pair: [],
  };
}

const escape = (text: string) =>
  encodeURIComponent(text).replace(/[~!*'()]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);

/* A number begins with `=`, nothing is `~`; a text never begins with either. */
function written(value: Value): string {
  if (value === null) return '~';
  return typeof value === 'number' ? `=${value}` : escape(value);
}

function readValue(text: string): Value {
  if (text === '~') return null;
  return text.startsWith('=') ? Number(text.slice(1)) : decodeURIComponent(text);
}

/** The state as the part of an address behind `#`; what is as at first is left out. */
export function toAddress(state: State): string {
  const parts: string[] = [];
  const add = (key: string, value: string) => parts.push(`${escape(key)}=${value}`);
  if (state.view !== FIRST_VIEW) add('view', escape(state.view));
  for (const [name, values] of state.wanted)
    if (values.length) add(`is.${name}`, values.map(written).join(','));
  for (const [name, { least, most }] of state.ranges)
    if (least !== undefined || most !== undefined) add(`in.${name}`, `${least ?? ''}..${most ?? ''}`);
  if (state.words) add('words', escape(state.words));
  const { name, descending } = state.sort;
  if (name !== ORDER || descending) add('sort', (descending ? '~' : '') + escape(name));
  if (state.everyColumn) add('columns', 'all');
  for (const [key, value] of state.options) add(`o.${key}`, escape(value));
  if (state.record) add('record', state.record);
  if (state.pair.length) add('pair', state.pair.join(','));
  return parts.join('&');
}

/** The state of an address; what it says wrongly is left out. */
export function fromAddress(address: string): State {
  const state = emptyState();
  for (const part of address.replace(/^#/, '').split('&')) {
    const [head, ...tail] = part.split('=');
    try {
      set(state, decodeURIComponent(head), tail.join('='));
    } catch {
      // An address that was cut within a letter.
    }
  }
  return state;
}

const isNumber = (value: number | undefined) => value === undefined || Number.isFinite(value);

function set(state: State, key: string, value: string): void {
  const part = key.slice(key.indexOf('.') + 1);
  if (key.startsWith('is.')) state.wanted.set(part, value.split(',').map(readValue));
  else if (key.startsWith('in.')) {
    const [least, most] = value.split('..').map((text) => (text ? Number(text) : undefined));
    if (isNumber(least) && isNumber(most)) state.ranges.set(part, { least, most });
  } else if (key.startsWith('o.')) state.options.set(part, decodeURIComponent(value));
  else if (key === 'view') state.view = decodeURIComponent(value);
  else if (key === 'words') state.words = decodeURIComponent(value);
  else if (key === 'sort')
    state.sort = { name: decodeURIComponent(value.replace(/^~/, '')), descending: value.startsWith('~') };
  else if (key === 'columns') state.everyColumn = value === 'all';
  else if (key === 'record') state.record = value;
  else if (key === 'pair') state.pair = value.split(',');
}
