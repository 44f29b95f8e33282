/** Hues of the families, in degrees; far apart from their neighbours in this order. */
const HUES = [212, 28, 150, 340, 265, 95, 188, 305, 50, 0, 235, 125];
/** The first is a whole line: a dash longer than any plot, since one of a pixel without gaps is drawn slowly. */
const DASHES = [
  [10000, 1],
  [6, 3],
  [2, 2],
  [9, 3, 2, 3],
];

export interface Look {
  colour: string;
  dash: number[];
}

/**
 * A look for each series: the hue is its family's, in all views the same; no colour occurs twice.
 * `families` are all of the page.
 */
export function looks(series: readonly string[], families: readonly string[], dark: boolean): Look[] {
  const known = [...new Set([...families].sort()), ''];
  const members = new Map<string, number>();
  for (const family of series) members.set(family, (members.get(family) ?? 0) + 1);
  const next = new Map<string, number>();
  const [from, to] = dark ? [58, 84] : [24, 56];
  return series.map((family) => {
    const place = next.get(family) ?? 0;
    next.set(family, place + 1);
    const count = members.get(family) ?? 1;
    const turn = known.indexOf(family);
    // More families than hues: the second round lies between the first one's.
    const hue = turn < 0 ? 0 : (HUES[turn % HUES.length] + 15 * Math.floor(turn / HUES.length)) % 360;
    const lightness = count === 1 ? (from + to) / 2 : from + ((to - from) * place) / (count - 1);
    return {
      colour: hex(hue, family === '' ? 0.04 : 0.68, lightness / 100),
      dash: DASHES[place % DASHES.length],
    };
  });
}

function hex(hue: number, saturation: number, lightness: number): string {
  const span = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - span * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return '#' + [0, 8, 4].map((n) => channel(n).toString(16).padStart(2, '0')).join('');
}
