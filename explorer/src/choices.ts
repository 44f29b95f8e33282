import type { App, Base } from './app';
import { element, plain } from './dom';
import { fixed } from './format';
import type { Value } from './frame';
import { counts } from './select';
import type { Range } from './state';

/** Limits that a reader may set: the field, its heading, and how many of its units one of the heading's is. */
const LIMITS: readonly (readonly [string, string, number])[] = [
  ['rom_bytes', 'ROM, bytes', 1],
  ['ram_bytes', 'RAM, bytes', 1],
  ['cycles', 'Cycles', 1],
  ['cycles_per_byte', 'Cycles/byte', 1],
  ['time_us', 'Time, ms', 1000],
  ['energy_nj', 'Energy, µJ', 1000],
];
const NAMES: Record<string, string> = {
  target: 'Chip',
  toolchain: 'Compiler',
  level: 'Optimisation',
  message_bytes: 'Message, bytes',
  ad_bytes: 'Associated data, bytes',
  tier: 'Accuracy',
  cache_state: 'Caches',
  constant_time: 'Constant time',
};
/** Lists longer than this have a field to search them. */
const SEARCHED_FROM = 12;

function name(field: string): string {
  const words = NAMES[field] ?? field.replaceAll('_', ' ');
  return words[0].toUpperCase() + words.slice(1);
}

function worded(value: Value): string {
  if (value === null) return 'none';
  return typeof value === 'number' ? fixed(value, 0) : value;
}

/** A list of a field's values to tick. */
class Facet {
  readonly holder: HTMLDetailsElement;
  private readonly title = element('summary');
  private boxes: { value: Value; label: HTMLElement; box: HTMLInputElement; count: HTMLElement }[] = [];

  constructor(
    private readonly app: App,
    readonly field: string,
    private readonly base: () => Base,
  ) {
    this.holder = element('details', { class: 'facet', 'data-field': field }, this.title);
    this.holder.addEventListener('toggle', () => this.update());
    this.update();
  }

  private get wanted(): Value[] {
    return this.app.state.wanted.get(this.field) ?? [];
  }

  private build(): void {
    const list = element('div', { class: 'options', role: 'group', 'aria-label': name(this.field) });
    for (const [value] of counts(this.app.records, this.app.every(this.base()), this.field)) {
      const box = element('input', { type: 'checkbox', onchange: () => this.tick(value, box.checked) });
      const count = element('span', { class: 'count' });
      const label = element('label', { class: 'check' }, box, element('span', {}, worded(value)), count);
      this.boxes.push({ value, label, box, count });
      list.append(label);
    }
    if (this.boxes.length > SEARCHED_FROM) {
      const search = element('input', {
        type: 'search',
        'aria-label': `Search: ${name(this.field)}`,
        placeholder: 'search',
        oninput: () => {
          for (const { value, label } of this.boxes)
            label.classList.toggle(
              'unmatched',
              !worded(value).toLowerCase().includes(search.value.toLowerCase()),
            );
        },
      });
      this.holder.append(search);
    }
    this.holder.append(list);
  }

  private tick(value: Value, on: boolean): void {
    const others = this.wanted.filter((one) => one !== value);
    this.app.change((state) => state.wanted.set(this.field, on ? [...others, value] : others));
  }

  update(): void {
    const { wanted } = this;
    this.title.replaceChildren(
      name(this.field),
      wanted.length ? element('span', { class: 'chosen' }, ` ${wanted.map(worded).join(', ')}`) : '',
    );
    if (!this.holder.open) return;
    if (!this.boxes.length) this.build();
    const left = new Map(counts(this.app.records, this.app.without(this.base(), this.field), this.field));
    for (const { value, label, box, count } of this.boxes) {
      box.checked = wanted.includes(value);
      const rows = left.get(value) ?? 0;
      count.textContent = fixed(rows, 0);
      label.classList.toggle('empty', rows === 0 && !box.checked);
    }
  }
}

/** The panel of everything by which records are chosen. */
export class Choices {
  private readonly facets: Facet[] = [];
  private readonly inputs: (() => void)[] = [];
  private readonly chips = element('div', { class: 'chips' });
  private readonly search: HTMLInputElement;

  constructor(
    private readonly app: App,
    holder: HTMLElement,
    base: () => Base,
  ) {
    const { records, page } = app;
    this.search = element('input', {
      type: 'search',
      name: 'words',
      placeholder: 'any words',
      oninput: () => app.change((state) => (state.words = this.search.value)),
    });
    const body = element('details', { class: 'panel', open: !matchMedia('(max-width: 60rem)').matches });
    body.append(
      element('summary', { class: 'title' }, 'Choose records'),
      element('label', {}, 'Search', this.search),
    );
    for (const field of page.facets) {
      const values = counts(
        records,
        Uint32Array.from({ length: records.count }, (_, row) => row),
        field,
      );
      if (values.length < 2 || field === 'status') continue;
      const facet = new Facet(app, field, base);
      this.facets.push(facet);
      body.append(facet.holder);
    }
    const limits = LIMITS.filter(([field]) => records.has(field));
    if (limits.length) body.append(this.limits(limits));
    holder.append(body, this.chips);
    this.update();
  }

  private limits(limits: typeof LIMITS): HTMLElement {
    const grid = element('div', { class: 'limits', role: 'group', 'aria-label': 'Limits' });
    grid.append(element('span', {}), element('span', {}, 'at least'), element('span', {}, 'at most'));
    for (const [field, heading, units] of limits) {
      grid.append(element('span', {}, heading));
      for (const end of ['least', 'most'] as const) {
        const input = element('input', {
          type: 'number',
          min: 0,
          step: 'any',
          name: `${end}-${field}`,
          'aria-label': `${heading}, at ${end}`,
          oninput: () => {
            const value = input.value === '' ? undefined : Number(input.value) * units;
            this.app.change((state) => state.ranges.set(field, { ...state.ranges.get(field), [end]: value }));
          },
        });
        this.inputs.push(() => {
          const value = this.app.state.ranges.get(field)?.[end];
          const shown = value === undefined ? '' : String(value / units);
          if (Number(input.value) !== Number(shown) || input.value === '' || shown === '')
            input.value = shown;
        });
        grid.append(input);
      }
    }
    return grid;
  }

  update(): void {
    const { state } = this.app;
    for (const facet of this.facets) facet.update();
    for (const update of this.inputs) update();
    if (this.search.value !== state.words) this.search.value = state.words;
    const chips: HTMLElement[] = [];
    const chip = (text: string, remove: () => void) =>
      chips.push(
        element(
          'button',
          { type: 'button', class: 'chip', 'aria-label': `Remove: ${text}`, onclick: remove },
          text,
          ' ×',
        ),
      );
    for (const [field, values] of state.wanted)
      for (const value of values)
        chip(`${name(field)}: ${worded(value)}`, () =>
          this.app.change((to) =>
            to.wanted.set(
              field,
              values.filter((one) => one !== value),
            ),
          ),
        );
    for (const [field, range] of state.ranges) {
      const text = limited(field, range);
      if (text) chip(text, () => this.app.change((to) => to.ranges.delete(field)));
    }
    if (state.words) chip(`words: ${state.words}`, () => this.app.change((to) => (to.words = '')));
    const clear = () =>
      this.app.change((to) => {
        to.wanted.clear();
        to.ranges.clear();
        to.words = '';
      });
    this.chips.replaceChildren(...chips, ...(chips.length ? [plain('clear choices', clear)] : []));
  }
}

function limited(field: string, { least, most }: Range): string {
  if (least === undefined && most === undefined) return '';
  const [, heading, units] = LIMITS.find(([name]) => name === field) ?? ['', name(field), 1];
  const parts = [
    least === undefined ? '' : `at least ${fixed(least / units, least / units < 10 ? 3 : 0)}`,
    most === undefined ? '' : `at most ${fixed(most / units, most / units < 10 ? 3 : 0)}`,
  ];
  return `${heading} ${parts.filter(Boolean).join(', ')}`;
}
