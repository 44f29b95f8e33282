import { element, plain } from './dom';
import { toCsv, toLatex, toMarkdown, type Copied } from './format';

const FORMS = { CSV: toCsv, Markdown: toMarkdown, LaTeX: toLatex };

async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return;
    } catch {
      // Not allowed here: the older way may be.
    }
  }
  const area = element('textarea', { 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** Words that copy a table, made when one is chosen. */
export function copier(table: () => Copied): HTMLElement {
  const said = element('span', { 'aria-live': 'polite' });
  const words = Object.entries(FORMS).map(([name, write]) =>
    plain(name, () => {
      const made = table();
      void toClipboard(write(made)).then(
        () => (said.textContent = `${made.rows.length.toLocaleString('en-US')} rows copied.`),
      );
    }),
  );
  return element('span', { class: 'copier' }, 'Copy as ', ...words, said);
}
