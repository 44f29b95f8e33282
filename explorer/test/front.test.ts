import { expect, test } from 'vitest';
import { front } from '../src/front';

test('a point that another equals or beats in every figure is not on the front', () => {
  expect(
    front([
      [1, 9],
      [9, 1],
      [5, 5],
      [6, 6],
      [9, 9],
    ]),
  ).toEqual([0, 1, 2]);
});

test('equal points are on the front together', () => {
  expect(
    front([
      [2, 2],
      [2, 2],
      [2, 3],
    ]),
  ).toEqual([0, 1]);
});

test('a point without a figure is on no front', () => {
  expect(
    front([
      [NaN, 0],
      [1, 1],
    ]),
  ).toEqual([1]);
});

test('the front of random points is that of comparing all with all', () => {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) % 12;
  const points = Array.from({ length: 300 }, () => [random(), random(), random()]);
  const beats = (a: number[], b: number[]) => a.every((x, i) => x <= b[i]) && a.some((x, i) => x < b[i]);
  const slow = points.flatMap((point, i) => (points.some((other) => beats(other, point)) ? [] : [i]));
  expect(front(points)).toEqual(slow);
});
