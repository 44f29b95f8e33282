import type { App } from './app';
import { element, plain } from './dom';
import { exactly } from './format';
import type { Frame, Value } from './frame';

export interface Called {
  name: string;
  cycles: number;
  instructions: number;
}

/** Any field of a record, wherever it is kept. */
export function valueOf(app: App, details: Frame, name: string, row: number): Value {
  return app.records.has(name) ? app.records.at(name, row) : details.at(name, row);
}

/** The functions of a record, most cycles first. */
export function calledBy(details: Frame, row: number): Called[] {
  const text = details.text('functions', row);
  return text ? (JSON.parse(text) as Called[]) : [];
}

/** A dialog with everything known of a record. */
export class Details {
  private readonly dialog = element('dialog', { class: 'details', 'aria-labelledby': 'details-title' });

  constructor(private readonly app: App) {
    this.dialog.addEventListener('close', () => this.app.change((state) => (state.record = '')));
    this.dialog.addEventListener('click', (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
    document.body.append(this.dialog);
  }

  open(row: number): void {
    this.app.change((state) => (state.record = this.app.identity(row)));
  }

  /** Show the record of the address, or nothing. */
  async update(): Promise<void> {
    const { record } = this.app.state;
    if (!record) {
      if (this.dialog.open) this.dialog.close();
      return;
    }
    if (this.dialog.open && this.dialog.dataset.record === record) return;
    const row = this.app.rowOf(record);
    if (row === undefined) return;
    this.dialog.dataset.record = record;
    const details = await this.app.details();
    this.dialog.replaceChildren(...this.parts(details, row));
    if (!this.dialog.open) this.dialog.showModal();
  }

  private parts(details: Frame, row: number): Node[] {
    const { records, page } = this.app;
    const ok = records.at('status', row) === 'ok';
    const named = ['primitive', 'variant', 'operation', 'mode', 'target', 'toolchain', 'flags'];
    const title = named
      .map((name) => records.text(name, row))
      .filter(Boolean)
      .join(' · ');
    const groups = page.groups[ok ? 'results' : 'failures'].map(({ title, names }) => {
      const pairs = names.flatMap((name) => {
        const value = valueOf(this.app, details, name, row);
        if (value === null) return [];
        const unit = typeof value === 'number' ? this.app.unit(name) : '';
        const kind = /hash|commit/.test(name) ? 'hash' : name === 'error' ? 'text' : null;
        return [
          element('dt', { title: page.fields[name].doc }, name),
          element('dd', { class: kind }, exactly(value), unit ? ` ${unit}` : null),
        ];
      });
      return pairs.length
        ? element('section', {}, element('h3', {}, title), element('dl', {}, ...pairs))
        : null;
    });
    const functions = calledBy(details, row).slice(0, 12);
    const called = functions.length
      ? element(
          'section',
          {},
          element('h3', {}, 'Cycles by function'),
          element(
            'dl',
            {},
            ...functions.flatMap((each) => [
              element('dt', {}, each.name),
              element('dd', {}, `${exactly(each.cycles)} cycles`),
            ]),
          ),
        )
      : null;
    const command = details.text('command', row);
    const repeat = command
      ? element(
          'section',
          { class: 'wide' },
          element('h3', {}, 'Repeat it'),
          element('code', { class: 'command' }, command),
        )
      : null;
    const close = element(
      'button',
      { type: 'button', class: 'close', 'aria-label': 'Close', onclick: () => this.dialog.close() },
      '×',
    );
    return [
      element('h2', { id: 'details-title' }, title),
      close,
      repeat ?? '',
      ok ? element('p', {}, this.compared(row)) : '',
      element('div', { class: 'groups' }, ...groups, called),
    ].map((part) => (typeof part === 'string' ? document.createTextNode(part) : part));
  }

  private compared(row: number): HTMLElement {
    const own = this.app.identity(row);
    const other = this.app.state.pair.find((one) => one !== own);
    const text = other ? 'Why is it faster or slower than the one kept?' : 'Keep to compare with another';
    return plain(text, () => {
      this.app.change((state) => {
        state.pair = other ? [other, own] : [own];
        if (other) state.view = 'pair';
      });
      this.dialog.close();
    });
  }
}
