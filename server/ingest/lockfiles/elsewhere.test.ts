import { expect, test } from 'vitest';
import { parseLockfile } from './parse-lockfile.ts';

const entry = (name: string, source: string) =>
  `[[package]]\nname = "${name}"\nversion = "1.2.0"\nsource = ${source}\n`;
const git = 'git+https://name:secret@host.example/o/r';
const commit = '0123456789abcdef';
const atCommit = 'at revision 0123456789ab';

const cargo = [
  entry('a', '"registry+https://github.com/rust-lang/crates.io-index"'),
  entry('b', '"sparse+https://index.crates.io/"'),
  entry('tagged', `"${git}?tag=v1.2#${commit}"`),
  entry('branched', `"${git}.git?branch=main#${commit}"`),
  entry('found', `"${git}#${commit}"`),
  entry('inside', '"sparse+https://crates.inside.example/index/"'),
].join('');

const uv = [
  entry('a', '{ registry = "https://pypi.org/simple" }'),
  entry('b', '{ registry = "https://mirror.example/simple" }'),
  entry('tagged', `{ git = "https://host.example/o/r?subdirectory=x&tag=v1.2#${commit}" }`),
  entry('wheel', '{ url = "https://host.example/wheel-1.2.0-py3-none-any.whl" }'),
  entry('near', '{ path = "../near-1.2.0.tar.gz" }'),
].join('');

const poetry = [
  entry('a', '{ type = "legacy", url = "https://mirror.example/simple", reference = "mirror" }'),
  entry(
    'tagged',
    `{ type = "git", url = "${git.slice(4)}.git", reference = "v1.2", resolved_reference = "${commit}" }`,
  ),
  entry(
    'found',
    `{ type = "git", url = "${git.slice(4)}.git", reference = "0123456", resolved_reference = "${commit}" }`,
  ),
  entry('near', '{ type = "directory", url = "../near" }'),
].join('');

const gems = `GIT
  remote: https://host.example/o/r.git
  revision: ${commit}
  tag: v1.2
  specs:
    tagged (1.2.0)
      b (>= 1)

GIT
  remote: git@host.example:o/s.git
  revision: ${commit}
  specs:
    found (1.2.0)
    also (1.2.0)

GEM
  remote: https://r.example/
  specs:
    a (1.0)
    b (2.0)

DEPENDENCIES
  a
  tagged!
`;

const pipfile = JSON.stringify({
  default: { a: { version: '==1.0' }, g: { git: 'https://host.example/o/r.git', ref: commit } },
});

const source = { type: 'git', url: 'https://host.example/o/r.git', reference: commit };
const composer = JSON.stringify({
  packages: [
    { name: 'v/a', version: '1.0.0', source, 'notification-url': 'https://packagist.org/downloads/' },
    { name: 'v/own', version: '1.0.0', source },
    { name: 'v/near', version: '1.0.0', dist: { type: 'path', url: '../near' } },
  ],
});

const npm = JSON.stringify({
  packages: {
    'node_modules/a': { version: '1.0.0', resolved: 'https://mirror.example/a/-/a-1.0.0.tgz' },
    'node_modules/g': { version: '1.0.0', resolved: 'https://codeload.github.com/o/r/tar.gz/0123' },
  },
});

const yarn = `# yarn lockfile v1

a@^1:
  version "1.0.0"

"@s/g@o/r#v1.2":
  version "1.0.0"

h@o/r:
  version "1.0.0"
`;

const requirements = 'a==1.0\ng[x] @ git+https://name:secret@host.example/o/r@v1.2\n';

/** File name, its text, the locked libraries, and the omitted ones with their origin. */
const files: [string, string, readonly string[], [string, string][]][] = [
  [
    ...(['Cargo.lock', cargo, ['a@1.2.0', 'b@1.2.0']] as const),
    [
      ['tagged 1.2.0', 'https://host.example/o/r at tag v1.2'],
      ['branched 1.2.0', 'https://host.example/o/r.git at branch main'],
      ['found 1.2.0', `https://host.example/o/r ${atCommit}`],
      ['inside 1.2.0', 'sparse+https://crates.inside.example/index/'],
    ],
  ],
  [
    ...(['uv.lock', uv, ['a@1.2.0', 'b@1.2.0']] as const),
    [
      ['tagged', 'https://host.example/o/r at tag v1.2'],
      ['wheel', 'https://host.example/wheel-1.2.0-py3-none-any.whl'],
      ['near', '../near-1.2.0.tar.gz'],
    ],
  ],
  [
    ...(['poetry.lock', poetry, ['a@1.2.0']] as const),
    [
      ['tagged', 'https://host.example/o/r.git at v1.2'],
      ['found', `https://host.example/o/r.git ${atCommit}`],
      ['near', '../near'],
    ],
  ],
  [
    ...(['Gemfile.lock', gems, ['a@1.0', 'b@2.0']] as const),
    [
      ['tagged 1.2.0', 'https://host.example/o/r.git at tag v1.2'],
      ['found 1.2.0', `git@host.example:o/s.git ${atCommit}`],
      ['also 1.2.0', `git@host.example:o/s.git ${atCommit}`],
    ],
  ],
  ['Pipfile.lock', pipfile, ['a@1.0'], [['g', `https://host.example/o/r.git ${atCommit}`]]],
  [
    ...(['composer.lock', composer, ['v/a@1.0.0']] as const),
    [
      ['v/own', `https://host.example/o/r.git ${atCommit}`],
      ['v/near', '../near'],
    ],
  ],
  ['package-lock.json', npm, ['a@1.0.0'], [['g', 'https://codeload.github.com/o/r/tar.gz/0123']]],
  ['requirements.txt', requirements, ['a@1.0'], [['g', 'git+https://host.example/o/r@v1.2']]],
];

test.each(files)(
  'libraries that %s takes from elsewhere are omitted and reported, as a registry name may be a stranger’s',
  (name, text, locked, left) => {
    const { libraries, problems, problemCount } = parseLockfile(name, text);
    expect(libraries.map((one) => `${one.name}@${one.version}`)).toEqual(locked);
    expect(problems).toEqual(left.map(([one, from]) => `${one} comes from ${from} instead of the registry.`));
    expect(problemCount).toBe(left.length);
  },
);

test('a yarn.lock range that abbreviates a GitHub repository is not from the registry', () => {
  const { libraries, problems } = parseLockfile('yarn.lock', yarn);
  expect(libraries.map(({ name }) => name)).toEqual(['a']);
  expect(problems).toEqual(['@s/g@o/r#v1.2 is not taken from the registry.', 'h@o/r is not taken from the registry.']);
});
