import { choice, element } from '../dom';
import type { Target } from '../page';
import type { Context, View } from '../view';
import { claimTable } from './section';

/** Findings in the order of their interest. */
const FINDINGS = ['fails', 'holds in part', 'holds', 'not testable', 'not measured'];

export const claims: View = {
  id: 'claims',
  title: 'Claims',
  kind: 'Studies',
  make({ app, holder }: Context) {
    const place = element('div');
    const offered = [['', 'all'], ...FINDINGS.map((name) => [name, name])] as [string, string][];
    const form = element('form', { class: 'choices', 'aria-label': 'Choices of: Claims' });
    form.append(
      choice('verdict', offered, app.option('claims.verdict', ''), (value) =>
        app.setOption('claims.verdict', value),
      ),
    );
    const said = element('p', { class: 'said', role: 'status' });
    holder.append(
      element('h2', {}, 'Claims'),
      element(
        'p',
        { class: 'note' },
        'What publications claim, and what these records say of it. A claim is judged in every setting that it leaves open; its strength is the number of tests that passed, of those asked.',
      ),
      form,
      said,
      place,
    );
    return () => {
      const wanted = app.option('claims.verdict', '');
      const kept = app.page.claims.filter(({ finding }) => !wanted || finding === wanted);
      const counted = FINDINGS.map(
        (name) => [name, app.page.claims.filter(({ finding }) => finding === name).length] as const,
      );
      said.textContent =
        counted
          .filter(([, count]) => count)
          .map(([name, count]) => `${count} ${name}`)
          .join(', ') + '.';
      kept.sort((a, b) => FINDINGS.indexOf(a.finding) - FINDINGS.indexOf(b.finding));
      place.replaceChildren(claimTable(kept, [], true));
    };
  },
};

function list(heading: string, lines: string[]): HTMLElement[] {
  return lines.length
    ? [element('h4', {}, heading), element('ul', {}, ...lines.map((line) => element('li', {}, line)))]
    : [];
}

function card(target: Target): HTMLElement {
  const { id, tier, title, core, clock_hz, timing_versions, evidence, known_gaps, sources } = target;
  const about = [title, core && `core ${core}`, clock_hz === null ? '' : `${clock_hz / 1e6} MHz`]
    .filter(Boolean)
    .join(', ');
  return element(
    'article',
    { class: 'card' },
    element('h3', {}, id, ' ', tier ? element('span', { class: `tier ${tier}` }, tier) : null),
    about ? element('p', { class: 'sub' }, about) : null,
    element(
      'p',
      { class: 'sub' },
      'timing ',
      ...timing_versions.flatMap((each, i) => [i ? ', ' : '', element('code', {}, each)]),
    ),
    ...list('Evidence', evidence),
    ...list('Known gaps', known_gaps),
    sources.length
      ? element(
          'details',
          {},
          element('summary', {}, 'Documents'),
          element('ul', {}, ...sources.map((line) => element('li', {}, line))),
        )
      : null,
  );
}

export const accuracy: View = {
  id: 'accuracy',
  title: 'How true',
  kind: 'About',
  make({ app, holder }: Context) {
    const tier = (name: string, text: string) => [element('b', {}, name), text];
    holder.append(
      element('h2', {}, 'How true the numbers are'),
      element(
        'p',
        { class: 'note' },
        ...tier('rtl', ': cycle for cycle as the core’s own hardware description. '),
        ...tier(
          'exact',
          ': cycle for cycle as an independent cycle-accurate reference and the manufacturer’s tables. ',
        ),
        ...tier('close', ': within 5 % of published board measurements. '),
        ...tier('model', ': the documented pipeline, no evidence from a board.'),
      ),
      element('div', { class: 'cards' }, ...app.page.targets.map(card)),
    );
    return () => undefined;
  },
};

export const definitions: View = {
  id: 'metrics',
  title: 'Definitions',
  kind: 'About',
  make({ app, holder }: Context) {
    const lines = Object.entries(app.page.fields).map(([name, { doc }]) => {
      const unit = app.unit(name);
      return element(
        'div',
        {},
        element(
          'dt',
          {},
          element('code', {}, name),
          unit ? element('span', { class: 'unit' }, ` ${unit}`) : null,
        ),
        element('dd', {}, doc),
      );
    });
    holder.append(
      element('h2', {}, 'Definitions'),
      element('p', { class: 'note' }, 'One definition per metric.'),
      element('dl', { class: 'definitions' }, ...lines),
    );
    return () => undefined;
  },
};
