import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fileAddress, folderNames } from './folder-address.ts';

const at = (path: string) => pathToFileURL(path).href;

describe('the address of a file in a folder', () => {
  test.each([
    ['README.md', 'folder://docs/README.md'],
    ['guide/a b.md', 'folder://docs/guide/a%20b.md'],
    ['über/100%.md', 'folder://docs/%C3%BCber/100%25.md'],
    ['what?#1.md', 'folder://docs/what%3F%231.md'],
    ['C:/x.md', 'folder://docs/C:/x.md'],
    ['a(b)&c.md', 'folder://docs/a(b)&c.md'],
  ])('for %s has the module as its host and is a normalized URL', (path, address) => {
    expect(fileAddress('docs', path)).toBe(address);
    expect(new URL(address).href).toBe(address);
    expect(new URL(address)).toMatchObject({ hostname: 'docs', hash: '', search: '' });
  });

  test.each(['3.1', 'docs~v2+x.y_z', '127.0.0.1'])('keeps the module id %s unchanged', (moduleId) => {
    const address = fileAddress(moduleId, 'a.md');
    expect(new URL('b/c.md', address).href).toBe(`folder://${moduleId}/b/c.md`);
    expect(new URL('../../b.md', address).href).toBe(`folder://${moduleId}/b.md`);
  });
});

describe('a file URL of a folder', () => {
  const names = folderNames('docs', ['/srv/link', '/srv/a b/real']);

  test('becomes the address in its module, with its fragment, for each path of the folder', () => {
    expect(names.told(`${at('/srv/link/x/y.md')}#z`)).toBe('folder://docs/x/y.md#z');
    expect(names.told(at('/srv/a b/real/ü %.md'))).toBe(fileAddress('docs', 'ü %.md'));
  });

  test('outside the folder loses its path and is not a page', () => {
    for (const path of ['/srv/other/x.md', '/srv/linked/x.md', '/x.md']) {
      expect(names.told(`${at(path)}#a/b`)).toBe('folder://docs/x.md#a/b');
      expect(names.pageOf(at(path))).toBeUndefined();
    }
    expect(names.told('https://docs.example/x.md')).toBe('https://docs.example/x.md');
  });

  test('resolves for a source that is a single file and for one that is the root directory', () => {
    const one = folderNames('pump', ['/srv/manuals/pump.pdf']);
    expect(one.told(`${at('/srv/manuals/pump.pdf')}#page=3`)).toBe('folder://pump/pump.pdf#page=3');
    const all = folderNames('all', ['/']);
    expect(all.told('file:///etc/x.md')).toBe('folder://all/etc/x.md');
  });
});
