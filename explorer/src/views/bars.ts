import type { App } from '../app';
import { fixed } from '../format';
import { nominal, plot, quantitative, type Spec } from '../plot';
import { best, grouped } from '../select';
import { seriesNames, Sheet, type Context, type View } from '../view';
import { cellOf } from './memory';

/** Bars drawn at most. */
const BARS = 40;
const BUILD = [
  'primitive',
  'variant',
  'parts',
  'target',
  'toolchain',
  'flags',
  'footprint',
  'mode',
  'settings',
  'cache_state',
];

function left(shown: number, all: number, which: string): string {
  return all > shown
    ? `${fixed(shown, 0)} of ${fixed(all, 0)}: ${which}. Choose chips or primitives to see others.`
    : '';
}

const named = (app: App, row: number) =>
  ['variant', 'toolchain', 'flags']
    .map((name) => app.records.text(name, row))
    .filter(Boolean)
    .join(' ');

/** Only the longest message of each operation, so that bars of one primitive compare. */
function longest(app: App, rows: readonly number[]): number[] {
  const { records } = app;
  const { codes } = records.groups(['primitive', 'operation', 'mode', 'target']);
  const most = new Map<number, number>();
  const length = (row: number) => records.number('message_bytes', row) ?? 0;
  for (const row of rows) most.set(codes[row], Math.max(most.get(codes[row]) ?? 0, length(row)));
  return rows.filter((row) => length(row) > 0 && length(row) === most.get(codes[row]));
}

export const modes: View = {
  id: 'modes',
  title: 'Modes',
  kind: 'Speed',
  base: 'results',
  make(context: Context) {
    const { app } = context;
    const { records } = app;
    const sheet = new Sheet(
      context,
      modes,
      'Modes of operation of block ciphers: the best build of each on each chip, with the longest message measured.',
    );
    const drawn = sheet.plot('Cycles per byte by mode');
    const figures = sheet.figures();
    return () => {
      const rows = app.chosen('results');
      sheet.draw(rows);
      const moded = rows.filter((row) => records.at('mode', row) !== null);
      const points = longest(
        app,
        best(
          records,
          moded,
          ['primitive', 'target', 'operation', 'mode', 'message_bytes'],
          'cycles_per_byte',
        ),
      );
      const { codes } = records.groups(['primitive', 'target', 'operation']);
      const groups = grouped(points, (row) => codes[row]);
      const value = (row: number) => records.number('cycles_per_byte', row) ?? NaN;
      const order = [...groups.values()]
        .map((of) => of.sort((a, b) => value(a) - value(b)))
        .sort((a, b) => value(a[0]) - value(b[0]));
      const kept = order.slice(0, 14);
      const flat = kept.flat();
      const names = new Map(
        kept.map((of, i) => [
          of,
          seriesNames(
            app,
            kept.map(([row]) => row),
            ['primitive', 'target', 'operation'],
          )[i],
        ]),
      );
      sheet.said.textContent =
        left(kept.length, order.length, 'the fastest') ||
        (flat.length ? '' : 'No mode of operation is among these records.');
      figures.draw({
        title: 'Cycles per byte by mode',
        headings: [
          'primitive',
          'target',
          'operation',
          'mode',
          'bytes',
          'cycles per byte',
          'mode, cycles per block',
          'build',
        ],
        rows: order.flat().map((row) => ({
          cells: [
            ...['primitive', 'target', 'operation'].map((name) => records.text(name, row)),
            records.text('mode', row)?.toUpperCase() ?? null,
            records.number('message_bytes', row),
            value(row),
            records.number('mode_overhead_cycles_per_block', row),
            named(app, row),
          ],
          row,
        })),
        digits: [undefined, undefined, undefined, undefined, 0, 1, 0],
      });
      const values = kept.flatMap((of) =>
        of.map((row) => ({
          row,
          series: names.get(of),
          mode: records.text('mode', row)?.toUpperCase(),
          x: value(row),
          build: named(app, row),
        })),
      );
      return drawn.draw(
        plot({
          height: kept.reduce((sum, of) => sum + 9 * of.length + 7, 20),
          mark: { type: 'bar' },
          encoding: {
            y: nominal('series', { sort: null, axis: { labelLimit: 280 } }),
            yOffset: { field: 'mode' },
            x: quantitative('x', 'cycles per byte'),
            color: nominal('mode'),
            tooltip: [
              { field: 'series' },
              { field: 'mode' },
              { field: 'x', title: 'cycles per byte', format: ',.1f' },
              { field: 'build' },
            ],
          },
        }),
        values,
      );
    };
  },
};

const PARTS = {
  ROM: [
    ['rom_code_bytes', 'code'],
    ['rom_const_bytes', 'constants'],
    ['rom_support_bytes', 'support routines'],
  ],
  RAM: [
    ['ram_static_bytes', 'static'],
    ['ram_context_bytes', 'context'],
    ['ram_stack_bytes', 'stack'],
  ],
} as const;

export const parts: View = {
  id: 'parts',
  title: 'ROM and RAM by part',
  kind: 'Memory',
  base: 'results',
  make(context: Context) {
    const { app } = context;
    const { records } = app;
    const sheet = new Sheet(
      context,
      parts,
      'ROM is what the variant’s own objects and the support routines that they pull in leave in the image, without the code of a mode. RAM is statics, the context with expanded keys, and the deepest stack of the build’s measured operations, without the caller’s buffers.',
    );
    const memory = sheet.choice('parts.of', 'memory', [
      ['ROM', 'ROM'],
      ['RAM', 'RAM'],
    ]);
    const drawn = sheet.plot('ROM and RAM by part');
    const figures = sheet.figures();
    return () => {
      const rows = app.chosen('results');
      sheet.draw(rows);
      const of = PARTS[memory() as keyof typeof PARTS];
      const { codes } = records.groups(BUILD);
      const builds = new Map<number, { row: number; sizes: number[] }>();
      for (const row of rows) {
        const sizes = of.map(([name]) => records.number(name, row) ?? NaN);
        if (sizes.some(Number.isNaN)) continue;
        const former = builds.get(codes[row]);
        if (former) former.sizes = former.sizes.map((size, i) => Math.max(size, sizes[i]));
        else builds.set(codes[row], { row, sizes });
      }
      const sum = ({ sizes }: { sizes: number[] }) => sizes.reduce((a, b) => a + b, 0);
      const order = [...builds.values()].sort((a, b) => sum(a) - sum(b));
      const kept = order.slice(0, BARS);
      const names = seriesNames(
        app,
        kept.map(({ row }) => row),
        BUILD,
      );
      sheet.said.textContent =
        left(kept.length, order.length, `the builds of least ${memory()}`) ||
        (order.length ? '' : 'No record of this choice has sizes.');
      const described = ['primitive', 'variant', 'target', 'toolchain', 'flags', 'footprint'];
      figures.draw({
        title: `${memory()} by part, in bytes`,
        headings: [...described, ...of.map(([, name]) => name), 'sum'],
        rows: order.map((build) => ({
          cells: [...described.map((name) => records.text(name, build.row)), ...build.sizes, sum(build)],
          row: build.row,
        })),
        digits: [...described.map(() => undefined), 0, 0, 0, 0],
      });
      const values = kept.flatMap(({ row, sizes }, i) =>
        sizes.map((bytes, part) => ({ row, series: names[i], part: of[part][1], order: part, bytes })),
      );
      return drawn.draw(
        plot({
          height: 22 * Math.max(1, kept.length),
          mark: { type: 'bar' },
          encoding: {
            y: nominal('series', { sort: null, axis: { labelLimit: 320 } }),
            x: quantitative('bytes', `${memory()}, bytes`, false, { stack: 'zero' }),
            color: nominal('part', { sort: null }),
            order: { field: 'order', type: 'quantitative' },
            tooltip: [{ field: 'series' }, { field: 'part' }, { field: 'bytes', format: ',d' }],
          },
        }),
        values,
      );
    };
  },
};

export const spread: View = {
  id: 'spread',
  title: 'Spread over inputs',
  kind: 'Speed',
  base: 'results',
  make(context: Context) {
    const { app } = context;
    const { records } = app;
    const sheet = new Sheet(
      context,
      spread,
      'Each record is the mean over seeded random inputs. A line leads from its least to its most cycles, as a share of the mean; the thick part is a standard deviation either way.',
    );
    const drawn = sheet.plot('Spread over inputs');
    const figures = sheet.figures();
    return () => {
      const rows = app.chosen('results');
      sheet.draw(rows);
      const figure = (name: string, row: number) => records.number(name, row) ?? NaN;
      const share = (row: number) =>
        (figure('cycles_max', row) - figure('cycles_min', row)) / figure('cycles', row);
      const known = [...rows].filter(
        (row) => !Number.isNaN(share(row)) && (records.number('samples', row) ?? 2) > 1,
      );
      const wide = known.filter((row) => share(row) > 0).sort((a, b) => share(b) - share(a));
      sheet.said.textContent = `${fixed(known.length - wide.length, 0)} of ${fixed(known.length, 0)} records take the same cycles for every input. ${left(Math.min(BARS, wide.length), wide.length, 'those that vary most')}`;
      const fields = [
        'primitive',
        'variant',
        'target',
        'toolchain',
        'flags',
        'operation',
        'mode',
        'message_bytes',
        'footprint',
      ];
      const kept = wide.slice(0, BARS);
      const names = seriesNames(app, kept, fields);
      figures.draw({
        title: 'The widest spreads',
        headings: ['record', 'cycles', 'least', 'most', 'deviation', 'most − least, %'],
        rows: kept.map((row, i) => ({
          cells: [
            names[i],
            figure('cycles', row),
            figure('cycles_min', row),
            figure('cycles_max', row),
            figure('cycles_sd', row),
            100 * share(row),
          ],
          row,
        })),
        digits: [undefined, 0, 0, 0, 1, 1],
      });
      const values = kept.map((row, i) => {
        const mean = figure('cycles', row);
        const relative = (cycles: number) => 100 * (cycles / mean - 1);
        const sd = figure('cycles_sd', row);
        return {
          row,
          series: names[i],
          least: relative(figure('cycles_min', row)),
          most: relative(figure('cycles_max', row)),
          low: relative(mean - sd),
          high: relative(mean + sd),
          mean,
        };
      });
      const x = (field: string): Spec => ({
        field,
        type: 'quantitative',
        title: 'cycles, from the mean, %',
        axis: { tickCount: 8 },
      });
      const y = nominal('series', { sort: null, axis: { labelLimit: 320 } });
      const tooltip = [
        { field: 'series' },
        { field: 'mean', format: ',.0f' },
        { field: 'least', format: '+.2f' },
        { field: 'most', format: '+.2f' },
      ];
      return drawn.draw(
        plot({
          height: 20 * Math.max(1, kept.length),
          layer: [
            {
              mark: { type: 'rule', strokeWidth: 2 },
              encoding: { y, x: x('least'), x2: { field: 'most' }, tooltip },
            },
            {
              mark: { type: 'bar', size: 8, opacity: 0.75 },
              encoding: { y, x: x('low'), x2: { field: 'high' }, tooltip },
            },
          ],
        }),
        values,
      );
    };
  },
};

const windows = (text: string) => JSON.parse(text) as { cycles: number[] } & Record<string, number[]>;

export const energy: View = {
  id: 'energy',
  title: 'Energy',
  kind: 'Energy',
  base: 'results',
  make(context: Context) {
    const { app } = context;
    const { records } = app;
    const sheet = new Sheet(
      context,
      energy,
      'Energy of a call by the model of the chip, with the band that the model states; per byte where there is a message. A simulator’s sum over components and the power over time exist where a chip has such a model.',
    );
    const each = sheet.choice('energy.each', 'a bar for', [
      ['best', 'each primitive and chip, the best build'],
      ['build', 'each build'],
    ]);
    const log = sheet.tick('energy.log', 'logarithmic', false);
    const drawn = sheet.plot('Energy per byte');
    const shares = sheet.plot('Energy by component');
    const power = sheet.plot('Power over time');
    const figures = sheet.figures();
    return async () => {
      const rows = app.chosen('results');
      sheet.draw(rows);
      const bytes = (row: number) => records.number('message_bytes', row) || 1;
      const perByte = (row: number) => (records.number('energy_nj', row) ?? NaN) / bytes(row);
      const fields =
        each() === 'best'
          ? ['primitive', 'operation', 'mode', 'target', 'message_bytes']
          : [...BUILD, 'operation', 'message_bytes', 'ad_bytes'];
      const points = longest(app, best(records, rows, fields, 'energy_nj')).sort(
        (a, b) => perByte(a) - perByte(b),
      );
      const kept = points.slice(0, BARS);
      const names = seriesNames(
        app,
        kept,
        each() === 'best' ? ['primitive', 'target', 'operation', 'mode'] : [...BUILD, 'operation'],
      );
      sheet.said.textContent =
        left(kept.length, points.length, 'those of the least energy') ||
        (points.length ? '' : 'No record of this choice has an energy.');
      const work = (row: number) =>
        cellOf(
          records.text('operation', row),
          records.text('mode', row),
          records.number('message_bytes', row),
        );
      const described = ['primitive', 'target', 'variant', 'toolchain', 'flags'];
      figures.draw({
        title: 'Energy',
        headings: [...described, 'operation', 'nJ per byte', 'nJ', 'at least', 'at most', 'cycles'],
        rows: points.map((row) => ({
          cells: [
            ...described.map((name) => records.text(name, row)),
            work(row),
            perByte(row),
            ...['energy_nj', 'energy_low_nj', 'energy_high_nj', 'cycles'].map((name) =>
              records.number(name, row),
            ),
          ],
          row,
        })),
        digits: [...described.map(() => undefined), undefined, 2, 0, 0, 0, 0],
      });
      const values = kept.map((row, i) => ({
        row,
        series: names[i],
        x: perByte(row),
        low: (records.number('energy_low_nj', row) ?? records.number('energy_nj', row) ?? NaN) / bytes(row),
        high: (records.number('energy_high_nj', row) ?? records.number('energy_nj', row) ?? NaN) / bytes(row),
        chip: records.text('target', row),
        work: work(row),
        build: named(app, row),
      }));
      const y = nominal('series', { sort: null, axis: { labelLimit: 320 } });
      const tooltip = [
        { field: 'series' },
        { field: 'work' },
        { field: 'build' },
        { field: 'x', title: 'nJ per byte', format: ',.2f' },
        { field: 'low', title: 'at least', format: ',.2f' },
        { field: 'high', title: 'at most', format: ',.2f' },
      ];
      await drawn.draw(
        plot({
          height: 22 * Math.max(1, kept.length),
          layer: [
            {
              mark: { type: log() ? 'point' : 'bar', filled: true, opacity: 0.85 },
              encoding: { y, x: quantitative('x', 'nJ per byte', log()), color: nominal('chip'), tooltip },
            },
            {
              mark: { type: 'rule', strokeWidth: 1.5 },
              encoding: { y, x: { field: 'low', type: 'quantitative' }, x2: { field: 'high' } },
            },
          ],
        }),
        values,
      );
      const details = await app.details();
      const parted = kept.flatMap((row, i) => {
        const text = details.text('energy_shares', row);
        return text
          ? Object.entries(JSON.parse(text) as Record<string, number>).map(([component, share]) => ({
              row,
              series: names[i],
              component,
              share,
            }))
          : [];
      });
      shares.holder.hidden = !parted.length;
      if (parted.length)
        await shares.draw(
          plot({
            height: 22 * new Set(parted.map(({ series }) => series)).size,
            mark: { type: 'bar' },
            encoding: {
              y,
              x: {
                field: 'share',
                type: 'quantitative',
                stack: 'normalize',
                title: 'share of the simulated energy',
                axis: { format: '%' },
              },
              color: nominal('component'),
              tooltip: [{ field: 'series' }, { field: 'component' }, { field: 'share', format: '.1%' }],
            },
          }),
          parted,
        );
      const traced = kept.filter((row) => details.at('power_series', row) !== null).slice(0, 6);
      const curves = traced.flatMap((row) => {
        const { cycles, ...forms } = windows(details.text('power_series', row) ?? '');
        const clock = records.number('clock_hz', row) ?? details.number('clock_hz', row) ?? 1;
        const edges = [
          0,
          ...cycles.map(
            (
              (sum) => (count: number) =>
                (sum += count)
            )(0),
          ),
        ];
        return Object.entries(forms).flatMap(([form, watts]) =>
          edges.map((edge, i) => ({
            row,
            series: `${names[kept.indexOf(row)]} · ${form.replace('_mw', '')}`,
            time: (edge / clock) * 1e6,
            power: watts[Math.min(i, watts.length - 1)],
          })),
        );
      });
      power.holder.hidden = !curves.length;
      if (curves.length)
        await power.draw(
          plot({
            height: 280,
            mark: { type: 'line', interpolate: 'step-after', strokeWidth: 1.5 },
            encoding: {
              x: quantitative('time', 'time, µs'),
              y: quantitative('power', 'power, mW', false, { scale: { zero: false, padding: 12 } }),
              color: nominal('series'),
              tooltip: [
                { field: 'series' },
                { field: 'time', title: 'time, µs', format: ',.2f' },
                { field: 'power', title: 'power, mW', format: ',.0f' },
              ],
            },
          }),
          curves,
        );
    };
  },
};
