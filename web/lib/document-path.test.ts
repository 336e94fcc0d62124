import { describe, expect, test } from 'vitest';
import { documentPath, placeOfDocument } from '#contract/document-path.ts';

/** Returns the location that the browser reports, after the router has collapsed double slashes. */
function locationOf(path: string) {
  const { pathname, search, hash } = new URL(`http://lectern.example${path}`);
  return { pathname: pathname.replace(/\/{2,}/g, '/'), search, hash };
}

describe('the path of a page in the viewer', () => {
  test.each([
    ['https://docs.python.org/3/library/json.html', 'json.dumps'],
    ['https://docs.example/a%20b/?page=2&lang=en', ''],
    ['https://docs.example/', 'über-uns'],
    ['https://docs.example//twice//slashed', ''],
    ['http://127.0.0.1:8080/x', 'a?b'],
    ['file:///srv/docs/readme.md', 'first'],
    ['folder://handbook/guide/a%20b.md', 'first'],
    ['pdf://manuals/pump.pdf', 'page=12'],
    ['https://github.com/psf/requests/blob/main/README.md', ''],
  ])('can be read back: %s', (address, anchor) => {
    const url = anchor === '' ? address : `${address}#${anchor}`;
    expect(placeOfDocument(locationOf(documentPath(url)))).toMatchObject({ address, anchor });
  });

  test('is /document/ followed by the address', () => {
    expect(documentPath('https://docs.example/a?b=c#d')).toBe('/document/https://docs.example/a?b=c#d');
  });

  test('can be percent-encoded', () => {
    for (const written of [
      encodeURIComponent('https://docs.example/a?b=c#d'),
      'https:%2F%2Fdocs.example%2Fa%3Fb=c#d',
      'https%3A//docs.example/a?b=c#d',
    ]) {
      const place = placeOfDocument(locationOf(`/document/${written}`));
      expect(place).toMatchObject({ address: 'https://docs.example/a?b=c', anchor: 'd' });
    }
  });

  test('keeps the parameters of the viewer apart from the query of the page', () => {
    const path = documentPath('https://docs.example/a?query=page', { moduleId: 'a~2', query: 'a & b', tokens: 500 });
    expect(path).toBe('/document/https://docs.example/a?query=page&~module=a~2&~query=a%20%26%20b&~tokens=500');
    expect(placeOfDocument(locationOf(path))).toEqual({
      address: 'https://docs.example/a?query=page',
      anchor: '',
      moduleId: 'a~2',
      query: 'a & b',
      tokens: 500,
    });
  });

  test('cannot leave the viewer or break out of an attribute', () => {
    expect(documentPath('javascript:alert(1)')).toBe('/document/javascript:alert(1)');
    expect(documentPath('https://x/"><script>\n')).not.toMatch(/["<>\s]/);
  });
});
