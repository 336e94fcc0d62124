import { expect, test } from 'vitest';
import { parseAddress } from './page-addresses.ts';

test('the requested address comes first and its fragment is removed', () => {
  expect(parseAddress('https://a.example/x#b%20c')).toMatchObject({ fragment: 'b c' });
  expect(parseAddress('https://a.example/x#b').candidates[0]).toBe('https://a.example/x');
});

test.each([
  ['https://a.example/x/', 'https://a.example/x/index.html'],
  ['https://a.example/x', 'http://a.example/x/'],
  ['https://a.example/x/index.html', 'https://a.example/x/'],
  ['https://a.example/x.html', 'https://a.example/x'],
  ['https://a.example/x?utm_source=y', 'https://a.example/x'],
  ['a.example/x', 'https://a.example/x'],
  ['localhost:8080/x', 'http://localhost:8080/x'],
  [' <https://a.example/x> ', 'https://a.example/x'],
  ['https://a.example', 'https://a.example/index.html'],
  ['https://a.example/x', 'https://a.example/x.md'],
  ['https://a.example/#/guide/start?id=close', 'https://a.example/guide/start.md'],
  ['https://a.example/docs/#/guide/', 'https://a.example/docs/guide/README.md'],
  ['https://a.example/docs/#/', 'https://a.example/docs/README.md'],
])('%j may be indexed as %j', (asked, indexed) => {
  expect(parseAddress(asked).candidates).toContain(indexed);
});

test('the fragment of a route is the section it names; no route leads to another site', () => {
  expect(parseAddress('https://a.example/#/guide/start?id=close').fragment).toBe('close');
  expect(parseAddress('https://a.example/api#/pets/get').fragment).toBe('/pets/get');
  const { candidates } = parseAddress('https://a.example/#//b.example/x');
  expect(candidates.filter((address) => !address.includes('//a.example'))).toEqual([]);
});

test.each(['', 'not an address', 'https://', `https://a.example/${'x'.repeat(5000)}`])('%j is refused', (address) => {
  expect(() => parseAddress(address)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
});

test('an anchor without its page is refused with advice', () => {
  expect(() => parseAddress('#install')).toThrow(/put the address of its page before #install/);
});
