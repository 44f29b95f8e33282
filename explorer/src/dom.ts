type Child = Node | string | null;
type Attributes = Record<string, string | number | boolean | null | ((event: never) => void)>;

const SVG = 'http://www.w3.org/2000/svg';

function fill(made: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value as EventListener);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  made.append(...children.filter((child) => child !== null));
}

/** An element; every text reaches the document as text, never as markup. A function is a listener `on...`. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  fill(made, attributes, children);
  return made;
}

/** A picture that Steelyard drew, of which no script would run. */
export function picture(svg: string): Element {
  const read = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  return read.namespaceURI === SVG ? document.importNode(read, true) : element('span');
}

/** A button that only looks like a word. */
export function plain(text: string, onclick: () => void): HTMLButtonElement {
  return element('button', { type: 'button', class: 'plain', onclick }, text);
}

/** A choice of one of some names, each with a label; `chosen` is selected. */
export function choice(
  label: string,
  options: readonly (readonly [string, string])[],
  chosen: string,
  changed: (value: string) => void,
): HTMLLabelElement {
  const select = element('select', { onchange: () => changed(select.value), name: label });
  for (const [value, text] of options) select.append(element('option', { value }, text));
  select.value = options.some(([value]) => value === chosen) ? chosen : (options[0]?.[0] ?? '');
  return element('label', {}, label, select);
}

/** A box to tick, with its label behind it. */
export function tick(
  label: string,
  on: boolean,
  changed: (on: boolean) => void,
  disabled = false,
): HTMLLabelElement {
  const box = element('input', { type: 'checkbox', onchange: () => changed(box.checked), disabled });
  box.checked = on;
  return element('label', { class: 'check' }, box, label);
}
