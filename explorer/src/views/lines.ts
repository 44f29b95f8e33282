import { looks } from '../colours';
import { fixed } from '../format';
import { isDark, nominal, plot, quantitative } from '../plot';
import { best, grouped } from '../select';
import { seriesNames, Sheet, type Context, type View } from '../view';

/** More lines than this nobody can tell apart. */
const LINES = 24;

const EACH = {
  best: ['primitive', 'operation', 'mode', 'target', 'device'],
  variant: ['primitive', 'variant', 'parts', 'operation', 'mode', 'target', 'device'],
  build: [
    ...['primitive', 'variant', 'parts', 'operation', 'mode', 'target', 'toolchain', 'flags', 'footprint'],
    ...['padding', 'ad_bytes', 'cache_state', 'settings', 'device', 'library', 'threads'],
  ],
} as const;

export const METRICS = [
  ['cycles_per_byte', 'cycles per byte'],
  ['cycles', 'cycles'],
  ['time_us', 'time, µs'],
  ['energy_nj', 'energy, nJ'],
] as const;

export const lines: View = {
  id: 'lines',
  title: 'Cycles by length',
  kind: 'Speed',
  base: 'results',
  make(context: Context) {
    const { app } = context;
    const { records } = app;
    const sheet = new Sheet(
      context,
      lines,
      'Payload bytes only; what a hash pads is paid for but not counted as payload. One hue for each family of processors; no colour twice.',
    );
    const each = sheet.choice('lines.each', 'a line for', [
      ['best', 'each primitive and chip, the best build'],
      ['variant', 'each variant and chip, the best build'],
      ['build', 'each build'],
    ]);
    const metric = sheet.choice('lines.metric', 'figure', METRICS);
    const logX = sheet.tick('lines.x', 'logarithmic length', true);
    const logY = sheet.tick('lines.y', 'logarithmic figure', true);
    const drawn = sheet.plot('Cycles by message length');
    const figures = sheet.figures();
    const families = [...(records.texts('family')?.values ?? [])];

    return () => {
      const rows = app.chosen('results');
      sheet.draw(rows);
      const fields = [...EACH[each() as keyof typeof EACH]];
      const points = best(records, rows, [...fields, 'message_bytes'], metric()).filter(
        (row) => (records.number('message_bytes', row) ?? 0) > 0,
      );
      const { codes } = records.groups(fields);
      const series = grouped(points, (row) => codes[row]);
      const length = (row: number) => records.number('message_bytes', row) ?? 0;
      const figure = (row: number) => records.number(metric(), row) ?? NaN;
      const all = [...series.values()].map((of) => of.sort((a, b) => length(a) - length(b)));
      const last = (of: number[]) => figure(of[of.length - 1]);
      // Lines before single points, then the best.
      all.sort((a, b) => Number(b.length > 1) - Number(a.length > 1) || last(a) - last(b));
      const kept = all.slice(0, LINES);
      const names = seriesNames(
        app,
        kept.map(([row]) => row),
        fields,
      );
      const look = looks(
        kept.map(([row]) => records.text('family', row) ?? ''),
        families,
        isDark(),
      );
      sheet.said.textContent =
        all.length > kept.length
          ? `${fixed(kept.length, 0)} of ${fixed(all.length, 0)} lines: those of the least ${METRICS.find(([name]) => name === metric())?.[1]}. Choose chips or primitives to see others.`
          : all.length
            ? ''
            : 'Nothing was measured for this choice.';
      const values = kept.flatMap((of, i) =>
        of.map((row) => ({
          row,
          series: names[i],
          x: length(row),
          y: figure(row),
          build: `${records.text('variant', row) ?? ''}, ${records.text('toolchain', row) ?? ''} ${records.text('flags', row) ?? ''}`,
        })),
      );
      const title = METRICS.find(([name]) => name === metric())?.[1] ?? '';
      const scale = { domain: names, range: look.map(({ colour }) => colour) };
      const dash = { domain: names, range: look.map(({ dash }) => dash) };
      const lengths = [...new Set(values.map(({ x }) => x))].sort((a, b) => a - b);
      figures.draw({
        title: `${title[0]?.toUpperCase()}${title.slice(1)} by message length, in bytes`,
        headings: ['series', ...lengths.map((x) => fixed(x, 0))],
        rows: kept.map((of, i) => ({
          cells: [
            names[i],
            ...lengths.map((x) =>
              of.some((row) => length(row) === x)
                ? figure(of.find((row) => length(row) === x) as number)
                : null,
            ),
          ],
          row: of[of.length - 1],
        })),
      });
      return drawn.draw(
        plot({
          height: 380,
          mark: { type: 'line', point: { size: 45, filled: true }, strokeWidth: 2 },
          encoding: {
            x: quantitative('x', 'message length, bytes', false, {
              scale: logX() ? { type: 'log', base: 2, nice: false } : { zero: true },
              axis: { tickCount: 10, format: ',~r' },
            }),
            y: quantitative('y', title, logY()),
            color: nominal('series', { scale }),
            strokeDash: nominal('series', { scale: dash, legend: null }),
            tooltip: [
              { field: 'series' },
              { field: 'build' },
              { field: 'x', title: 'message, bytes', format: ',d' },
              { field: 'y', title, format: ',.4~g' },
            ],
          },
        }),
        values,
      );
    };
  },
};
