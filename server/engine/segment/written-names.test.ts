import { expect, test } from 'vitest';
import { unitsOf } from '../analysis/text-units.ts';
import { WrittenNames } from './written-names.ts';

test('names are found by their characters and shape, and none are returned if there are too many', () => {
  const names = new WrittenNames(3000);
  const find = (text: string, shape = 1) => names.find(unitsOf(`(${text})`).codes, 1, text.length + 1, shape);
  const add = (text: string, shape = 1) => names.add(unitsOf(`[${text}]`).codes, 1, text.length + 1, shape);
  expect(find('read')).toBe(-1);
  expect(['read', 'größer', '\u4f60', 'Read'].map((text) => add(text))).toEqual([0, 1, 2, 3]);
  expect(add('read', 2)).toBe(4);
  expect(['read', 'größer', '\u4f60', 'Read', 'rea', 'reads'].map((text) => find(text))).toEqual([0, 1, 2, 3, -1, -1]);
  expect(find('read', 2)).toBe(4);
  const numbers = Array.from({ length: 2995 }, (_, index) => add(`name${index}`));
  expect(numbers.at(-1)).toBe(2999);
  expect(numbers.every((number, index) => find(`name${index}`) === number)).toBe(true);
  expect(add('one more')).toBe(0);
  expect(find('read')).toBe(-1);
  expect(find('name7')).toBe(-1);
});
