import './style.css';
import { App } from './app';
import { Choices } from './choices';
import { Details } from './details';
import { element } from './dom';
import { readFrame, readPage } from './page';
import { onScheme } from './plot';
import { fromAddress, toAddress } from './state';
import type { Draw, View } from './view';
import { viewsOf } from './views';

async function start(): Promise<void> {
  const page = readPage();
  const records = await readFrame('records');
  const app = new App(page, records, fromAddress(location.hash));
  const views = viewsOf(app);
  const details = new Details(app);
  const open = (row: number) => details.open(row);
  const main = document.getElementById('main') as HTMLElement;
  const side = document.getElementById('choices') as HTMLElement;
  const body = main.parentElement as HTMLElement;

  const now = () => views.find(({ id }) => id === app.state.view) ?? views[0];
  const choices = new Choices(app, side, () => now().base ?? 'results');
  const menu = new Menu(views, app);
  let shown: View | undefined;
  let draw: Draw | undefined;
  let drawn: string | undefined;

  async function update(): Promise<void> {
    const view = now();
    const address = toAddress(app.state);
    // A former address is one step back only where the view is another.
    if (address !== location.hash.slice(1))
      history[shown === view ? 'replaceState' : 'pushState'](null, '', `#${address}`);
    const focused = document.activeElement?.getAttribute('name');
    menu.update(view);
    side.hidden = view.base === undefined;
    body.classList.toggle('whole', view.base === undefined);
    choices.update();
    if (shown !== view) {
      shown = view;
      draw = undefined;
      drawn = undefined;
      const holder = element('div', { class: 'view', id: `view-${view.id}` });
      main.replaceChildren(holder);
      const made = await view.make({ app, holder, open });
      if (shown !== view) return;
      draw = made;
    }
    // An opened record changes nothing behind its dialog.
    const behind = toAddress({ ...app.state, record: '' });
    const isDrawn = drawn === behind;
    drawn = behind;
    await Promise.all([isDrawn ? undefined : draw?.(), details.update()]);
    // A control that was drawn anew keeps the focus.
    if (focused && document.activeElement === document.body)
      main.querySelector<HTMLElement>(`[name="${CSS.escape(focused)}"]`)?.focus();
    main.dataset.drawn = address;
  }

  app.redraw = () => {
    delete main.dataset.drawn;
    void update();
  };
  addEventListener('popstate', () => {
    Object.assign(app.state, fromAddress(location.hash));
    app.redraw();
  });
  onScheme(() => {
    drawn = undefined;
    app.redraw();
  });
  await update();
}

/** The menu of views, by what they are about. */
class Menu {
  private readonly words: Map<string, HTMLButtonElement>;

  constructor(views: View[], app: App) {
    const go = (view: View) => () => {
      app.change((state) => (state.view = view.id));
      (document.getElementById('main') as HTMLElement).scrollIntoView({ block: 'start' });
    };
    this.words = new Map(
      views.map((view) => [
        view.id,
        element('button', { type: 'button', 'data-view': view.id, onclick: go(view) }, view.title),
      ]),
    );
    const kinds = [...new Set(views.map(({ kind }) => kind))];
    const lists = kinds.map((kind) =>
      element(
        'li',
        {},
        element('span', { class: 'kind' }, kind),
        ...views.filter((view) => view.kind === kind).map(({ id }) => this.words.get(id) as HTMLElement),
      ),
    );
    document.getElementById('views')?.append(element('ul', { class: 'wrap' }, ...lists));
  }

  update(view: View): void {
    for (const [id, word] of this.words) {
      if (id === view.id) word.setAttribute('aria-current', 'page');
      else word.removeAttribute('aria-current');
    }
  }
}

void start();
