import { tableFromArrays, tableToIPC } from '@uwdata/flechette';
import { expect, test } from 'vitest';
import { dictionary, float64, int32, utf8 } from '@uwdata/flechette';
import { Frame } from '../src/frame';
import { pairs, Ratios } from '../src/ratios';
import { best, counts, matching, sorted } from '../src/select';
import { emptyState } from '../src/state';

const frame = new Frame(
  tableToIPC(
    tableFromArrays(
      {
        primitive: ['aes-128', 'aes-128', 'idea', 'rc4', 'rc4'],
        target: ['avr', 'msp', 'avr', null, 'msp'],
        toolchain: ['gcc', 'clang', 'gcc', 'gcc', 'clang'],
        cycles: [3200, 2800.5, 5100, null, 86],
        rom_bytes: [900, 1024, 700, 100, null],
      },
      {
        types: {
          primitive: dictionary(utf8()),
          target: dictionary(utf8()),
          toolchain: dictionary(utf8()),
          cycles: float64(),
          rom_bytes: int32(),
        },
      },
    ),
    { format: 'stream' },
  ) as Uint8Array,
);
const every = Uint32Array.of(0, 1, 2, 3, 4);

function kept(change: (state: ReturnType<typeof emptyState>) => void, but?: string): number[] {
  const state = emptyState();
  change(state);
  return [...matching(frame, state, every, but)];
}

test('a record says what was written, and nothing where nothing was', () => {
  expect(frame.at('target', 3)).toBeNull();
  expect(frame.at('cycles', 3)).toBeNull();
  expect(frame.at('cycles', 1)).toBe(2800.5);
  expect(frame.at('no such column', 0)).toBeNull();
});

test('values of one field are alternatives, fields are asked together', () => {
  expect(kept((state) => state.wanted.set('primitive', ['aes-128', 'idea']))).toEqual([0, 1, 2]);
  expect(kept((state) => state.wanted.set('primitive', ['aes-128']).set('target', ['avr']))).toEqual([0]);
  expect(kept((state) => state.wanted.set('target', [null]))).toEqual([3]);
  expect(
    kept((state) => state.wanted.set('primitive', ['aes-128']).set('target', ['avr']), 'target'),
  ).toEqual([0, 1]);
});

test('a value that no record has leaves nothing, not everything', () => {
  expect(kept((state) => state.wanted.set('target', ['leon3']))).toEqual([]);
  expect(kept((state) => state.wanted.set('no such column', ['x']))).toEqual([]);
});

test('limits hold their ends, and a record without the figure is within none', () => {
  expect(kept((state) => state.ranges.set('rom_bytes', { most: 1024 }))).toEqual([0, 1, 2, 3]);
  expect(kept((state) => state.ranges.set('rom_bytes', { least: 1024 }))).toEqual([1]);
  expect(kept((state) => state.ranges.set('cycles', { least: 0 }))).toEqual([0, 1, 2, 4]);
});

test('every word must be found, in any of the texts', () => {
  expect(kept((state) => (state.words = 'AES msp'))).toEqual([1]);
  expect(kept((state) => (state.words = 'aes nowhere'))).toEqual([]);
});

test('numbers sort as numbers, and missing ones stay last either way', () => {
  expect([...sorted(frame, every, 'cycles', false)]).toEqual([4, 1, 0, 2, 3]);
  expect([...sorted(frame, every, 'cycles', true)]).toEqual([2, 0, 1, 4, 3]);
  expect([...sorted(frame, every, 'target', true)].at(-1)).toBe(3);
});

test('values are counted, none last', () => {
  expect(counts(frame, every, 'target')).toEqual([
    ['avr', 2],
    ['msp', 2],
    [null, 1],
  ]);
  expect(counts(frame, every, 'rom_bytes').at(-1)).toEqual([null, 1]);
});

test('the best of a group has the least figure', () => {
  expect(best(frame, every, ['primitive'], 'cycles')).toEqual([1, 2, 4]);
  expect(best(frame, every, ['primitive'], 'no such column')).toEqual([]);
});

test('a pair differs in the compared field alone', () => {
  expect(pairs(frame, every, 'toolchain', 'gcc', 'clang', [])).toEqual([]);
  const same = new Frame(
    tableToIPC(
      tableFromArrays(
        {
          primitive: ['a', 'a', 'a', 'b'],
          toolchain: ['gcc', 'clang', 'clang', 'gcc'],
          cycles: [100, 90, 80, 1],
        },
        { types: { primitive: dictionary(utf8()), toolchain: dictionary(utf8()), cycles: float64() } },
      ),
      { format: 'stream' },
    ) as Uint8Array,
  );
  const found = pairs(same, Uint32Array.of(0, 1, 2, 3), 'toolchain', 'gcc', 'clang', []);
  expect(found).toEqual([{ base: 0, other: 2 }]);
  const { count, less, more, mean } = Ratios.of(same.figures('cycles'), found);
  expect([count, less, more]).toEqual([1, 1, 0]);
  expect(mean).toBeCloseTo(0.8);
});

test('groups of many fields are told apart, though their product is more than a number holds', () => {
  const fields = Array.from({ length: 40 }, (_, place) => `field_${place}`);
  const wide = new Frame(
    tableToIPC(
      tableFromArrays(Object.fromEntries(fields.map((name, i) => [name, [0, 1, 2, 0, i === 39 ? 3 : 0]])), {
        types: Object.fromEntries(fields.map((name) => [name, int32()])),
      }),
      { format: 'stream' },
    ) as Uint8Array,
  );
  expect([...wide.groups(fields).codes]).toEqual([0, 1, 2, 0, 3]);
  expect(wide.groups(fields)).toBe(wide.groups(fields));
  expect([...wide.groups([]).codes]).toEqual([0, 0, 0, 0, 0]);
});
