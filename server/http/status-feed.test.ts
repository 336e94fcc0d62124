import { expect, test } from 'vitest';
import { statusFeed } from './status-pages.ts';

const at = Date.UTC(2026, 10, 22, 12, 34, 56);
const names = { productName: 'Lectern', publicUrl: 'https://docs.example' };

test('a feed without entries has the current date and stays the same all day', () => {
  const feed = statusFeed([], { ...names, now: at });
  expect(feed).toContain('<updated>2026-11-22T00:00:00Z</updated>');
  expect(statusFeed([], { ...names, now: at + 11 * 3_600_000 })).toBe(feed);
});
