import { element } from '../dom';
import { RecordTable } from '../table';
import type { Context, View } from '../view';

export const table: View = {
  id: 'table',
  title: 'Table',
  kind: 'Records',
  base: 'results',
  make({ app, holder, open }: Context) {
    const { unverified, marks } = app.page;
    holder.append(
      element('h2', {}, 'All results'),
      element(
        'p',
        { class: 'note' },
        app.every('results').length
          ? 'Only what was measured and verified in that very run. Choose a heading to sort, a row to see where its number comes from.'
          : 'No verified result is among these records.',
        Object.keys(marks).length
          ? ' Primitives marked as broken or legacy should not protect anything new.'
          : null,
        unverified
          ? ` ${unverified} unverified ${unverified === 1 ? 'record is' : 'records are'} left out.`
          : null,
      ),
    );
    const made = new RecordTable(app, 'results', open);
    holder.append(made.holder);
    return () => made.draw(app.chosen('results'));
  },
};

export const failures: View = {
  id: 'failures',
  title: 'Without a number',
  kind: 'Records',
  base: 'failures',
  make({ app, holder, open }: Context) {
    holder.append(
      element('h2', {}, 'Without a number'),
      element('p', { class: 'note' }, 'Cells that were tried and gave no result, with the reason.'),
    );
    const made = new RecordTable(app, 'failures', open);
    holder.append(made.holder);
    return () => made.draw(app.chosen('failures'));
  },
};
