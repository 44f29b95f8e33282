import type { App } from '../app';
import { copier } from '../copy';
import { element, picture } from '../dom';
import type { Value } from '../frame';
import { readSection, type ChartData, type Claim, type SectionData, type TableData } from '../page';
import { Plot } from '../plot';
import type { Context, Draw, View } from '../view';

type Row = Record<string, Value | boolean>;

/** A table of texts, as a command saved it. */
export function textTable({ title, headings, rows, numeric, folded }: TableData): HTMLElement {
  const cell = (text: string, i: number) =>
    i || !text
      ? element('td', { class: numeric[i] ? 'number' : null }, text)
      : element('th', { scope: 'row' }, text);
  const head = headings.map((heading, i) =>
    element('th', { scope: 'col', class: numeric[i] ? 'number' : null }, heading),
  );
  const table = element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map(cell)))),
  );
  const scroll = element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title }, table);
  const copy = element(
    'p',
    { class: 'more' },
    copier(() => ({ headings, rows })),
  );
  if (folded) return element('details', {}, element('summary', {}, title), copy, scroll);
  return element(
    'div',
    { class: 'figures' },
    element('div', { class: 'more' }, title ? element('h3', {}, title) : null, copy),
    scroll,
  );
}

/** Claims with the findings of the records. */
export function claimTable(claims: Claim[], choices: string[], studies: boolean): HTMLElement {
  const headings = [
    ...(studies ? ['study'] : []),
    'claim',
    'verdict',
    'tests passed',
    ...choices,
    'why',
    'worst case',
  ];
  const rows = claims.map((claim) => [
    ...(studies ? [claim.title] : []),
    claim.statement,
    claim.finding,
    claim.strength,
    ...choices.map((each) => claim.by_choice[each] ?? ''),
    claim.reason,
    claim.counterexample,
  ]);
  const table = textTable({ title: 'Claims', headings, rows, numeric: [], folded: false });
  table.classList.add('claims');
  return table;
}

function rowsOf({ count, columns }: ChartData): Row[] {
  const names = Object.keys(columns);
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(names.map((name) => [name, columns[name][i]])),
  );
}

function compare(a: Row[string], b: Row[string]): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

function distinct(rows: Row[], name: string): Row[string][] {
  return [...new Set(rows.map((row) => row[name]))].sort(
    (a, b) => Number(a === null) - Number(b === null) || compare(a, b),
  );
}

interface Selector {
  name: string;
  select: HTMLSelectElement;
  holder: HTMLElement;
  values: Row[string][];
  all: boolean;
}

/** A plot that a command or a study made, with the choices that it offers. */
class SavedPlot {
  readonly holder: HTMLElement;
  private readonly plot: Plot;
  private readonly rows: Row[];
  private readonly hint = element('p', { class: 'hint', 'aria-live': 'polite' });
  private readonly selectors: Selector[];
  private first = true;

  constructor(
    app: App,
    private readonly chart: ChartData,
  ) {
    this.rows = rowsOf(chart);
    this.plot = new Plot(app, chart.title);
    this.selectors = [...chart.open, ...chart.single].map((name) => {
      const select = element('select', { name, onchange: () => void this.draw() });
      return {
        name,
        select,
        holder: element('label', {}, name, select),
        values: [],
        all: chart.open.includes(name),
      };
    });
    const form = element(
      'form',
      { class: 'choices', 'aria-label': `What ${chart.title} shows` },
      ...this.selectors.map(({ holder }) => holder),
    );
    form.addEventListener('submit', (event) => event.preventDefault());
    this.holder = element(
      'section',
      { id: `chart-${chart.id}`, class: chart.half ? 'chart half' : 'chart' },
      element('h3', {}, chart.title),
      element('p', { class: 'note' }, chart.caption),
      form,
      this.plot.holder,
      this.hint,
    );
  }

  /* Each choice offers only what the choices before it leave. */
  private narrowed(): Row[] {
    let rows = this.rows;
    for (const each of this.selectors) {
      const keep = this.first ? this.preset(each, rows) : chosen(each);
      each.values = distinct(rows, each.name);
      offer(each, keep, each.all && each.values.length > 1);
      each.holder.hidden = each.values.length < 2;
      const value = chosen(each);
      if (value !== undefined) rows = rows.filter((row) => row[each.name] === value);
    }
    this.first = false;
    return rows;
  }

  /* What is shown first: of a preset choice the value with the most rows, of equals the first. */
  private preset({ all, name }: Selector, rows: Row[]): Row[string] | undefined {
    if (all && !this.chart.preset.includes(name)) return undefined;
    const counts = new Map<Row[string], number>();
    for (const row of rows) counts.set(row[name], (counts.get(row[name]) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
  }

  async draw(): Promise<void> {
    const rows = this.narrowed();
    const { series, step, spec } = this.chart;
    const differing = series.filter((name) => distinct(rows, name).length > 1);
    const named = differing.length ? differing : series.slice(0, 1);
    const values = rows.map((row) => ({
      ...row,
      series: named
        .map((name) => row[name])
        .filter((part) => part !== null)
        .join(' · '),
    }));
    this.hint.textContent = values.length ? '' : 'Nothing was measured for this choice.';
    const height = step ? { height: step * Math.max(1, new Set(values.map((row) => row.series)).size) } : {};
    await this.plot.draw({ ...spec, ...height }, values);
  }
}

/* Options carry their position, not their text, so that null, '' and any other text stay apart. */
function offer({ select, values }: Selector, keep: Row[string] | undefined, all: boolean): void {
  const options = values.map((value, i) =>
    element('option', { value: i }, value === null ? 'none' : String(value)),
  );
  if (all) options.unshift(element('option', { value: 'all' }, 'all'));
  select.replaceChildren(...options);
  const place = keep === undefined ? -1 : values.indexOf(keep);
  select.value = place >= 0 ? String(place) : all ? 'all' : '0';
}

function chosen({ select, values }: Selector): Row[string] | undefined {
  return select.value === 'all' || select.value === '' ? undefined : values[Number(select.value)];
}

/** A part of the page that is read when it is first looked at. */
export function sectionView(place: { id: string; title: string; kind: string }): View {
  return {
    ...place,
    async make({ app, holder }: Context): Promise<Draw> {
      const reading = element('p', { class: 'note' }, 'Reading.');
      holder.append(element('h2', {}, place.title), reading);
      const data: SectionData = await readSection(place.id);
      const plots = data.charts.map((chart) => new SavedPlot(app, chart));
      reading.remove();
      holder.append(...data.notes.filter(Boolean).map((note) => element('p', { class: 'note' }, note)));
      if (data.picture)
        holder.append(
          element(
            'div',
            { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': place.title },
            picture(data.picture),
          ),
        );
      holder.append(...data.tables.filter(({ folded }) => !folded).map(textTable));
      holder.append(element('div', { class: 'charts' }, ...plots.map((plot) => plot.holder)));
      holder.append(...data.tables.filter(({ folded }) => folded).map(textTable));
      if (data.claims.length)
        holder.append(element('h3', {}, 'Claims'), claimTable(data.claims, data.choices, false));
      return async () => {
        for (const plot of plots) await plot.draw();
      };
    },
  };
}
