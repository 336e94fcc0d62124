import { expect, test } from 'vitest';
import { linePath } from './line-path.ts';

test('a line is broken where there is no value, and a value alone is a point', () => {
  const size = { stepWidth: 10, height: 100, top: 100 };
  expect(linePath([10, 20, null, 30, null], size)).toEqual({ line: 'M5 90L15 80', points: 'M35 70h0.01' });
  expect(linePath([null, null], size)).toEqual({ line: '', points: '' });
});
