import { expect, test } from 'vitest';
import { brief, change, toCsv, toLatex, toMarkdown } from '../src/format';

const table = {
  headings: ['name', 'cycles'],
  rows: [
    ['a|b, "c"', 1234.5],
    ['50 % of_x', null],
  ],
};

test('CSV holds figures in full and quotes what it must', () => {
  expect(toCsv(table)).toBe('name,cycles\r\n"a|b, ""c""",1234.5\r\n50 % of_x,\r\n');
});

test('Markdown keeps bars in their cell and aligns numbers to the right', () => {
  expect(toMarkdown(table)).toBe(
    '| name | cycles |\n| --- | ---: |\n| a\\|b, "c" | 1,235 |\n| 50 % of_x |  |\n',
  );
});

test('LaTeX escapes what it would read', () => {
  expect(toLatex(table)).toContain('50 \\% of\\_x &  \\\\');
  expect(toLatex(table)).toContain('\\begin{tabular}{lr}');
  expect(toLatex({ headings: ['\\'], rows: [] })).toContain('\\textbackslash{}');
});

test('a ratio is what it adds', () => {
  expect(change(1.25)).toBe('+25.0 %');
  expect(change(0.8)).toBe('−20.0 %');
});

test('a short number has three digits, or all before the point', () => {
  expect([1234.5, 12.345, 0.12345, 0].map(brief)).toEqual(['1,235', '12.3', '0.123', '0']);
});
