import type { App } from '../app';
import type { View } from '../view';
import { accuracy, claims, definitions } from './about';
import { lines } from './lines';
import { memory } from './memory';
import { sectionView } from './section';
import { failures, table } from './table';

/** The views of a page in the order of its menu: those that it has something for. */
export function viewsOf({
  page,
  every,
  records,
}: Pick<App, 'page' | 'records'> & { every: (base: 'results' | 'failures') => number }): View[] {
  const results = every('results') > 0;
  const sections = page.sections.map(sectionView);
  return [
    table,
    ...(results ? [lines, memory].filter(({ id }) => id !== 'lines' || records.has('cycles_per_byte')) : []),
    ...(every('failures') ? [failures] : []),
    ...sections.filter(({ kind }) => kind !== 'Studies'),
    ...(page.claims.length ? [claims] : []),
    ...sections.filter(({ kind }) => kind === 'Studies'),
    accuracy,
    definitions,
  ];
}
