import type { Frame, Value } from './frame';
import { readFrame, type Page } from './page';
import { matching, sorted } from './select';
import type { State } from './state';

export type Base = 'results' | 'failures';

/** What every view works on: the records, what was chosen, and how to choose otherwise. */
export class App {
  private readonly bases: Record<Base, Uint32Array>;
  private readonly orders = new Map<string, Uint32Array>();
  private rest: Promise<Frame> | undefined;
  /** Draws everything anew after a change. */
  redraw: () => void = () => undefined;

  constructor(
    readonly page: Page,
    readonly records: Frame,
    readonly state: State,
  ) {
    const rows: Record<Base, number[]> = { results: [], failures: [] };
    for (let row = 0; row < records.count; row++)
      rows[records.at('status', row) === 'ok' ? 'results' : 'failures'].push(row);
    this.bases = { results: Uint32Array.from(rows.results), failures: Uint32Array.from(rows.failures) };
  }

  /** Every row of a base, chosen or not. */
  every(base: Base): Uint32Array {
    return this.bases[base];
  }

  /** The chosen rows in the chosen order. */
  chosen(base: Base): Uint32Array {
    const { name, descending } = this.state.sort;
    const key = `${base} ${name} ${descending}`;
    let order = this.orders.get(key);
    if (!order) {
      order = sorted(this.records, this.bases[base], name, descending);
      this.orders.set(key, order);
    }
    return matching(this.records, this.state, order);
  }

  /** The rows that all choices but a field's own leave. */
  without(base: Base, field: string): Uint32Array {
    return matching(this.records, this.state, this.bases[base], field);
  }

  /** Everything else that is known of a record. */
  details(): Promise<Frame> {
    this.rest ??= readFrame('details');
    return this.rest;
  }

  change(update: (state: State) => void): void {
    update(this.state);
    this.redraw();
  }

  option(key: string, otherwise: string): string {
    return this.state.options.get(key) ?? otherwise;
  }

  setOption(key: string, value: string): void {
    this.change((state) => state.options.set(key, value));
  }

  /** A field's heading with its unit. */
  label(name: string): string {
    const column = this.page.tables.results.find((each) => each.name === name);
    return column?.label ?? name.replaceAll('_', ' ');
  }

  unit(name: string): string {
    const unit = this.page.fields[name]?.unit ?? '';
    return this.page.units[unit] ?? unit;
  }

  /** What tells a record apart in an address: a digest of its identity (FNV-1a of 52 bits in two halves). */
  identity(row: number): string {
    let [a, b] = [0x811c9dc5, 0x1b873593];
    for (const name of this.page.identity) {
      const text = `${written(this.records.at(name, row))}\n`;
      for (let i = 0; i < text.length; i++) {
        a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
        b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b);
      }
    }
    return (a >>> 0).toString(36) + (b >>> 0).toString(36);
  }

  /** The row of an identity; undefined if this page has none. */
  rowOf(identity: string): number | undefined {
    for (let row = 0; row < this.records.count; row++) if (this.identity(row) === identity) return row;
    return undefined;
  }
}

function written(value: Value): string {
  return value === null ? '~' : String(value);
}
