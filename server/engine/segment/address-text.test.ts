import { expect, test } from 'vitest';
import { addressText } from './address-text.ts';

test.each([
  ['https://docs.x.org/3/library/asyncio-task.html', '3 library asyncio-task'],
  ['https://x.org/en/latest/index.html', ''],
  ['https://x.org', ''],
  ['https://x.org/a/b/c/d/e.md?x=1#y', 'c d e'],
  ['https://x.org/Debug%20Files.html', 'Debug Files'],
  ['lectern:folder/setup.rst', 'lectern:folder setup'],
])('%s yields "%s"', (url, text) => {
  expect(addressText(url)).toBe(text);
});
