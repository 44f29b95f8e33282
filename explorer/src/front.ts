/** Places of the points that no other equals or beats in every figure while beating it in one; less is better. */
export function front(points: readonly (readonly number[])[]): number[] {
  const order = points
    .map((_, place) => place)
    .filter((place) => points[place].every((figure) => !Number.isNaN(figure)))
    .sort((a, b) => compare(points[a], points[b]));
  const kept: number[] = [];
  for (const place of order) {
    // Whatever beats a point comes before it in this order.
    if (!kept.some((one) => beats(points[one], points[place]))) kept.push(place);
  }
  return kept.sort((a, b) => a - b);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}

function beats(a: readonly number[], b: readonly number[]): boolean {
  return a.every((figure, i) => figure <= b[i]) && a.some((figure, i) => figure < b[i]);
}
