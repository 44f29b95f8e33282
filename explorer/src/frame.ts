import { tableFromIPC, type Column } from '@uwdata/flechette';

export type Value = string | number | null;

/** A column of names: places in their sorted list, -1 for none. */
export class Texts {
  constructor(
    readonly codes: Int32Array,
    readonly values: readonly string[],
  ) {}

  at(row: number): string | null {
    return this.codes[row] < 0 ? null : this.values[this.codes[row]];
  }
}

/** A column of numbers, NaN for none. */
export class Numbers {
  constructor(readonly values: Float64Array) {}

  at(row: number): number | null {
    const value = this.values[row];
    return Number.isNaN(value) ? null : value;
  }
}

/** A column of texts that are read one by one. */
class Long {
  constructor(private readonly column: Column<string>) {}

  at(row: number): string | null {
    return this.column.at(row) ?? null;
  }
}

/** The group of each record as a number from 0, and how many groups there are. */
export interface Groups {
  codes: Int32Array;
  count: number;
}

/** Records by column; a column that no record has is null throughout. */
export class Frame {
  private readonly columns = new Map<string, Texts | Numbers | Long>();
  private readonly grouped = new Map<string, Groups>();
  private readonly missing: Float64Array;
  readonly count: number;

  constructor(stream: Uint8Array) {
    const table = tableFromIPC(stream);
    this.count = table.numRows;
    this.missing = new Float64Array(this.count).fill(NaN);
    table.names.forEach((name, place) => this.columns.set(name, read(table.getChildAt(place))));
  }

  at(name: string, row: number): Value {
    return this.columns.get(name)?.at(row) ?? null;
  }

  text(name: string, row: number): string | null {
    const value = this.at(name, row);
    return value === null ? null : String(value);
  }

  number(name: string, row: number): number | null {
    const value = this.at(name, row);
    return typeof value === 'number' ? value : null;
  }

  /** The groups of the records that have the same values of some fields. */
  groups(by: readonly string[]): Groups {
    const name = by.join(' ');
    let made = this.grouped.get(name);
    if (!made) {
      made = by.length === 1 ? this.group(by[0]) : this.together(by);
      this.grouped.set(name, made);
    }
    return made;
  }

  private group(name: string): Groups {
    const column = this.columns.get(name);
    if (column instanceof Texts)
      return { codes: column.codes.map((code) => code + 1), count: column.values.length + 1 };
    if (column instanceof Numbers) return ranked(column.values);
    return { codes: new Int32Array(this.count), count: 1 };
  }

  private together(by: readonly string[]): Groups {
    let keys = new Float64Array(this.count);
    let room = 1;
    for (const { codes, count } of by.map((name) => this.groups([name]))) {
      // A product beyond what a number holds exactly would put records of two groups into one.
      if (room * count > Number.MAX_SAFE_INTEGER) {
        const ranks = ranked(keys);
        keys = Float64Array.from(ranks.codes);
        room = ranks.count;
      }
      for (let row = 0; row < keys.length; row++) keys[row] = keys[row] * count + codes[row];
      room *= count;
    }
    return ranked(keys);
  }

  has(name: string): boolean {
    return this.columns.has(name);
  }

  texts(name: string): Texts | undefined {
    const column = this.columns.get(name);
    return column instanceof Texts ? column : undefined;
  }

  numbers(name: string): Numbers | undefined {
    const column = this.columns.get(name);
    return column instanceof Numbers ? column : undefined;
  }

  /** The values of a column of numbers, NaN for none; without the column NaN throughout. */
  figures(name: string): Float64Array {
    return this.numbers(name)?.values ?? this.missing;
  }
}

/** The place of each value in the order in which they come. */
function ranked(values: Float64Array): Groups {
  const known = new Map<number, number>();
  const codes = Int32Array.from(values, (value) => {
    const place = known.get(value) ?? known.size;
    known.set(value, place);
    return place;
  });
  return { codes, count: known.size };
}

interface Batch {
  length: number;
  values: ArrayLike<number>;
  validity: Uint8Array;
  dictionary?: { toArray(): string[] };
}

function read(column: Column<unknown>): Texts | Numbers | Long {
  const batches = column.data as unknown as Batch[];
  const names = batches[0]?.dictionary;
  // -1 is a dictionary's type, 2 and 3 are those of whole and of floating-point numbers [Arrow, Schema.fbs].
  if (column.type.typeId !== -1 && column.type.typeId !== 2 && column.type.typeId !== 3)
    return new Long(column as Column<string>);
  const into = names ? new Int32Array(column.length) : new Float64Array(column.length);
  const none = names ? -1 : NaN;
  let start = 0;
  for (const { length, values, validity } of batches) {
    for (let i = 0; i < length; i++) {
      const there = validity.length === 0 || (validity[i >> 3] >> (i & 7)) & 1;
      into[start + i] = there ? values[i] : none;
    }
    start += length;
  }
  return names ? new Texts(into as Int32Array, names.toArray()) : new Numbers(into as Float64Array);
}
