import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fileAddress, folderNames } from './folder-address.ts';

const at = (path: string) => pathToFileURL(path).href;

describe('the address of a page of a folder', () => {
  test.each([
    ['README.md', 'folder://docs/README.md'],
    ['guide/a b.md', 'folder://docs/guide/a%20b.md'],
    ['über/100%.md', 'folder://docs/%C3%BCber/100%25.md'],
    ['what?#1.md', 'folder://docs/what%3F%231.md'],
    ['C:/x.md', 'folder://docs/C:/x.md'],
    ['a(b)&c.md', 'folder://docs/a(b)&c.md'],
  ])('of the file %s has its module in place of a host and is whole as it stands', (path, address) => {
    expect(fileAddress('docs', path)).toBe(address);
    expect(new URL(address).href).toBe(address);
    expect(new URL(address)).toMatchObject({ hostname: 'docs', hash: '', search: '' });
  });

  test.each(['3.1', 'docs~v2+x.y_z', '127.0.0.1'])('keeps the id %s of a module as it is', (moduleId) => {
    const address = fileAddress(moduleId, 'a.md');
    expect(new URL('b/c.md', address).href).toBe(`folder://${moduleId}/b/c.md`);
    expect(new URL('../../b.md', address).href).toBe(`folder://${moduleId}/b.md`);
  });
});

describe('a file that is named by where it lies', () => {
  const names = folderNames('docs', ['/srv/link', '/srv/a b/real']);

  test('is named by the module, with its fragment, whichever path the folder had', () => {
    expect(names.told(`${at('/srv/link/x/y.md')}#z`)).toBe('folder://docs/x/y.md#z');
    expect(names.told(at('/srv/a b/real/ü %.md'))).toBe(fileAddress('docs', 'ü %.md'));
  });

  test('elsewhere is named without its path, and is no page', () => {
    for (const path of ['/srv/other/x.md', '/srv/linked/x.md', '/x.md']) {
      expect(names.told(`${at(path)}#a/b`)).toBe('folder://docs/x.md#a/b');
      expect(names.pageOf(at(path))).toBeUndefined();
    }
    expect(names.told('https://docs.example/x.md')).toBe('https://docs.example/x.md');
  });

  test('is one file where that is the source, and all of the machine where its root is', () => {
    const one = folderNames('pump', ['/srv/manuals/pump.pdf']);
    expect(one.told(`${at('/srv/manuals/pump.pdf')}#page=3`)).toBe('folder://pump/pump.pdf#page=3');
    const all = folderNames('all', ['/']);
    expect(all.told('file:///etc/x.md')).toBe('folder://all/etc/x.md');
  });
});
