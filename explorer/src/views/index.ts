import type { App } from '../app';
import { counts } from '../select';
import type { View } from '../view';
import { accuracy, claims, definitions } from './about';
import { energy, modes, parts, spread } from './bars';
import { devices } from './devices';
import { heat } from './heat';
import { lines } from './lines';
import { memory } from './memory';
import { pair } from './pair';
import { compilers, flags } from './ratios';
import { sectionView } from './section';
import { failures, table } from './table';

/** Views that only records with a value in this field have something for. */
const NEEDED: [View, string][] = [
  [lines, 'cycles_per_byte'],
  [heat, 'cycles'],
  [modes, 'mode'],
  [spread, 'cycles_max'],
  [memory, 'rom_bytes'],
  [parts, 'rom_bytes'],

  [energy, 'energy_nj'],
];

/** Views that need two values of this field. */
const COMPARED: [View, string][] = [
  [compilers, 'toolchain'],
  [flags, 'flags'],
];

/** The views of a page in the order of its menu: those that it has something for. */
export function viewsOf(app: App): View[] {
  const { page, records } = app;
  const some = app.every('results').length > 0;
  const sections = page.sections.map(sectionView);
  return [
    table,
    ...(some ? [pair] : []),
    ...(app.every('failures').length ? [failures] : []),
    ...(some
      ? COMPARED.filter(([, field]) => counts(records, app.every('results'), field).length > 1).map(
          ([view]) => view,
        )
      : []),
    ...NEEDED.filter(([, field]) => some && records.has(field)).map(([view]) => view),
    ...(records.has('device') ? [devices] : []),
    ...sections.filter(({ kind }) => kind !== 'Studies'),
    ...(page.claims.length ? [claims] : []),
    ...sections.filter(({ kind }) => kind === 'Studies'),
    accuracy,
    definitions,
  ];
}
