import type { Value } from './frame';

export const ABSENT = '–';

/** Compares names that may hold numbers. */
export const { compare: byNumber } = new Intl.Collator('en', { numeric: true });

const formats: Intl.NumberFormat[] = [];

/** A number with exactly so many decimals. */
export function fixed(value: number, digits: number): string {
  formats[digits] ??= new Intl.NumberFormat('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return formats[digits].format(value);
}

/** A value as an opened row shows it. */
export function exactly(value: Value): string {
  if (value === null) return ABSENT;
  return typeof value === 'number' ? value.toLocaleString('en-US', { maximumFractionDigits: 3 }) : value;
}

/** A number with three significant digits, or all digits before the point. */
export function brief(value: number): string {
  const digits =
    Math.abs(value) >= 100 || value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return fixed(value, Math.min(digits, 6));
}

/** A ratio as what it adds: +12.3 %. */
export function change(ratio: number): string {
  const percent = 100 * (ratio - 1);
  return `${percent >= 0 ? '+' : '−'}${fixed(Math.abs(percent), 1)} %`;
}

export type Cell = string | number | null;

/** A table to copy: a number is written in full in CSV, and as the page shows it elsewhere. */
export interface Copied {
  headings: string[];
  rows: Cell[][];
  /** Decimals of each column's numbers. */
  digits?: (number | undefined)[];
}

function shown({ digits }: Copied, cell: Cell, column: number): string {
  if (cell === null) return '';
  if (typeof cell !== 'number') return cell;
  const places = digits?.[column];
  return places === undefined ? brief(cell) : fixed(cell, places);
}

/** CSV as in RFC 4180. */
export function toCsv({ headings, rows }: Copied): string {
  const quoted = (cell: Cell) => {
    const text = cell === null ? '' : String(cell);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [headings, ...rows].map((row) => row.map(quoted).join(',') + '\r\n').join('');
}

function isNumeric({ rows }: Copied, column: number): boolean {
  return rows.some((row) => typeof row[column] === 'number');
}

export function toMarkdown(table: Copied): string {
  const escaped = (text: string) =>
    text
      .replaceAll('\\', '\\\\')
      .replaceAll('|', '\\|')
      .replace(/[\r\n]+/g, ' ');
  const line = (cells: string[]) => `| ${cells.map(escaped).join(' | ')} |\n`;
  const rule = table.headings.map((_, column) => (isNumeric(table, column) ? '---:' : '---'));
  return (
    line(table.headings) +
    `| ${rule.join(' | ')} |\n` +
    table.rows.map((row) => line(row.map((cell, i) => shown(table, cell, i)))).join('')
  );
}

const LATEX: Record<string, string> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '\n': ' ',
  '\r': ' ',
  '–': '--',
  '−': '$-$',
  µ: '\\textmu{}',
};

/** A `tabular` with the rules of the package booktabs. */
export function toLatex(table: Copied): string {
  const escaped = (text: string) =>
    text.replace(/[\\~^#$%&_{}\n\r–−µ]/g, (letter) => LATEX[letter] ?? `\\${letter}`);
  const line = (cells: string[]) => `${cells.map(escaped).join(' & ')} \\\\\n`;
  const columns = table.headings.map((_, column) => (isNumeric(table, column) ? 'r' : 'l')).join('');
  const body = table.rows.map((row) => line(row.map((cell, i) => shown(table, cell, i)))).join('');
  return `\\begin{tabular}{${columns}}\n\\toprule\n${line(table.headings)}\\midrule\n${body}\\bottomrule\n\\end{tabular}\n`;
}
