import { fixed } from '../format';
import { front } from '../front';
import { isDark, nominal, plot, quantitative, type Spec } from '../plot';
import { grouped } from '../select';
import { Sheet, type Context, type View } from '../view';

/** Upper ends of the categories, in bytes; the last category has none. */
const ROM = [512, 1024, 2048, 4096, 8192];
const RAM = [64, 128, 256, 512, 1024];
/** Points drawn at most of the front, and of the others. */
const POINTS = 200;

const size = (bytes: number) => (bytes >= 1024 ? `${bytes / 1024} KB` : `${bytes} B`);
const category = (ends: number[], bytes: number) => ends.findIndex((end) => bytes <= end);

/** A cell's operation, mode and length in one text. */
export function cellOf(operation: string | null, mode: string | null, bytes: number | null): string {
  return [operation, mode?.toUpperCase(), bytes === null ? '' : `${fixed(bytes, 0)} bytes`]
    .filter(Boolean)
    .join(' ');
}

export const memory: View = {
  id: 'memory',
  title: 'ROM, RAM and speed',
  kind: 'Memory',
  base: 'results',
  make(context: Context) {
    const { app } = context;
    const { records } = app;
    const sheet = new Sheet(
      context,
      memory,
      'A point is a build. On the front are those that no other build equals or beats in ROM, RAM and cycles together. RAM is statics, context and stack, without the caller’s buffers.',
    );
    const within = sheet.choice('memory.front', 'front of', [
      ['chip', 'each chip'],
      ['primitive', 'each primitive on each chip'],
      ['all', 'all chosen records'],
    ]);
    const log = sheet.tick('memory.log', 'logarithmic', true);
    const cell = (row: number) =>
      cellOf(records.text('operation', row), records.text('mode', row), records.number('message_bytes', row));
    const drawn = sheet.plot('ROM, RAM and speed');
    const found = sheet.figures();
    const categories = sheet.figures();

    return () => {
      const chosen = app.chosen('results');
      sheet.draw(chosen);
      const { codes: work } = records.groups(['operation', 'mode', 'message_bytes']);
      const count = new Map<number, [number, number]>();
      const [roms, rams, times] = ['rom_bytes', 'ram_bytes', 'cycles'].map((name) => records.figures(name));
      for (const row of chosen) {
        const former = count.get(work[row]);
        if (former) former[1]++;
        else if (!Number.isNaN(roms[row])) count.set(work[row], [row, 1]);
      }
      // What most builds do, and rather with a message than its set-up.
      const sized = ([row]: [number, number]) => Number(records.at('message_bytes', row) !== null);
      const common = [...count].sort((a, b) => sized(b[1]) - sized(a[1]) || b[1][1] - a[1][1])[0];
      if (!common) {
        sheet.said.textContent = 'No record of this choice has sizes.';
        found.draw({ title: '', headings: [], rows: [] });
        categories.draw({ title: '', headings: [], rows: [] });
        return drawn.draw(plot({ mark: 'point' }), []);
      }
      // Only what does the same work can be compared.
      const rows = [...chosen.filter((row) => !Number.isNaN(rams[row]) && work[row] === common[0])];
      const figures = (row: number) => [roms[row], rams[row], times[row]];
      const { codes: group } = records.groups(
        { chip: ['target'], primitive: ['target', 'primitive'], all: [] }[within()] ?? [],
      );
      const groups = grouped(rows, (row) => group[row]);
      const best = new Set<number>();
      for (const of of groups.values()) for (const place of front(of.map(figures))) best.add(of[place]);
      const beaten = rows.filter((row) => !best.has(row));
      const others = beaten.slice(0, POINTS);
      const said = cell(common[1][0]);
      sheet.said.textContent =
        `${said}: ${fixed(rows.length, 0)} builds, ${fixed(best.size, 0)} on the front.` +
        (best.size > POINTS ? ` Of these ${fixed(POINTS, 0)} are drawn, all of them are in the table.` : '') +
        (beaten.length > others.length ? ` Of the others ${fixed(others.length, 0)} are drawn.` : '') +
        (count.size > 1
          ? ` ${fixed(count.size - 1, 0)} other operations or lengths are not compared with it; choose one to see it.`
          : '');
      const value = (row: number) => ({
        row,
        rom: records.number('rom_bytes', row),
        ram: Math.max(log() ? 1 : 0, records.number('ram_bytes', row) ?? 0),
        cycles: records.number('cycles', row),
        front: best.has(row) ? 'on the front' : 'beaten',
        build: ['primitive', 'variant', 'target', 'toolchain', 'flags']
          .map((name) => records.text(name, row))
          .filter(Boolean)
          .join(' · '),
      });
      const named = ['primitive', 'variant', 'target', 'toolchain', 'flags', 'footprint'];
      const line = (row: number) => ({
        cells: [...named.map((name) => records.text(name, row)), ...figures(row)],
        row,
      });
      const columns = [...named, 'ROM, bytes', 'RAM, bytes', 'cycles'];
      const ordered = [...best].sort(
        (a, b) =>
          figures(a)[0] - figures(b)[0] || figures(a)[1] - figures(b)[1] || figures(a)[2] - figures(b)[2],
      );
      const step = Math.max(1, ordered.length / POINTS);
      const thinned = ordered.filter((_, place) => Math.floor(place / step) > Math.floor((place - 1) / step));
      found.draw({
        title: `On the front: ${said}`,
        headings: columns,
        rows: ordered.map(line),
        digits: columns.map(() => 0),
      });
      const fastest = new Map<string, number>();
      for (const row of rows) {
        const [rom, ram, cycles] = figures(row);
        const place = `${category(ROM, rom)} ${category(RAM, ram)}`;
        const former = fastest.get(place);
        if (former === undefined || cycles < figures(former)[2]) fastest.set(place, row);
      }
      const name = (ends: number[], place: number) =>
        place < 0 ? `above ${size(ends[ends.length - 1])}` : `up to ${size(ends[place])}`;
      const order = (place: number) => (place < 0 ? 99 : place);
      categories.draw({
        title: 'The fastest of each category of ROM and RAM',
        headings: ['primitive', 'ROM', 'RAM', 'cycles', 'variant', 'target', 'toolchain', 'flags'],
        rows: [...fastest]
          .map(([places, row]) => ({ places: places.split(' ').map(Number), row }))
          .sort((a, b) => order(a.places[0]) - order(b.places[0]) || order(a.places[1]) - order(b.places[1]))
          .map(({ places, row }) => ({
            cells: [
              records.text('primitive', row),
              name(ROM, places[0]),
              name(RAM, places[1]),
              figures(row)[2],
              ...['variant', 'target', 'toolchain', 'flags'].map((field) => records.text(field, row)),
            ],
            row,
          })),
        digits: [undefined, undefined, undefined, 0],
      });
      const axis = (sizes: Float64Array): Spec => {
        let [least, most] = [Infinity, 1];
        for (const row of rows) {
          const bytes = sizes[row] || 1;
          least = Math.min(least, bytes);
          most = Math.max(most, bytes);
        }
        const from = Math.floor(Math.log2(least));
        const to = Math.max(from + 1, Math.ceil(Math.log2(most)));
        if (!log()) return { axis: { tickCount: 6, format: ',~r' } };
        const values = Array.from({ length: to - from + 1 }, (_, i) => 2 ** (from + i));
        return { scale: { type: 'log', domain: [2 ** from, 2 ** to] }, axis: { values, format: ',~r' } };
      };
      return drawn.draw(
        plot({
          height: 380,
          mark: { type: 'point', filled: true },
          encoding: {
            x: quantitative('rom', 'ROM, bytes', log(), axis(roms)),
            y: quantitative('ram', 'RAM, bytes', log(), axis(rams)),
            color: {
              field: 'cycles',
              type: 'quantitative',
              title: 'cycles',
              scale: {
                type: log() ? 'log' : 'linear',
                scheme: isDark() ? 'viridis' : 'yellowgreenblue',
              },
              legend: { format: ',~s', orient: 'right' },
            },
            shape: nominal('front', {
              scale: { domain: ['on the front', 'beaten'], range: ['diamond', 'circle'] },
            }),
            size: { condition: { test: "datum.front === 'on the front'", value: 150 }, value: 30 },
            tooltip: [
              { field: 'build' },
              { field: 'rom', title: 'ROM', format: ',d' },
              { field: 'ram', title: 'RAM', format: ',d' },
              { field: 'cycles', format: ',.0f' },
            ],
          },
        }),
        [...others, ...thinned].map(value),
      );
    };
  },
};
