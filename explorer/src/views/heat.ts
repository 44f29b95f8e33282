import { copier } from '../copy';
import { choice, element } from '../dom';
import { brief, byNumber, fixed, type Cell } from '../format';
import { isDark } from '../plot';
import { best } from '../select';
import { RecordTable } from '../table';
import type { Context, View } from '../view';
import { cellOf } from './memory';

const METRICS = [
  ['cycles_per_byte', 'cycles per byte'],
  ['cycles', 'cycles'],
  ['time_us', 'time, µs'],
  ['rom_bytes', 'ROM, bytes'],
  ['ram_bytes', 'RAM, bytes'],
  ['energy_nj', 'energy, nJ'],
] as const;
/** Figures drawn at most, and chips beside each other. */
const CELLS = 1500;
const CHIPS = 60;
const WORK = ['primitive', 'operation', 'mode', 'message_bytes'];

/** The same work on every chip: a row that does it, the best of each chip, and why others have none. */
interface Line {
  row: number;
  best: Map<string, number>;
  why: Map<string, string>;
}

const ABSENCES: Record<string, string> = {
  'does-not-fit': 'does not fit',
  'build-failed': 'build failed',
  'wrong-output': 'wrong output',
};

/** From few to many: paler is less. The ends are those of a few outliers, not theirs. */
function shade(share: number, dark: boolean): string {
  const kept = Math.max(0, Math.min(1, share));
  return dark
    ? `hsl(${212 - 40 * kept} 45% ${14 + 14 * kept}%)`
    : `hsl(${190 + 30 * kept} 60% ${95 - 25 * kept}%)`;
}

export const heat: View = {
  id: 'heat',
  title: 'Primitives and chips',
  kind: 'Speed',
  base: 'results',
  make({ app, holder, open }: Context) {
    const { records, page } = app;
    const form = element('form', { class: 'choices', 'aria-label': 'Choices of: Primitives and chips' });
    form.append(
      choice('figure', METRICS, app.option('heat.metric', 'cycles_per_byte'), (value) =>
        app.setOption('heat.metric', value),
      ),
    );
    const lengths = [
      ['longest', 'the longest message of each'],
      ['all', 'every length'],
    ] as const;
    form.append(
      choice('messages', lengths, app.option('heat.lengths', 'longest'), (value) =>
        app.setOption('heat.lengths', value),
      ),
    );
    const said = element('p', { class: 'said', role: 'status' });
    const place = element('div', { class: 'figures' });
    const table = new RecordTable(app, 'results', open);
    holder.append(
      element('h2', {}, 'Primitives and chips'),
      element(
        'p',
        { class: 'note' },
        'The least figure of all chosen variants, compilers and flags; paler is less. A figure opens its record. A cell without one says why, if it was tried.',
      ),
      form,
      said,
      place,
      element('h3', { class: 'linked' }, 'The records'),
      table.holder,
    );

    return () => {
      const metric = app.option('heat.metric', 'cycles_per_byte');
      const rows = app.chosen('results');
      table.draw(rows);
      const failed = app.chosen('failures');
      const least = best(records, rows, [...WORK, 'target'], metric);
      const { codes: work } = records.groups(WORK);
      const { codes: span } = records.groups(['primitive', 'operation', 'mode']);
      const bytes = records.figures('message_bytes');
      const length = (row: number) => bytes[row] || 0;
      const longest = new Map<number, number>();
      for (const row of least) longest.set(span[row], Math.max(longest.get(span[row]) ?? 0, length(row)));
      const isEvery = app.option('heat.lengths', 'longest') === 'all';
      const isShown = (row: number) => isEvery || length(row) === (longest.get(span[row]) ?? length(row));
      const lines = new Map<number, Line>();
      const chips = new Map<string, string>();
      const lineOf = (row: number) => {
        let line = lines.get(work[row]);
        if (!line) lines.set(work[row], (line = { row, best: new Map(), why: new Map() }));
        const chip = records.text('target', row) ?? '';
        if (!chips.has(chip)) chips.set(chip, records.text('family', row) ?? '');
        return { line, chip };
      };
      for (const row of least) {
        if (!isShown(row)) continue;
        const { line, chip } = lineOf(row);
        line.best.set(chip, row);
      }
      for (const row of failed) {
        if (!isShown(row)) continue;
        const { line, chip } = lineOf(row);
        const status = records.text('status', row) ?? '';
        line.why.set(chip, ABSENCES[status] ?? status);
      }
      const columns = [...chips]
        .sort((a, b) => a[1].localeCompare(b[1]) || byNumber(a[0], b[0]))
        .map(([chip]) => chip);
      const order = sortedLines([...lines.values()]);
      const drawn = columns.slice(0, CHIPS);
      const shown = order.slice(0, Math.ceil(CELLS / Math.max(1, drawn.length)));
      const figures = records.figures(metric);
      const figure = (row: number) => figures[row];
      const logs = Float64Array.from(least, (row) => Math.log(Math.max(figure(row), 1e-9))).sort();
      const [low, high] = [
        logs[Math.floor(0.02 * logs.length)] ?? 0,
        logs[Math.floor(0.97 * (logs.length - 1))] ?? 1,
      ];
      said.textContent =
        (order.length > shown.length
          ? `${fixed(shown.length, 0)} of ${fixed(order.length, 0)} lines; choose kinds or primitives to see others.`
          : '') +
          (columns.length > drawn.length
            ? ` ${fixed(drawn.length, 0)} of ${fixed(columns.length, 0)} chips; choose families or chips to see others.`
            : '') || (order.length ? '' : 'Nothing was measured for this choice.');
      const labels = (row: number) => [
        records.text('primitive', row) ?? '',
        cellOf(
          records.text('operation', row),
          records.text('mode', row),
          records.number('message_bytes', row),
        ),
      ];
      const dark = isDark();
      const body = shown.map((line) => {
        const [primitive, work] = labels(line.row);
        const mark = page.marks[primitive];
        const head = element(
          'th',
          { scope: 'row' },
          primitive,
          mark ? ' ' : null,
          mark
            ? element('span', { class: `mark ${mark.mark}`, title: mark.authority || null }, mark.mark)
            : null,
        );
        return element(
          'tr',
          {},
          head,
          element('td', { class: 'work' }, work),
          ...drawn.map((chip) => {
            const row = line.best.get(chip);
            if (row === undefined) return element('td', { class: 'absent' }, line.why.get(chip) ?? '');
            const share = high > low ? (Math.log(Math.max(figure(row), 1e-9)) - low) / (high - low) : 0;
            const button = element(
              'button',
              { type: 'button', 'aria-haspopup': 'dialog', onclick: () => open(row) },
              brief(figure(row)),
            );
            return element('td', { style: `background:${shade(share, dark)}` }, button);
          }),
        );
      });
      const title = `${METRICS.find(([name]) => name === metric)?.[1]}: primitives and chips`;
      const copied = () => ({
        headings: ['primitive', 'operation', ...columns],
        rows: order.map((line): Cell[] => [
          ...labels(line.row),
          ...drawn.map((chip) => {
            const row = line.best.get(chip);
            return row === undefined ? null : figure(row);
          }),
        ]),
      });
      place.replaceChildren(
        element('div', { class: 'more' }, copier(copied)),
        element(
          'div',
          { class: 'scroll wide', tabindex: 0, role: 'region', 'aria-label': title },
          element(
            'table',
            { class: 'heat' },
            element(
              'thead',
              {},
              element(
                'tr',
                {},
                element('th', { scope: 'col' }, 'primitive'),
                element('th', { scope: 'col' }, 'operation'),
                ...drawn.map((chip) =>
                  element('th', { scope: 'col' }, element('span', { class: 'vertical' }, chip)),
                ),
              ),
            ),
            element('tbody', {}, ...body),
          ),
        ),
      );
    };

    function sortedLines(of: Line[]): Line[] {
      const rank = (name: string, row: number) => records.texts(name)?.codes[row] ?? 0;
      return of.sort(
        ({ row: a }, { row: b }) =>
          rank('kind', a) - rank('kind', b) ||
          rank('primitive', a) - rank('primitive', b) ||
          rank('operation', a) - rank('operation', b) ||
          rank('mode', a) - rank('mode', b) ||
          (records.number('message_bytes', a) ?? 0) - (records.number('message_bytes', b) ?? 0),
      );
    }
  },
};
