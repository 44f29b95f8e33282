import type { App, Base } from './app';
import { choice, element, tick } from './dom';
import { Figures } from './figures';
import { Plot } from './plot';
import { RecordTable } from './table';

/** A view: `make` puts it into the page and returns what draws it for what is chosen then. */
export interface View {
  id: string;
  title: string;
  kind: string;
  /** The records that can be chosen in it; without them the choices do not concern it. */
  base?: Base;
  make(context: Context): Draw | Promise<Draw>;
}
export type Draw = () => void | Promise<void>;

export interface Context {
  app: App;
  holder: HTMLElement;
  open: (row: number) => void;
}

/** What most views have: a sentence, choices of their own, plots, what they say, figures, the records. */
export class Sheet {
  readonly options = element('form', { class: 'choices' });
  readonly said = element('p', { class: 'said', role: 'status' });
  private readonly plots = element('div', { class: 'charts' });
  private readonly tables = element('div');
  private readonly records: RecordTable;

  constructor(
    readonly context: Context,
    view: View,
    note: string,
  ) {
    const { app, holder, open } = context;
    this.options.setAttribute('aria-label', `Choices of: ${view.title}`);
    this.options.addEventListener('submit', (event) => event.preventDefault());
    this.records = new RecordTable(app, view.base ?? 'results', open);
    holder.append(
      element('h2', {}, view.title),
      element('p', { class: 'note' }, note),
      this.options,
      this.said,
      this.plots,
      this.tables,
      element('h3', { class: 'linked' }, 'The records'),
      this.records.holder,
    );
  }

  /** A choice of the view that the address keeps. */
  choice(key: string, label: string, options: readonly (readonly [string, string])[]): () => string {
    const { app } = this.context;
    const first = options[0]?.[0] ?? '';
    this.options.append(choice(label, options, app.option(key, first), (value) => app.setOption(key, value)));
    return () => app.option(key, first);
  }

  tick(key: string, label: string, first: boolean): () => boolean {
    const { app } = this.context;
    const now = () => app.option(key, first ? 'yes' : 'no') === 'yes';
    this.options.append(tick(label, now(), (on) => app.setOption(key, on ? 'yes' : 'no')));
    return now;
  }

  plot(title: string): Plot {
    const made = new Plot(this.context.app, title, this.context.open);
    this.plots.append(made.holder);
    return made;
  }

  figures(): Figures {
    const made = new Figures(this.context.app, this.context.open);
    this.tables.append(made.holder);
    return made;
  }

  draw(rows: Uint32Array): void {
    this.records.draw(rows);
  }
}

/** Names of series by those fields in which they differ. */
export function seriesNames(app: App, rows: readonly number[], fields: readonly string[]): string[] {
  const { records } = app;
  const differing = fields.filter((name) =>
    rows.some((row) => records.at(name, row) !== records.at(name, rows[0])),
  );
  const named = differing.length ? differing : fields.slice(0, 1);
  return rows.map((row) =>
    named
      .map((name) => {
        const text = records.text(name, row);
        return text !== null && name === 'mode' ? text.toUpperCase() : text;
      })
      .filter((text) => text !== null)
      .join(' · '),
  );
}
