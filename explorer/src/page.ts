import { Frame } from './frame';

export interface ColumnInfo {
  name: string;
  label: string;
  digits: number;
  extra: boolean;
}
export interface Group {
  title: string;
  names: string[];
}
export interface Claim {
  claim: string;
  study: string;
  title: string;
  section: string;
  statement: string;
  finding: string;
  strength: string;
  reason: string;
  counterexample: string;
  by_choice: Record<string, string>;
}
export interface Target {
  id: string;
  tier: string | null;
  timing_versions: string[];
  title: string;
  family: string;
  core: string;
  clock_hz: number | null;
  evidence: string[];
  known_gaps: string[];
  sources: string[];
}
type Kind = 'results' | 'failures';

/** What the page says besides its records. */
export interface Page {
  fields: Record<string, { doc: string; unit: string; number: boolean }>;
  units: Record<string, string>;
  tables: Record<Kind, ColumnInfo[]>;
  groups: Record<Kind, Group[]>;
  facets: string[];
  identity: string[];
  marks: Record<string, { mark: string; authority: string }>;
  targets: Target[];
  themes: Record<'light' | 'dark', { legend: object }>;
  sections: { id: string; title: string; kind: string }[];
  claims: Claim[];
  unverified: number;
}

export interface TableData {
  title: string;
  headings: string[];
  rows: string[][];
  numeric: boolean[];
  folded: boolean;
}
export interface ChartData {
  id: string;
  title: string;
  caption: string;
  spec: object;
  count: number;
  columns: Record<string, (string | number | boolean | null)[]>;
  open: string[];
  single: string[];
  series: string[];
  preset: string[];
  step: number | null;
  half: boolean;
}
export interface SectionData {
  notes: string[];
  picture: string;
  tables: TableData[];
  charts: ChartData[];
  claims: Claim[];
  choices: string[];
}

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? '';
}

async function bytesOf(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const letters = atob(textOf(id));
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i);
  const inflated = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(inflated).arrayBuffer());
}

export function readPage(): Page {
  return JSON.parse(textOf('page')) as Page;
}

export async function readFrame(id: string): Promise<Frame> {
  return new Frame(await bytesOf(id));
}

export async function readSection(id: string): Promise<SectionData> {
  return JSON.parse(new TextDecoder().decode(await bytesOf(`part-${id}`))) as SectionData;
}

let loading: Promise<void> | undefined;

/** Run the plotting code of the page, once; its hash is in the page's security policy. */
export function readPlotting(): Promise<void> {
  loading ??= bytesOf('plotting').then((code) => {
    const script = document.createElement('script');
    script.textContent = new TextDecoder().decode(code);
    document.body.append(script);
  });
  return loading;
}
