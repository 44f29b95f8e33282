import type { App } from './app';
import { copier } from './copy';
import { element, plain } from './dom';
import { ABSENT, brief, fixed, type Cell, type Copied } from './format';

export interface FigureRow {
  cells: Cell[];
  /** The record behind the row, which can be opened. */
  row?: number;
}
export interface FigureTable {
  title: string;
  headings: string[];
  rows: FigureRow[];
  digits?: (number | undefined)[];
}

const SHOWN = 40;

/** The figures of a plot as a table: for eyes that a plot does not serve, to copy, and to open records. */
export class Figures {
  readonly holder = element('div', { class: 'figures' });
  private everything = false;
  private table: FigureTable | undefined;

  constructor(
    private readonly app: App,
    private readonly open: (row: number) => void,
  ) {}

  draw(table: FigureTable): void {
    this.table = table;
    const { title, headings, rows } = table;
    if (!rows.length) {
      this.holder.replaceChildren();
      return;
    }
    const numeric = headings.map((_, column) => rows.some(({ cells }) => typeof cells[column] === 'number'));
    const shown = rows.slice(0, this.everything ? undefined : SHOWN);
    const head = element(
      'tr',
      {},
      ...headings.map((heading, i) =>
        element('th', { scope: 'col', class: numeric[i] ? 'number' : null }, heading),
      ),
    );
    const body = shown.map((row) =>
      element('tr', {}, ...row.cells.map((cell, i) => this.cell(row, cell, i, numeric[i]))),
    );
    const rest = rows.length - shown.length;
    const more = rest
      ? plain(`show the other ${fixed(rest, 0)}`, () => {
          this.everything = true;
          this.draw(table);
        })
      : '';
    this.holder.replaceChildren(
      element(
        'div',
        { class: 'more' },
        element('h3', {}, title),
        copier(() => this.copied()),
        more,
      ),
      element(
        'div',
        { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title },
        element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)),
      ),
    );
  }

  private cell({ row }: FigureRow, cell: Cell, column: number, numeric: boolean): HTMLElement {
    const places = this.table?.digits?.[column];
    const text =
      cell === null
        ? ABSENT
        : typeof cell === 'number'
          ? places === undefined
            ? brief(cell)
            : fixed(cell, places)
          : cell;
    const shown =
      column === 0 && row !== undefined
        ? element(
            'button',
            { type: 'button', class: 'open-row', 'aria-haspopup': 'dialog', onclick: () => this.open(row) },
            text,
          )
        : text;
    const mark = typeof cell === 'string' && column === 0 ? this.app.page.marks[cell] : undefined;
    const marked = mark
      ? element('span', { class: `mark ${mark.mark}`, title: mark.authority || null }, mark.mark)
      : null;
    const parts = [shown, marked ? ' ' : null, marked];
    return column === 0
      ? element('th', { scope: 'row' }, ...parts)
      : element('td', { class: numeric ? 'number' : null }, ...parts);
  }

  private copied(): Copied {
    const { headings = [], rows = [], digits } = this.table ?? {};
    return { headings, rows: rows.map(({ cells }) => cells), digits };
  }
}
