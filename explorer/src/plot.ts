import type { App } from './app';
import { element } from './dom';
import { readPlotting } from './page';

export type Spec = Record<string, unknown>;
interface Item {
  datum?: { row?: number };
}
interface Made {
  view: {
    addEventListener(type: string, then: (event: unknown, item: Item | null) => void): void;
    width(pixels: number): { runAsync(): Promise<unknown> };
  };
  finalize(): void;
}
type Embed = (holder: HTMLElement, spec: Spec, options: object) => Promise<Made>;

/** More marks than this are pixels, not elements. */
const SVG_MARKS = 1500;
const LEGEND_COLUMN_PX = 190;
/** The width of a plot that is as wide as the page. */
const WHOLE = 'container';
const scheme = matchMedia('(prefers-color-scheme: dark)');

export const isDark = () => scheme.matches;
export const onScheme = (then: () => void) => scheme.addEventListener('change', then);

/** A place for one plot, drawn anew for other rows; a mark with a `row` opens the record. */
export class Plot {
  readonly holder: HTMLElement;
  private made: Made | undefined;
  private turn = 0;
  /** As wide as the holder was last seen; to ask for it lays out the whole page. */
  private width = 0;
  private isWide = false;

  constructor(
    private readonly app: App,
    title: string,
    private readonly open?: (row: number) => void,
  ) {
    this.holder = element('div', { class: 'plot', role: 'img', 'aria-label': title });
    new ResizeObserver(([{ contentRect }]) => this.fit(contentRect.width)).observe(this.holder);
  }

  private fit(width: number): void {
    if (!width || width === this.width) return;
    this.width = width;
    if (this.isWide) void this.made?.view.width(width).runAsync();
  }

  /** Draw a specification whose data set is called `rows`; a later call overtakes it. */
  async draw(spec: Spec, values: object[]): Promise<void> {
    const turn = ++this.turn;
    await readPlotting();
    if (turn !== this.turn || !this.holder.isConnected) return;
    this.made?.finalize();
    this.made = undefined;
    this.holder.dataset.marks = String(values.length);
    if (!values.length) {
      this.holder.replaceChildren();
      return;
    }
    const theme = this.app.page.themes[isDark() ? 'dark' : 'light'];
    this.width ||= this.holder.clientWidth;
    this.isWide = spec.width === WHOLE;
    const { width } = this;
    const sized = this.isWide ? { ...spec, width } : spec;
    const columns = Math.max(1, Math.floor(width / LEGEND_COLUMN_PX));
    const config = { ...theme, aria: false, legend: { ...theme.legend, columns } };
    const { vegaEmbed } = window as unknown as { vegaEmbed: Embed };
    this.made = await vegaEmbed(
      this.holder,
      { ...sized, data: { name: 'rows', values } },
      {
        actions: false,
        ast: true,
        renderer: values.length > SVG_MARKS ? 'canvas' : 'svg',
        config,
        tooltip: { theme: isDark() ? 'dark' : 'light' },
      },
    );
    // The holder is the picture to a screen reader; its marks are in the tables of figures.
    for (const part of this.holder.children) part.setAttribute('aria-hidden', 'true');
    if (turn !== this.turn) return;
    // The page may have become narrower while the plot was made, by the bar that scrolls it.
    if (this.isWide && this.width !== width) await this.made.view.width(this.width).runAsync();
    if (this.open)
      this.made.view.addEventListener(
        'click',
        (_, item) => item?.datum?.row !== undefined && this.open?.(item.datum.row),
      );
  }
}

/** The frame of every specification: as wide as the page. */
export function plot(parts: Spec): Spec {
  return { width: WHOLE, autosize: { type: 'fit-x', contains: 'padding' }, ...parts };
}

export function quantitative(field: string, title: string, log = false, more: Spec = {}): Spec {
  return {
    field,
    type: 'quantitative',
    title,
    scale: log ? { type: 'log', nice: false, padding: 16 } : { zero: true },
    axis: { tickCount: 6, format: ',~r' },
    ...more,
  };
}

export function nominal(field: string, more: Spec = {}): Spec {
  return { field, type: 'nominal', title: null, ...more };
}
