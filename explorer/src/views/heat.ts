import { copier } from '../copy';
import { choice, element } from '../dom';
import { brief, fixed, type Cell } from '../format';
import { isDark } from '../plot';
import { best, keys, type Key } from '../select';
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
      const of = keys(records, WORK);
      const cell = keys(records, [...WORK, 'target']);
      const longest = new Map<Key, number>();
      const span = keys(records, ['primitive', 'operation', 'mode']);
      for (const row of least.values())
        longest.set(
          span(row),
          Math.max(longest.get(span(row)) ?? 0, records.number('message_bytes', row) ?? 0),
        );
      const isShown = (row: number) =>
        app.option('heat.lengths', 'longest') === 'all' ||
        (records.number('message_bytes', row) ?? 0) ===
          (longest.get(span(row)) ?? records.number('message_bytes', row));
      const reasons = new Map<Key, string>();
      for (const row of failed)
        reasons.set(
          cell(row),
          ABSENCES[records.text('status', row) ?? ''] ?? records.text('status', row) ?? '',
        );
      const lines = new Map<Key, number>();
      const chips = new Map<string, string>();
      for (const row of [...least.values(), ...failed]) {
        if (!isShown(row)) continue;
        if (!lines.has(of(row))) lines.set(of(row), row);
        chips.set(records.text('target', row) ?? '', records.text('family', row) ?? '');
      }
      const columns = [...chips]
        .sort((a, b) => a[1].localeCompare(b[1]) || a[0].localeCompare(b[0], 'en', { numeric: true }))
        .map(([chip]) => chip);
      const order = sortedLines([...lines.values()]);
      const drawn = columns.slice(0, CHIPS);
      const shown = order.slice(0, Math.ceil(CELLS / Math.max(1, drawn.length)));
      const at = new Map<string, number>(
        [...least].map(([, row]) => [`${of(row)} ${records.text('target', row)}`, row]),
      );
      const why = new Map<string, string>(
        [...failed].map((row) => [`${of(row)} ${records.text('target', row)}`, reasons.get(cell(row)) ?? '']),
      );
      const figure = (row: number) => records.number(metric, row) ?? NaN;
      const logs = [...least.values()]
        .map((row) => Math.log(Math.max(figure(row), 1e-9)))
        .sort((a, b) => a - b);
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
      const body = shown.map((line) => {
        const [primitive, work] = labels(line);
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
            const row = at.get(`${of(line)} ${chip}`);
            if (row === undefined)
              return element('td', { class: 'absent' }, why.get(`${of(line)} ${chip}`) ?? '');
            const share = high > low ? (Math.log(Math.max(figure(row), 1e-9)) - low) / (high - low) : 0;
            const button = element(
              'button',
              { type: 'button', 'aria-haspopup': 'dialog', onclick: () => open(row) },
              brief(figure(row)),
            );
            return element('td', { style: `background:${shade(share, isDark())}` }, button);
          }),
        );
      });
      const title = `${METRICS.find(([name]) => name === metric)?.[1]}: primitives and chips`;
      const copied = () => ({
        headings: ['primitive', 'operation', ...columns],
        rows: order.map((line): Cell[] => [
          ...labels(line),
          ...drawn.map((chip) => {
            const row = at.get(`${of(line)} ${chip}`);
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

    function sortedLines(of: number[]): number[] {
      const rank = (name: string, row: number) => records.texts(name)?.codes[row] ?? 0;
      return of.sort(
        (a, b) =>
          rank('kind', a) - rank('kind', b) ||
          rank('primitive', a) - rank('primitive', b) ||
          rank('operation', a) - rank('operation', b) ||
          rank('mode', a) - rank('mode', b) ||
          (records.number('message_bytes', a) ?? 0) - (records.number('message_bytes', b) ?? 0),
      );
    }
  },
};
