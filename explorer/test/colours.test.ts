import { expect, test } from 'vitest';
import { looks } from '../src/colours';

const FAMILIES = ['arm', 'avr', 'cortex-m', 'm16c', 'msp430', 'riscv', 'rl78', 'sparc'];

function hue(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  const turn =
    most === r
      ? (g - b) / (most - least)
      : most === g
        ? 2 + (b - r) / (most - least)
        : 4 + (r - g) / (most - least);
  return (60 * turn + 360) % 360;
}

for (const dark of [false, true])
  test(`no colour occurs twice, and each family has its own hue (${dark ? 'dark' : 'light'})`, () => {
    const series = FAMILIES.flatMap((family) => Array.from({ length: 12 }, () => family));
    const colours = looks(series, FAMILIES, dark).map(({ colour }) => colour);
    expect(new Set(colours).size).toBe(series.length);
    const hues = FAMILIES.map((family) => colours.filter((_, i) => series[i] === family).map(hue));
    for (const of of hues) expect(Math.max(...of) - Math.min(...of)).toBeLessThan(6);
    const middles = hues.map(([first]) => first).sort((a, b) => a - b);
    for (let i = 1; i < middles.length; i++) expect(middles[i] - middles[i - 1]).toBeGreaterThan(12);
  });

test('a family keeps its hue whatever else is shown', () => {
  const [alone] = looks(['msp430'], FAMILIES, false);
  const [, beside] = looks(['avr', 'msp430'], FAMILIES, false);
  expect(alone.colour).toBe(beside.colour);
});
