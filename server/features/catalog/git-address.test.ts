import { expect, test } from 'vitest';
import { parseGitAddress, repositoryKeyOf } from './git-address.ts';
import { defaultModuleId, parseSource } from './source.ts';

test.each([
  ['https://github.com/psf/requests', 'https://github.com/psf/requests', undefined, undefined],
  ['https://www.github.com/psf/requests/', 'https://github.com/psf/requests', undefined, undefined],
  ['https://github.com/psf/requests.git', 'https://github.com/psf/requests.git', undefined, undefined],
  ['https://github.com/psf/requests/tree/v2.0', 'https://github.com/psf/requests', 'v2.0', undefined],
  [
    'https://github.com/psf/requests/tree/main/docs/user%20guide',
    'https://github.com/psf/requests',
    'main',
    'docs/user guide',
  ],
  ['https://gitlab.com/group/sub/project', 'https://gitlab.com/group/sub/project', undefined, undefined],
  ['https://gitlab.com/g/p/-/tree/main/docs', 'https://gitlab.com/g/p', 'main', 'docs'],
  ['https://gitlab.example.org/g/p', 'https://gitlab.example.org/g/p', undefined, undefined],
  ['https://codeberg.org/o/r/src/branch/main/docs', 'https://codeberg.org/o/r', 'main', 'docs'],
  ['https://bitbucket.org/o/r/src/main/', 'https://bitbucket.org/o/r', 'main', undefined],
  ['https://git.example.org:8443/a/b.git', 'https://git.example.org:8443/a/b.git', undefined, undefined],
  ['git+https://git.example.org/a/b#v1', 'https://git.example.org/a/b', 'v1', undefined],
  ['git+https://git.example.org/a/b#%E0%A4%A', 'https://git.example.org/a/b', '%E0%A4%A', undefined],
  ['git+ssh://git@git.example.org/a/b.git', 'ssh://git@git.example.org/a/b.git', undefined, undefined],
  ['ssh://git@git.example.org:2222/a/b.git', 'ssh://git@git.example.org:2222/a/b.git', undefined, undefined],
  ['git@github.com:psf/requests.git', 'git@github.com:psf/requests.git', undefined, undefined],
])('%s is a repository', (text, url, refName, folder) => {
  expect(parseGitAddress(text)).toEqual(JSON.parse(JSON.stringify({ url, refName, folder })));
  expect(parseSource(text)).toMatchObject({ kind: 'git', url });
});

test.each([
  'https://github.com/psf',
  'https://github.com/features/actions',
  'https://github.com/orgs/psf/repositories',
  'https://github.com/psf/requests/issues/1',
  'https://github.com/psf/requests/blob/main/README.md',
  'https://github.com/psf/requests/wiki',
  'https://gitlab.com/explore/projects',
  'https://gitlab.com/g/p/-/issues',
  'https://docs.github.com/en/rest',
  'https://docs.gitlab.com/ee/user/',
  'https://docs.example.org/guide/',
  'https://docs.example.org/.gitignore',
])('%s is treated as a site', (text) => {
  expect(parseSource(text)).toMatchObject({ kind: 'site' });
});

test.each([
  'ext::sh -c true',
  'file:///etc',
  'git://host/x.git',
  'https://a:b@host/x.git',
  'ssh://git:pw@host/x',
  '-oX@host:x',
  'git@host:x;id',
  'ssh://git@host/%E0%A4%A',
  'ssh://%E0%A4%A@host/x',
  'git+ssh://git@host/%E0%A4%A#%',
  'git+https://host/x.git#%00',
  'https://gitlab.com/g/p/-/tree/main/%00',
  `https://host/${'x'.repeat(2_000)}.git`,
])('%s is refused', (text) => {
  expect(() => parseSource(text)).toThrow(expect.objectContaining({ code: 'source-refused' }));
});

test.each([
  [{ url: 'https://github.com/psf/requests' }, 'github.com~psf~requests'],
  [{ url: 'https://github.com/PSF/Requests.git' }, 'github.com~psf~requests'],
  [{ url: 'git@github.com:psf/requests.git' }, 'github.com~psf~requests'],
  [{ url: 'ssh://git@git.example.org:2222/a/b.git' }, 'git.example.org-2222~a~b'],
  [
    { url: 'https://github.com/psf/requests', ref: { kind: 'tag' as const, name: 'v2.0/x' } },
    'github.com~psf~requests~v2.0-x',
  ],
  [{ url: 'https://github.com/psf/requests', folder: 'docs/user' }, 'github.com~psf~requests~docs~user'],
])('the id of %j', (source, id) => {
  expect(defaultModuleId({ kind: 'git', ...source })).toBe(id);
});

test.each([
  ['http://[::1]/', 'ipv6-0-1'],
  ['http://[::1]:8080/docs/', 'ipv6-0-1-8080~docs'],
  ['https://[2001:DB8::1]/guide/index.html', 'ipv6-2001-db8-0-1~guide'],
  ['https://[fe80::]/', 'ipv6-fe80-0'],
  ['https://[2001:db8:1:2:3:4:5:6]/', 'ipv6-2001-db8-1-2-3-4-5-6'],
  ['http://127.0.0.1:8080/[a]/', '127.0.0.1-8080~a'],
  ['https://[2001:db8::1]:3000/psf/requests.git', 'ipv6-2001-db8-0-1-3000~psf~requests'],
])('the id of %s contains its host', (address, id) => {
  expect(defaultModuleId(parseSource(address))).toBe(id);
});

test('all forms of an address lead to the same repository', () => {
  const forms = [
    'https://github.com/PSF/requests',
    'git@github.com:psf/requests.git',
    'ssh://git@github.com/psf/requests.git/',
  ];
  expect(new Set(forms.map(repositoryKeyOf))).toEqual(new Set(['github.com/psf/requests']));
});
