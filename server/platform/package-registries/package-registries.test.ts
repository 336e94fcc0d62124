import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ecosystem } from '#contract/profile.ts';
import { type GitServer, startGitServer } from '#test/services/git-server.ts';
import { type PackageRegistry, startPackageRegistry } from '#test/services/package-registry.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { createOutbound, type Outbound } from '../outbound/index.ts';
import { webAddressOf } from './addresses.ts';
import { createPackageRegistries, type PackageRegistries, publicRegistries } from './index.ts';

let registry: PackageRegistry;
let git: GitServer;
let outbound: Outbound;
let registries: PackageRegistries;

beforeAll(async () => {
  registry = await startPackageRegistry();
  git = await startGitServer(temporaryFolder());
  outbound = createOutbound({ allowHosts: [registry.host, git.host], userAgent: 'SampleBot/1' });
  const kinds = Object.keys(publicRegistries) as Ecosystem[];
  const addresses = Object.fromEntries(
    kinds.map((kind) => [kind, `${registry.url}/${kind}`]),
  ) as typeof publicRegistries;
  registries = createPackageRegistries({ addresses, registries: outbound, outbound });
});
afterAll(async () => {
  await Promise.all([outbound.close(), registry.stop(), git.stop()]);
});

const github = 'https://github.com/owner/name';

test.each<[Ecosystem, string, string, string, unknown, unknown]>([
  [
    ...(['npm', '@scope/name', '1.2.0', '/npm/@scope%2Fname/1.2.0'] as const),
    { homepage: 'https://name.example/docs#readme', repository: { url: 'git+ssh://git@github.com/owner/name.git' } },
    { repository: github, documentation: ['https://name.example/docs'] },
  ],
  [
    ...(['npm', 'name', '1.2.0', '/npm/name/1.2.0'] as const),
    { homepage: `${github}#readme`, repository: 'owner/name' },
    { repository: github, documentation: [] },
  ],
  [
    ...(['pypi', 'zope-interface', '5.0', '/pypi/pypi/zope-interface/5.0/json'] as const),
    {
      info: {
        project_urls: { Documentation: 'https://n.example/', Source: github, Changelog: 'https://c.example/' },
        home_page: 'https://h.example/',
      },
    },
    { repository: github, documentation: ['https://n.example/', 'https://h.example/'] },
  ],
  [
    ...(['crates', 'serde-json', '1.0.1', '/crates/api/v1/crates/serde-json'] as const),
    { crate: { documentation: 'https://docs.rs/serde-json', repository: `${github}/tree/main/json` } },
    { repository: github, documentation: ['https://docs.rs/serde-json/1.0.1/serde_json/'] },
  ],
  [
    ...(['go', 'github.com/Owner/name/v2', 'v2.0.0', '/go/github.com/!owner/name/v2/@v/v2.0.0.info'] as const),
    { Version: 'v2.0.0', Origin: { VCS: 'git', URL: github, Ref: 'refs/tags/v2.0.0' } },
    { repository: github, tag: 'v2.0.0', documentation: ['https://pkg.go.dev/github.com/Owner/name/v2@v2.0.0'] },
  ],
  [
    ...(['rubygems', 'name', '7.0', '/rubygems/api/v2/rubygems/name/versions/7.0.json'] as const),
    {
      documentation_uri: 'https://rubydoc.info/gems/name/7.0',
      source_code_uri: `${github}/tree/v7.0`,
      homepage_uri: '',
    },
    { repository: github, documentation: ['https://rubydoc.info/gems/name/7.0'] },
  ],
  [
    ...(['packagist', 'owner/name', '1.0.0', '/packagist/p2/owner/name.json'] as const),
    {
      packages: {
        'owner/name': [
          { version: 'v2.0.0', source: { url: `${github}.git` }, homepage: 'https://n.example/' },
          { version: 'v1.0.0' },
        ],
      },
    },
    { repository: github, tag: 'v1.0.0', documentation: ['https://n.example/'] },
  ],
])('the declarations by %s of %s %s are read from %s', async (ecosystem, name, version, path, answer, declared) => {
  registry.answers.set(path, answer);
  expect(await registries.declaredFor({ ecosystem, name, version })).toEqual(
    expect.objectContaining({ tag: undefined, ...(declared as object) }),
  );
});

test('missing, broken and unreachable packages are reported in a sentence', async () => {
  const told = (work: Promise<unknown>) => work.then(String, (error: Error) => `${error.name}: ${error.message}`);
  const library = { ecosystem: 'crates' as const, name: 'none', version: '1' };
  expect(await told(registries.declaredFor(library))).toBe('RegistryError: crates.io has no none 1.');
  registry.answers.set('/crates/api/v1/crates/none', 'no object');
  expect(await registries.declaredFor(library)).toMatchObject({ repository: undefined });
  registry.brokenStatus = 503;
  expect(await told(registries.declaredFor(library))).toContain('answered with status 503');
  registry.brokenStatus = undefined;
  const none = createPackageRegistries({ addresses: undefined, registries: outbound, outbound });
  expect(await told(none.declaredFor(library))).toContain('This server does not query registries');
  const closed = { ...publicRegistries, crates: 'http://127.0.0.1:9' };
  const unreached = createPackageRegistries({ addresses: closed, registries: outbound, outbound });
  expect(await told(unreached.declaredFor(library))).toMatch(/^RegistryError: 127\.0\.0\.1:9 could not be queried/);
});

test('the library page of the Python index is used if the version has no page', async () => {
  registry.answers.set('/pypi/pypi/mirrored/2.0/json', undefined);
  registry.answers.set('/pypi/pypi/mirrored/json', { info: { project_urls: { Source: github } } });
  const library = { ecosystem: 'pypi' as const, name: 'mirrored', version: '2.0' };
  expect(await registries.declaredFor(library)).toMatchObject({ repository: github, documentation: [] });
  registry.answers.delete('/pypi/pypi/mirrored/json');
  const asked = registries.declaredFor(library);
  await expect(asked).rejects.toThrow('PyPI has no mirrored 2.0.');
});

test('the tag of a version is found by common release naming', async () => {
  const repository = await git.add('owner/name');
  await repository.commit({ 'README.md': '# Name' });
  for (const tag of ['v1.2.0', 'name@1.3.0', '1.4.0', 'v1.2.0-rc.1']) await repository.tag(tag);
  const find = (version: string) => registries.findTag(repository.url, { name: '@owner/name', version });
  expect(await find('1.2.0')).toBe('v1.2.0');
  expect(await find('v1.2.0')).toBe('v1.2.0');
  expect(await find('1.3.0')).toBe('name@1.3.0');
  expect(await find('1.4.0')).toBe('1.4.0');
  expect(await find('1.2')).toBeUndefined();
  expect(await registries.findTag(`${git.origin}/none.git`, { name: 'none', version: '1' })).toBeUndefined();
});

test.each([
  ['github:owner/name', github],
  ['git://github.com/owner/name.git', github],
  ['git@github.com:owner/name.git', github],
  ['https://www.github.com/owner/name/tree/main/packages/a', github],
  ['gitlab:owner/name', 'https://gitlab.com/owner/name'],
  ['https://gitlab.com/group/sub/name/-/tree/main', 'https://gitlab.com/group/sub/name'],
  ['https://git.example/owner/name.git', 'https://git.example/owner/name.git'],
  ['file:///etc/passwd', undefined],
  ['javascript:alert(1)', undefined],
  ['https://user:password@git.example/x', undefined],
  ['https://github.com/', undefined],
  ['no address', undefined],
])('%s names the repository %s', (text, url) => {
  expect(webAddressOf(text, 'repository')?.url).toBe(url);
});

test('an overlong address is refused', () => {
  expect(webAddressOf(`https://docs.example/${'/'.repeat(1_000_000)}x`, 'repository')).toBeUndefined();
});
