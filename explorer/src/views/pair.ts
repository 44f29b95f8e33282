import { element, plain } from '../dom';
import { calledBy, valueOf } from '../details';
import { change } from '../format';
import type { Frame } from '../frame';
import { Figures, type FigureRow } from '../figures';
import type { Context, View } from '../view';

const TOLD_APART = [
  'cycles',
  'cycles_per_byte',
  'instructions',
  'loads',
  'stores',
  'branches',
  'branches_taken',
];
const SIZES = [
  'rom_bytes',
  'rom_code_bytes',
  'rom_const_bytes',
  'rom_support_bytes',
  'ram_bytes',
  'ram_context_bytes',
  'ram_stack_bytes',
];
const MEMORY = [
  'memory_stall_cycles',
  'cache_misses',
  'icache_misses',
  'dcache_misses',
  'energy_nj',
  'time_us',
];

export const pair: View = {
  id: 'pair',
  title: 'Two records',
  kind: 'Records',
  make({ app, holder, open }: Context) {
    const { records, page } = app;
    const said = element('p', { class: 'said', role: 'status' });
    const plan = element('p', { class: 'more' });
    const figures = [0, 1, 2, 3].map(() => new Figures(app, open));
    holder.append(
      element('h2', {}, 'Two records'),
      element(
        'p',
        { class: 'note' },
        'Why one record is faster than another: where they differ, and where the cycles go. Open a record and keep it, then open the other.',
      ),
      said,
      plan,
      ...figures.map(({ holder: place }) => place),
    );

    const call = (row: number) =>
      ['primitive', 'variant', 'operation', 'mode', 'target', 'toolchain', 'flags']
        .map((name) => records.text(name, row))
        .filter(Boolean)
        .join(' · ');

    return async () => {
      const rows = app.state.pair.map((one) => app.rowOf(one)).filter((row) => row !== undefined);
      if (rows.length < 2) {
        said.textContent = rows.length
          ? `Kept: ${call(rows[0])}. Open another record to compare with it.`
          : 'No record is kept yet.';
        for (const each of figures) each.draw({ title: '', headings: [], rows: [] });
        return;
      }
      const [a, b] = rows;
      const details = await app.details();
      const cycles = [a, b].map((row) => records.number('cycles', row) ?? NaN);
      const ratio = cycles[1] / cycles[0];
      const functions = compareFunctions(details, a, b);
      const most = functions[0];
      said.textContent =
        `The second takes ${change(ratio)} cycles beside the first.` +
        (most
          ? ` Most of the difference is in ${most.name}: ${most.second >= most.first ? '+' : '−'}${Math.abs(Math.round(most.second - most.first)).toLocaleString('en-US')} cycles.`
          : '');
      plan.replaceChildren(
        element(
          'span',
          {},
          'First: ',
          plain(call(a), () => open(a)),
        ),
        element(
          'span',
          {},
          'Second: ',
          plain(call(b), () => open(b)),
        ),
        plain('swap', () => app.change((state) => state.pair.reverse())),
      );
      const value = (name: string, row: number) => valueOf(app, details, name, row);
      const numbers = (names: string[]): FigureRow[] =>
        names.flatMap((name) => {
          const [x, y] = [value(name, a), value(name, b)];
          if (typeof x !== 'number' || typeof y !== 'number' || (x === 0 && y === 0)) return [];
          return [{ cells: [name, x, y, y - x, x > 0 ? change(y / x) : null] }];
        });
      const mix = Object.keys(page.fields).filter((name) => name.startsWith('mix_'));
      const headings = ['', 'first', 'second', 'difference', 'change'];
      const digits = [undefined, 1, 1, 1];
      const differing = Object.keys(page.fields).filter(
        (name) =>
          !page.fields[name].number &&
          !/^(functions|power_series|outputs|energy_shares|image_hash|date|command|object_flags)$/.test(name),
      );
      figures[0].draw({
        title: 'Where they differ',
        headings: ['field', 'first', 'second'],
        rows: differing.flatMap((name) => {
          const [x, y] = [value(name, a), value(name, b)];
          return x === y
            ? []
            : [{ cells: [name, x === null ? null : String(x), y === null ? null : String(y)] }];
        }),
      });
      figures[1].draw({
        title: 'Cost',
        headings,
        digits,
        rows: numbers([...TOLD_APART, ...MEMORY, ...SIZES]),
      });
      figures[2].draw({
        title: 'Cycles by function',
        headings: [
          'function',
          'first',
          'second',
          'difference',
          'instructions, first',
          'instructions, second',
        ],
        rows: functions.map((each) => ({
          cells: [
            each.name,
            each.first,
            each.second,
            each.second - each.first,
            each.instructions[0],
            each.instructions[1],
          ],
        })),
        digits: [undefined, 0, 0, 0, 0, 0],
      });
      figures[3].draw({ title: 'Executed instructions by class', headings, digits, rows: numbers(mix) });
    };
  },
};

interface Compared {
  name: string;
  first: number;
  second: number;
  instructions: [number, number];
}

/** The functions of both records, those first whose cycles differ most. */
function compareFunctions(details: Frame, a: number, b: number): Compared[] {
  const found = new Map<string, Compared>();
  [a, b].forEach((row, side) => {
    for (const { name, cycles, instructions } of calledBy(details, row)) {
      const each = found.get(name) ?? { name, first: 0, second: 0, instructions: [0, 0] };
      each[side ? 'second' : 'first'] += cycles;
      each.instructions[side] += instructions;
      found.set(name, each);
    }
  });
  return [...found.values()].sort((x, y) => Math.abs(y.second - y.first) - Math.abs(x.second - x.first));
}
