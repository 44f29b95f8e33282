import type { App } from '../app';
import { byNumber, change, fixed } from '../format';
import { nominal, plot, quantitative } from '../plot';
import { pairs, ratioOf, Ratios, type Pair } from '../ratios';
import { counts, grouped } from '../select';
import { seriesNames, Sheet, type Context, type View } from '../view';
import { cellOf } from './memory';

/** Points drawn at most. */
const POINTS = 300;
const FIGURES = [
  ['cycles', 'cycles'],
  ['rom_bytes', 'ROM'],
  ['ram_bytes', 'RAM'],
  ['energy_nj', 'energy'],
] as const;
const BY = [
  ['family', 'families'],
  ['core', 'cores'],
  ['target', 'chips'],
  ['kind', 'kinds'],
  ['primitive', 'primitives'],
  ['variant', 'variants'],
] as const;

/** Pairs by the values of a field, in the order of their names. */
function pairsBy(app: App, all: Pair[], by: string): [string, Pair[]][] {
  const { codes } = app.records.groups([by]);
  return [...grouped(all, ({ base }) => codes[base]).values()]
    .map((of): [string, Pair[]] => [app.records.text(by, of[0].base) ?? 'none', of])
    .sort((a, b) => byNumber(a[0], b[0]));
}

/** What the pairs say in one sentence: which is better, and by how much. */
function sentence(base: string, other: string, noun: string, { count, less, more, mean }: Ratios): string {
  return (
    `${noun[0].toUpperCase()}${noun.slice(1)} with ${other} beside ${base}: ${change(mean)} ` +
    `(geometric mean of ${fixed(count, 0)} cells; less in ${fixed(less, 0)}, more in ${fixed(more, 0)}).`
  );
}

/** A view of one field's values beside each other. */
function comparison(
  view: Omit<View, 'make'>,
  field: string,
  also: string[],
  note: string,
  first: string[],
): View {
  const made: View = {
    ...view,
    make(context: Context) {
      const { app } = context;
      const { records } = app;
      const sheet = new Sheet(context, made, note);
      const present = counts(records, app.every('results'), field).flatMap(([value]) =>
        value ? [String(value)] : [],
      );
      const ordered = [
        ...first.filter((name) => present.includes(name)),
        ...present.filter((name) => !first.includes(name)),
      ];
      const second = [...ordered.slice(1), ...ordered.slice(0, 1)];
      const names = (of: string[]) => of.map((name) => [name, name] as const);
      const base = sheet.choice(`${view.id}.base`, 'beside', names(ordered));
      const other = sheet.choice(`${view.id}.other`, 'compared', names(second));
      const figure = sheet.choice(`${view.id}.figure`, 'figure', FIGURES);
      const by = sheet.choice(`${view.id}.by`, 'lines for', BY);
      const drawn = sheet.plot(view.title);
      const summary = sheet.figures();
      const cells = sheet.figures();

      return () => {
        const rows = app.chosen('results');
        sheet.draw(rows);
        const all = pairs(records, rows, field, base(), other(), also);
        const summed = (of: Pair[]) => FIGURES.map(([each]) => Ratios.of(records.figures(each), of));
        const groups = pairsBy(app, all, by()).map(([name, of]) => ({ name, of, ratios: summed(of) }));
        const together = summed(all);
        const said = FIGURES.map(([, noun], i) => [noun, together[i]] as const).filter(
          ([, { count }]) => count,
        );
        sheet.said.textContent = said.length
          ? said.map(([noun, ratios]) => sentence(base(), other(), noun, ratios)).join(' ')
          : `No cell of this choice was measured with both ${base()} and ${other()}.`;
        const chosen = FIGURES.findIndex(([name]) => name === figure());
        const noun = FIGURES[chosen]?.[1] ?? '';
        summary.draw({
          title: `${other()} beside ${base()}: what it adds`,
          headings: [
            by(),
            'cells',
            ...FIGURES.map(([, name]) => `${name}, %`),
            `less ${noun}`,
            `more ${noun}`,
          ],
          rows: groups.map(({ name, of, ratios }) => ({
            cells: [
              name,
              of.length,
              ...ratios.map(({ count, mean }) => (count ? 100 * (mean - 1) : null)),
              ratios[chosen]?.less ?? 0,
              ratios[chosen]?.more ?? 0,
            ],
          })),
          digits: [undefined, 0, 1, 1, 1, 1, 0, 0],
        });
        const figures = records.figures(figure());
        const points = all
          .map((pair) => ({ pair, ratio: ratioOf(figures, pair) }))
          .filter(({ ratio }) => !Number.isNaN(ratio))
          .sort((a, b) => a.ratio - b.ratio);
        const fields = [
          'primitive',
          'variant',
          'target',
          ...also,
          'operation',
          'mode',
          'message_bytes',
          'footprint',
        ];
        const ends = points.length > 80 ? [...points.slice(0, 40), ...points.slice(-40)] : points;
        const named = seriesNames(
          app,
          ends.map(({ pair }) => pair.other),
          fields,
        );
        cells.draw({
          title:
            points.length > ends.length ? `The ${fixed(ends.length, 0)} cells that differ most` : 'The cells',
          headings: ['cell', `${noun}, ${base()}`, `${noun}, ${other()}`, 'ratio'],
          rows: ends.map(({ pair, ratio }, i) => ({
            cells: [named[i], figures[pair.base], figures[pair.other], ratio],
            row: pair.other,
          })),
          digits: [undefined, 0, 0, 3],
        });
        const step = Math.ceil(points.length / POINTS);
        const values = points
          .filter((_, i) => i % step === 0)
          .map(({ pair: { base: a, other: b }, ratio }) => ({
            row: b,
            ratio,
            group: records.text(by(), b) ?? 'none',
            cell: ['primitive', 'variant', 'target']
              .map((name) => records.text(name, b))
              .filter(Boolean)
              .join(' · '),
            work: cellOf(
              records.text('operation', b),
              records.text('mode', b),
              records.number('message_bytes', b),
            ),
            from: figures[a],
            to: figures[b],
          }));
        const count = new Set(values.map(({ group }) => group)).size;
        return drawn.draw(
          plot({
            height: Math.max(90, 26 * count),
            layer: [
              { mark: { type: 'rule', strokeDash: [4, 3], opacity: 0.7 }, encoding: { x: { datum: 1 } } },
              {
                mark: { type: 'tick', thickness: 2, size: 16, opacity: 0.45 },
                encoding: {
                  y: nominal('group', { axis: { grid: true, labelLimit: 260 } }),
                  x: quantitative('ratio', `${noun}: ${other()} / ${base()}`, false, {
                    scale: { type: 'log', base: 2, nice: false, padding: 16 },
                    axis: { format: '.2~f', tickCount: 8 },
                  }),
                  tooltip: [
                    { field: 'cell' },
                    { field: 'work' },
                    { field: 'from', title: base(), format: ',.0f' },
                    { field: 'to', title: other(), format: ',.0f' },
                    { field: 'ratio', format: '.3f' },
                  ],
                },
              },
            ],
          }),
          values,
        );
      };
    },
  };
  return made;
}

export const compilers = comparison(
  { id: 'compilers', title: 'Compilers', kind: 'Builds', base: 'results' },
  'toolchain',
  ['level'],
  'Cells that both compilers built at the same optimisation level. A mark is a cell; left of the line the compared compiler’s code takes less.',
  ['gcc', 'clang'],
);

export const flags = comparison(
  { id: 'flags', title: 'Flags', kind: 'Builds', base: 'results' },
  'flags',
  ['toolchain'],
  'Cells that one compiler built with both flags. A mark is a cell; left of the line the compared flags’ code takes less.',
  ['-Os', '-O3', '-O2'],
);
