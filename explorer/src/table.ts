import type { App, Base } from './app';
import { copier } from './copy';
import { element } from './dom';
import { ABSENT, fixed, type Copied } from './format';
import type { Frame } from './frame';
import type { ColumnInfo } from './page';

/** Rows drawn above and below those in sight. */
const BEYOND = 8;
/** Rows that a printed page has at most. */
const PRINTED = 500;
/** Columns that stay even if no chosen record has a value in them. */
const ALWAYS = ['primitive', 'target', 'cycles', 'status', 'error'];
/** Longer texts are cut in a column; the whole is in the opened row. */
const LETTERS = 34;
/** What a narrow screen shows first. */
const FIRST_IF_NARROW = ['primitive', 'target', 'cycles'];
const narrow = matchMedia('(max-width: 40rem)');

/** A table of records of which only those in sight are in the document. */
export class RecordTable {
  readonly holder: HTMLElement;
  private readonly scroll: HTMLElement;
  private readonly table = element('table', { class: 'data' });
  private readonly said = element('p', { class: 'more' });
  private readonly body = element('tbody');
  private rows = new Uint32Array();
  private columns: ColumnInfo[] = [];
  private letters = new Map<string, number>();
  private height = 31;
  private sight = 0;
  private top = 0;
  private first = -1;
  private printing = false;

  constructor(
    private readonly app: App,
    private readonly base: Base,
    private readonly open: (row: number) => void,
  ) {
    const name = base === 'results' ? 'Records' : 'Cells without a number';
    this.scroll = element(
      'div',
      {
        class: 'scroll tall',
        tabindex: 0,
        role: 'region',
        'aria-label': name,
        onscroll: () => this.drawBody(this.scroll.scrollTop),
      },
      this.table,
    );
    this.holder = element('div', { class: 'records', id: base }, this.said, this.scroll);
    new ResizeObserver(() => this.look()).observe(this.scroll);
    addEventListener('beforeprint', () => this.print(true));
    addEventListener('afterprint', () => this.print(false));
  }

  draw(rows: Uint32Array): void {
    this.rows = rows as Uint32Array<ArrayBuffer>;
    const { state, page } = this.app;
    const offered = page.tables[this.base].filter((column) => state.everyColumn || !column.extra);
    this.letters = new Map(offered.map((column) => [column.name, longest(this.app.records, column, rows)]));
    this.columns = offered.filter(
      ({ name }) => state.everyColumn || ALWAYS.includes(name) || this.letters.get(name),
    );
    if (narrow.matches) {
      const rank = ({ name }: ColumnInfo) => FIRST_IF_NARROW.indexOf(name) + 1 || FIRST_IF_NARROW.length + 1;
      this.columns = [...this.columns].sort((a, b) => rank(a) - rank(b));
    }
    const every = this.app.every(this.base).length;
    const box = element('input', {
      type: 'checkbox',
      name: 'columns',
      onchange: () => this.app.change((to) => (to.everyColumn = box.checked)),
    });
    box.checked = state.everyColumn;
    this.said.replaceChildren(
      element(
        'span',
        { role: 'status', class: 'count' },
        `${fixed(rows.length, 0)} of ${fixed(every, 0)} records`,
      ),
      element('label', { class: 'check' }, box, 'all columns'),
      copier(() => this.copied()),
    );
    this.table.setAttribute('aria-rowcount', String(rows.length + 1));
    this.table.setAttribute('aria-colcount', String(this.columns.length));
    this.table.replaceChildren(this.widths(), this.head(), this.body);
    // To ask for a place or a size is to lay out the whole page: only what moved is moved back.
    if (this.top) this.scroll.scrollTop = 0;
    this.first = -1;
    this.drawBody(0);
  }

  private print(now: boolean): void {
    this.printing = now;
    this.first = -1;
    if (this.holder.isConnected) this.drawBody(this.top);
  }

  /** Widths by the longest text, so that columns stay where they are while one scrolls. */
  private widths(): HTMLElement {
    const { page } = this.app;
    const widths = this.columns.map((column) => {
      let letters = Math.min(LETTERS, this.letters.get(column.name) ?? 0);
      if (column.name === 'error') letters = 60;
      if (column.name === 'toolchain') letters += 7;
      if (column.name === 'primitive' && Object.keys(page.marks).length) letters += 8;
      return 0.47 * Math.max(letters, column.label.length + 2) + 1.1;
    });
    this.table.style.minWidth = `${widths.reduce((a, b) => a + b, 0)}rem`;
    return element('colgroup', {}, ...widths.map((width) => element('col', { style: `width:${width}rem` })));
  }

  private head(): HTMLElement {
    const { sort } = this.app.state;
    const cells = this.columns.map((column) => {
      const { number, doc } = this.app.page.fields[column.name];
      const unit = this.app.unit(column.name);
      const now = sort.name === column.name ? (sort.descending ? 'descending' : 'ascending') : null;
      const onclick = () =>
        this.app.change((state) => (state.sort = { name: column.name, descending: now === 'ascending' }));
      return element(
        'th',
        { scope: 'col', 'aria-sort': now, 'data-name': column.name, class: number ? 'number' : null },
        element('button', { type: 'button', title: doc, name: `sort-${column.name}`, onclick }, column.label),
        number && unit && unit !== column.label.toLowerCase()
          ? element('span', { class: 'unit' }, unit)
          : null,
      );
    });
    return element('thead', {}, element('tr', { 'aria-rowindex': 1 }, ...cells));
  }

  /** The rows in sight between two rows as high as those that are not. */
  private drawBody(top: number): void {
    this.top = top;
    const seen = this.printing ? PRINTED : Math.ceil((this.sight || 700) / this.height) + 2 * BEYOND;
    const first = this.printing ? 0 : Math.max(0, Math.floor(top / this.height) - BEYOND);
    if (first === this.first) return;
    this.first = first;
    const last = Math.min(this.rows.length, first + seen);
    const made: HTMLElement[] = [];
    if (first > 0) made.push(this.gap(first));
    for (let place = first; place < last; place++) made.push(this.row(place));
    if (last < this.rows.length && !this.printing) made.push(this.gap(this.rows.length - last));
    const focused = document.activeElement?.getAttribute('data-row');
    this.body.replaceChildren(...made);
    if (focused)
      this.body.querySelector<HTMLElement>(`[data-row="${focused}"]`)?.focus({ preventScroll: true });
  }

  /** Look how high rows and what is in sight of them are, and draw those that this brings into sight. */
  private look(): void {
    const real = this.body.querySelector<HTMLElement>('tr.row')?.offsetHeight ?? this.height;
    const sight = this.scroll.clientHeight;
    if (Math.abs(real - this.height) <= 0.5 && sight <= this.sight) return;
    [this.height, this.sight, this.first] = [real, sight, -1];
    this.drawBody(this.scroll.scrollTop);
  }

  private gap(rows: number): HTMLElement {
    return element('tr', { class: 'gap', 'aria-hidden': 'true', style: `height:${rows * this.height}px` });
  }

  private row(place: number): HTMLElement {
    const row = this.rows[place];
    const { records, page } = this.app;
    const cells = this.columns.map((column, position) => {
      const value = records.at(column.name, row);
      const isNumber = page.fields[column.name].number;
      let text = typeof value === 'number' ? fixed(value, column.digits) : (value ?? ABSENT);
      // A compiler's whole output stands in the details; its first line is enough for a row.
      if (column.name === 'error') text = text.split('\n', 1)[0];
      if (column.name === 'toolchain')
        text = [text, version(records.text('toolchain_version', row))].join(' ').trim();
      const mark = column.name === 'primitive' ? page.marks[String(value)] : undefined;
      const classes = [
        isNumber ? 'number' : '',
        value === null ? 'absent' : '',
        column.name === 'cycles' ? 'main' : '',
      ];
      const shown = position
        ? text
        : element(
            'button',
            { type: 'button', class: 'open-row', 'data-row': row, 'aria-haspopup': 'dialog' },
            text,
          );
      return element(
        'td',
        { class: classes.filter(Boolean).join(' ') || null, title: isNumber || value === null ? null : text },
        shown,
        mark ? ' ' : null,
        mark
          ? element('span', { class: `mark ${mark.mark}`, title: mark.authority || null }, mark.mark)
          : null,
      );
    });
    const onclick = () => {
      if (!String(getSelection())) this.open(row);
    };
    return element('tr', { class: 'row', 'aria-rowindex': place + 2, onclick }, ...cells);
  }

  private copied(): Copied {
    const { records, page } = this.app;
    const digits = this.columns.map((column) =>
      page.fields[column.name].number ? column.digits : undefined,
    );
    return {
      headings: this.columns.map(({ name }) => name),
      rows: [...this.rows].map((row) => this.columns.map(({ name }) => records.at(name, row))),
      digits,
    };
  }
}

/** A compiler's version without what stands in parentheses behind it. */
export function version(text: string | null): string {
  return text?.split(' (', 1)[0] ?? '';
}

/** How many letters the longest text or the greatest number of a column among these rows has; 0 without any. */
function longest(records: Frame, { name, digits }: ColumnInfo, rows: Uint32Array): number {
  const texts = records.texts(name);
  if (texts) {
    const present = new Uint8Array(texts.values.length + 1);
    for (const row of rows) present[texts.codes[row] + 1] = 1;
    return texts.values.reduce(
      (most, text, place) => (present[place + 1] ? Math.max(most, text.length) : most),
      0,
    );
  }
  const values = records.numbers(name)?.values;
  if (!values) return 0;
  let most = -Infinity;
  for (const row of rows) if (values[row] > most) most = values[row];
  return most === -Infinity ? 0 : fixed(most, digits).length;
}
