import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isLockfileName } from '#contract/profile.ts';
import { LockfileError } from './lockfile.ts';
import { lockfileKindOf, parseLockfile } from './parse-lockfile.ts';
import { readLockfiles } from './read-lockfiles.ts';

/** Returns `name@version`, with a star for direct dependencies of the project. */
const read = (fileName: string, text: string): string[] =>
  parseLockfile(fileName, text).libraries.map(
    ({ name, version, isDirect }) => `${name}@${version}${isDirect ? '*' : ''}`,
  );

const failure = (fileName: string, text: string): [string, string] => {
  try {
    parseLockfile(fileName, text);
  } catch (error) {
    if (error instanceof LockfileError) return [error.code, error.message];
    throw error;
  }
  return ['', ''];
};

describe('JavaScript lockfiles', () => {
  it('include package-lock.json in its three formats', () => {
    const packages = {
      '': { dependencies: { a: '^1', alias: 'npm:real@2' }, devDependencies: { '@s/b': '1' } },
      'packages/own': { dependencies: { c: '1' } },
      'node_modules/own': { link: true },
      'node_modules/a': { version: '1.2.0' },
      'node_modules/@s/b': { version: '1.0.0' },
      'node_modules/c': { version: '1.0.0' },
      'node_modules/alias': { name: 'real', version: '2.0.0' },
      'node_modules/a/node_modules/c': { version: '0.9.0' },
      'node_modules/d': { version: '3.0.0' },
    };
    const wanted = ['@s/b@1.0.0*', 'a@1.2.0*', 'c@0.9.0', 'c@1.0.0*', 'd@3.0.0', 'real@2.0.0*'];
    expect(read('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }))).toEqual(wanted);
    expect(read('x/npm-shrinkwrap.json', JSON.stringify({ lockfileVersion: 2, packages }))).toEqual(wanted);
    const dependencies = {
      a: { version: '1.2.0', requires: { c: '1' }, dependencies: { c: { version: '0.9.0' } } },
      c: { version: '1.0.0' },
      g: { version: 'git+https://host.example/g.git#abc' },
    };
    const old = JSON.stringify({ lockfileVersion: 1, dependencies });
    expect(read('package-lock.json', old)).toEqual(['a@1.2.0*', 'c@0.9.0', 'c@1.0.0']);
    expect(parseLockfile('package-lock.json', old).problems[0]).toContain('g comes from git+https');
  });

  it('include pnpm-lock.yaml from version 5 to version 9', () => {
    const nine = `lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      a: { specifier: ^1, version: 1.2.0(b@2.0.0) }\n      al: { specifier: 'npm:@s/r@1', version: '@s/r@1.0.0' }\n  web:\n    devDependencies:\n      own: { specifier: 'workspace:*', version: link:../own }\npackages:\n  a@1.2.0: {}\n  b@2.0.0: {}\n  '@s/r@1.0.0': {}\nsnapshots:\n  a@1.2.0(b@2.0.0): {}\n`;
    expect(read('pnpm-lock.yaml', nine)).toEqual(['@s/r@1.0.0*', 'a@1.2.0*', 'b@2.0.0']);
    const six =
      "lockfileVersion: '6.0'\ndependencies:\n  '@s/a':\n    specifier: ^1\n    version: 1.2.0(b@2.0.0)\npackages:\n  /@s/a@1.2.0(b@2.0.0): {}\n  /b@2.0.0: {}\n";
    expect(read('pnpm-lock.yaml', six)).toEqual(['@s/a@1.2.0*', 'b@2.0.0']);
    const five =
      'lockfileVersion: 5.4\nspecifiers: {}\ndependencies:\n  a: 1.2.0_b@2.0.0\npackages:\n  /a/1.2.0_b@2.0.0: {}\n  /@s/b/2.0.0: {}\n  github.com/x/y/abc: {}\n';
    expect(read('pnpm-lock.yaml', five)).toEqual(['@s/b@2.0.0', 'a@1.2.0*']);
    expect(parseLockfile('pnpm-lock.yaml', five).problems).toHaveLength(1);
  });

  it('include yarn.lock, classic and modern', () => {
    const classic =
      '# yarn lockfile v1\n\n\n"@s/a@^1", "@s/a@^1.1":\n  version "1.2.0"\n  dependencies:\n    b "^2"\n\nb@^2:\n  version "2.0.0"\n\n"al@npm:real@^3":\n  version "3.0.0"\n';
    expect(lockfileKindOf('yarn.lock', classic)).toBe('yarn-lock');
    expect(read('yarn.lock', classic)).toEqual(['@s/a@1.2.0*', 'b@2.0.0', 'real@3.0.0*']);
    const berry =
      '__metadata:\n  version: 8\n\n"a@npm:^1, a@npm:^1.1":\n  version: 1.2.0\n  resolution: "a@npm:1.2.0"\n\n"b@npm:^2":\n  version: 2.0.0\n  resolution: "b@npm:2.0.0"\n\n"root@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "root@workspace:."\n  dependencies:\n    a: "npm:^1"\n';
    expect(lockfileKindOf('yarn.lock', berry)).toBe('yarn-berry-lock');
    expect(read('yarn.lock', berry)).toEqual(['a@1.2.0*', 'b@2.0.0']);
  });
});

describe('Python lockfiles', () => {
  it('include requirements.txt, whose unpinned lines are reported', () => {
    const text =
      'Django[argon2]==4.2.1 ; python_version >= "3.8" \\\n  --hash=sha256:abc\n-r other.txt\n-e .\nflask>=2\nzope.interface===5.0  # why\nx==1.*\n--index-url https://i.example\n';
    expect(read('requirements-dev.txt', text)).toEqual(['django@4.2.1*', 'zope-interface@5.0*']);
    const { problems } = parseLockfile('requirements.txt', text);
    expect(problems).toHaveLength(4);
    expect(problems[0]).toBe('-r other.txt names another file, which is not read; add it too.');
    expect(problems[2]).toBe('flask>=2 is not pinned to one version.');
  });

  it('include compiled requirements, with direct and indirect libraries distinguished', () => {
    const text =
      'a==1.0\n    # via -r requirements.in\nb==2.0\n    # via\n    #   a\n    #   c\nc==3.0  # via a\nd==4.0\n    # via\n    #   -r requirements.in\n    #   a\n';
    expect(read('requirements.txt', text)).toEqual(['a@1.0*', 'b@2.0', 'c@3.0', 'd@4.0*']);
  });

  it('include poetry.lock, uv.lock and Pipfile.lock', () => {
    const poetry =
      '[[package]]\nname = "A_b"\nversion = "1.0"\n[package.dependencies]\nc = ">=1"\n[[package]]\nname = "C"\nversion = "2.0"\n';
    expect(read('poetry.lock', poetry)).toEqual(['a-b@1.0*', 'c@2.0']);
    const uv =
      'version = 1\n[[package]]\nname = "own"\nversion = "0.1"\nsource = { editable = "." }\ndependencies = [{ name = "a" }]\n[package.dev-dependencies]\ndev = [{ name = "t" }]\n[[package]]\nname = "a"\nversion = "1.0"\nsource = { registry = "r" }\n[[package]]\nname = "b"\nversion = "2.0"\n[[package]]\nname = "t"\nversion = "3.0"\n';
    expect(read('uv.lock', uv)).toEqual(['a@1.0*', 'b@2.0', 't@3.0*']);
    const pipfile = {
      default: { a: { version: '==1.0', index: 'pypi' }, b: { version: '==2.0' }, g: { git: 'x' } },
      develop: {},
    };
    expect(read('Pipfile.lock', JSON.stringify(pipfile))).toEqual(['a@1.0*', 'b@2.0']);
  });
});

describe('lockfiles of other languages', () => {
  it('include Cargo.lock, go.mod, Gemfile.lock and composer.lock', () => {
    const cargo =
      '[[package]]\nname = "own"\nversion = "0.1.0"\ndependencies = ["a", "b 2.0.0"]\n[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "registry"\n[[package]]\nname = "b"\nversion = "1.0.0"\nsource = "registry"\n[[package]]\nname = "b"\nversion = "2.0.0"\nsource = "registry"\n';
    expect(read('Cargo.lock', cargo)).toEqual(['a@1.0.0*', 'b@1.0.0', 'b@2.0.0*']);
    const go =
      'module m.example/own\n\ngo 1.22\n\nrequire (\n\ta.example/x v1.2.0\n\tb.example/y/v2 v2.0.0+incompatible // indirect\n)\nrequire c.example/z v0.1.0\nrequire d.example/w v1.0.0\nreplace c.example/z => e.example/z v0.2.0\nreplace d.example/w => ../w\n';
    expect(read('go.mod', go)).toEqual([
      'a.example/x@v1.2.0*',
      'b.example/y/v2@v2.0.0+incompatible',
      'e.example/z@v0.2.0*',
    ]);
    expect(parseLockfile('go.mod', go).problems).toEqual(['d.example/w is replaced by the folder ../w.']);
    const gems =
      'PATH\n  remote: .\n  specs:\n    own (0.1)\n\nGEM\n  remote: https://r.example/\n  specs:\n    a (1.0)\n      b (>= 1)\n    b (2.0-x86_64-linux)\n    b (2.0)\n\nPLATFORMS\n  ruby\n\nDEPENDENCIES\n  a (~> 1)\n  own!\n';
    expect(read('Gemfile.lock', gems)).toEqual(['a@1.0*', 'b@2.0']);
    const composer = {
      packages: [
        { name: 'v/a', version: 'v1.0.0', require: { 'v/b': '^2', php: '>=8' } },
        { name: 'v/b', version: '2.0.0' },
      ],
    };
    expect(read('composer.lock', JSON.stringify(composer))).toEqual(['v/a@1.0.0*', 'v/b@2.0.0']);
  });

  it('include the lockfile of this project', () => {
    const text = readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8');
    const { libraries, problems } = parseLockfile('package-lock.json', text);
    expect(libraries.length).toBeGreaterThan(300);
    expect(libraries.some((one) => one.name === 'zod' && one.isDirect)).toBe(true);
    expect(problems).toEqual([]);
  });
});

describe('unreadable files', () => {
  it('are reported in a full sentence, regardless of the parser message', () => {
    const damaged = {
      'package-lock.json': '{\n  "name": x,\n  "version": 1\n}',
      'composer.lock': '{\n  "a": 1',
      'pnpm-lock.yaml': 'a: b: c\n d',
      'poetry.lock': '[[package',
    };
    const reasons = Object.entries(damaged).map(([name, text]) => failure(name, text)[1]);
    for (const reason of reasons)
      expect(reason).toMatch(/^\S+ cannot be read: [^\n]*[^\s.:]\. Use the original file\.$/);
    expect(reasons[0]).toContain('is not valid JSON.');
  });

  it('are refused with their reason', () => {
    expect(failure('notes.txt', '')).toEqual(['lockfile-unknown', "notes.txt isn't a supported lockfile."]);
    expect(failure('go.mod', 'x'.repeat(10_000_001))).toEqual(['lockfile-too-large', 'go.mod is larger than 10 MB.']);
    for (const [name, text] of [
      ['package-lock.json', '{"packages": '],
      ['pnpm-lock.yaml', 'a: [b'],
      ['poetry.lock', '[[package'],
      ['Cargo.lock', `a = ${'['.repeat(100_000)}`],
      ['composer.lock', '<<<<<<< HEAD'],
    ] as const)
      expect(failure(name, text)).toEqual(['lockfile-damaged', expect.stringContaining(`${name} cannot be read: `)]);
    const lines = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]`);
    expect(failure('pnpm-lock.yaml', `a0: &a0 [x]\n${lines.join('\n')}`)[0]).toBe('lockfile-damaged');
  });

  it('never crash the program, whatever they contain', () => {
    const odd = [
      '',
      '[]',
      'null',
      '1',
      '{"packages": [1, {"a": 2}], "dependencies": "x", "default": 3}',
      '{"__proto__": {"packages": {}}}',
      'a'.repeat(1_000_000),
      '\n  a\n'.repeat(100_000),
    ];
    for (const name of [
      'package-lock.json',
      'pnpm-lock.yaml',
      'yarn.lock',
      'requirements.txt',
      'poetry.lock',
      'uv.lock',
      'Pipfile.lock',
      'Cargo.lock',
      'go.mod',
      'Gemfile.lock',
      'composer.lock',
    ])
      for (const text of odd)
        expect(['', 'lockfile-damaged'], `${name} ${text.slice(0, 20)}`).toContain(failure(name, text)[0]);
  });
});

describe('unusable content', () => {
  it('is omitted if a name or version is impossible or its source is not a registry', () => {
    const names = ['../../up', '..', 'a\u0000b', '\u001b[31mred', '\u202egnp', 'two words', 'a'.repeat(501)];
    const packages = Object.fromEntries([
      ...names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]),
      ['node_modules/q', { version: '1'.repeat(201) }],
      ['node_modules/r', { version: '1.0.0\u001b]0;x\u0007' }],
      ['node_modules/git', { version: '1.0.0', resolved: 'git+ssh://git@host.example/x.git#abc' }],
      ['node_modules/file', { version: '1.0.0', resolved: 'file:../file' }],
      ['node_modules/@s/good', { version: '1.0.0-rc.1+build', resolved: 'https://registry.example/g.tgz' }],
    ]);
    const { libraries, problems } = parseLockfile('package-lock.json', JSON.stringify({ packages }));
    expect(libraries.map(({ name }) => name)).toEqual(['@s/good']);
    expect(problems).toHaveLength(11);
    for (const problem of problems) expect(problem).toMatch(/^[^\p{C}]{1,300}$/u);
    const yarn =
      '# yarn lockfile v1\n\n"own@file:../own":\n  version "0.1.0"\n\n"g@git+https://name:secret@host.example/g.git":\n  version "1.0.0"\n\n"a@^1":\n  version "1.0.0"\n';
    expect(read('yarn.lock', yarn)).toEqual(['a@1.0.0*']);
    const told = parseLockfile('yarn.lock', yarn).problems;
    expect(told).toEqual([
      'own@file:../own is not taken from the registry.',
      'g@git+https://host.example/g.git is not taken from the registry.',
    ]);
  });

  it('is reported if the file is wrong, has another encoding or has merge conflicts', () => {
    const none = 'names no library and does not look like a lockfile of this kind. Use the original file.';
    for (const [name, text] of [
      ['package-lock.json', '[]'],
      ['pnpm-lock.yaml', 'a: 1'],
      ['yarn.lock', '<!doctype html><p>404 not found</p>'],
      ['poetry.lock', ''],
      ['uv.lock', 'a = 1'],
      ['Pipfile.lock', 'null'],
      ['Cargo.lock', ''],
      ['go.mod', 'hello world\n'],
      ['Gemfile.lock', 'hello\n'],
      ['composer.lock', '{}'],
    ] as const)
      expect(failure(name, text)).toEqual(['lockfile-damaged', `${name} ${none}`]);
    const saved = Buffer.from('\ufeffa==1\n', 'utf16le').toString('utf8');
    expect(failure('requirements.txt', saved)[1]).toBe('requirements.txt is not UTF-8. Save it as UTF-8.');
    const merge = '<<<<<<< HEAD\na==1\n=======\na==2\n>>>>>>> other\n';
    expect(failure('requirements.txt', merge)[1]).toContain('has merge conflicts');
    for (const [name, text] of [
      ['requirements.txt', '# nothing yet\n'],
      ['go.mod', 'module x\n\ngo 1.23\n'],
      ['Cargo.lock', 'version = 4\n'],
      ['yarn.lock', '# yarn lockfile v1\n'],
      ['package-lock.json', '{"lockfileVersion":3,"packages":{"":{}}}'],
    ] as const)
      expect(read(name, text)).toEqual([]);
  });
});

describe('the development flag of a library', () => {
  const dev = (fileName: string, text: string) =>
    parseLockfile(fileName, text).libraries.flatMap(({ name, isDev }) => (isDev ? [name] : []));

  it('is set if the file states it', () => {
    const packages = {
      '': { devDependencies: { a: '1' } },
      'node_modules/a': { version: '1.0.0', dev: true },
      'node_modules/b': { version: '1.0.0' },
    };
    expect(dev('package-lock.json', JSON.stringify({ packages }))).toEqual(['a']);
    const pnpm =
      "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      b: { specifier: ^1, version: 1.0.0 }\n    devDependencies:\n      a: { specifier: ^1, version: 1.0.0 }\npackages:\n  a@1.0.0: {}\n  b@1.0.0: {}\n";
    expect(dev('pnpm-lock.yaml', pnpm)).toEqual(['a']);
    expect(
      dev('Pipfile.lock', JSON.stringify({ default: { b: { version: '==1' } }, develop: { a: { version: '==1' } } })),
    ).toEqual(['a']);
    const uv =
      '[[package]]\nname = "own"\nversion = "0"\nsource = { virtual = "." }\ndependencies = [{ name = "b" }]\n[package.dev-dependencies]\ndev = [{ name = "a" }]\n[[package]]\nname = "a"\nversion = "1"\n[[package]]\nname = "b"\nversion = "1"\n';
    expect(dev('uv.lock', uv)).toEqual(['a']);
    expect(
      dev(
        'poetry.lock',
        '[[package]]\nname = "a"\nversion = "1"\ngroups = ["dev"]\n[[package]]\nname = "b"\nversion = "1"\ngroups = ["main", "dev"]\n',
      ),
    ).toEqual(['a']);
    expect(
      dev(
        'composer.lock',
        JSON.stringify({ packages: [{ name: 'v/b', version: '1' }], 'packages-dev': [{ name: 'v/a', version: '1' }] }),
      ),
    ).toEqual(['v/a']);
  });
});

describe('reading in a thread', () => {
  const many = (text: string) => text.repeat(1_000_000 / text.length);
  it.each([
    ['requirements.txt', `a${many(' ')}b`],
    ['requirements.txt', `a #${many(' ')}b\u2028c`],
    ['requirements.txt', `a; b${many(' ')}c`],
    ['go.mod', `module a\n${many('//')}\u2028b`],
    ['go.mod', `module a\nrequire${many(' ')}a\u2028b`],
    ['pnpm-lock.yaml', `lockfileVersion: '6.0'\ndependencies:\n  a: '${many('1')}'\n`],
    ['Gemfile.lock', `GEM\n  specs:\n    a (1${many('-x86')}\u2028)\n`],
  ])('ends for a %s with one very long line, case %#', { timeout: 60_000 }, async (path, text) => {
    const { files } = await readLockfiles([{ path, text }], 'user:anna');
    expect(files[0]?.fault ?? '').not.toContain('took longer');
  });

  it('returns a result for each file and ends slow readings', async () => {
    const files = [
      { path: 'a/requirements.txt', text: 'x==1' },
      { path: 'notes.txt', text: '' },
    ];
    const read = await readLockfiles(files, 'ada');
    expect(read.files.map(({ path, lockfile, fault }) => [path, lockfile?.libraries, fault])).toEqual([
      ['a/requirements.txt', 1, undefined],
      ['notes.txt', undefined, "notes.txt isn't a supported lockfile."],
    ]);
    const slow = await readLockfiles(files, 'ada', { timeoutMs: 1 });
    expect(slow.files[0]?.fault).toBe('Reading took longer than 0.001 seconds and was stopped.');
  });

  it('reads the files of one caller one after another without delaying other callers', async () => {
    const order: string[] = [];
    const slow = [{ path: 'pnpm-lock.yaml', text: '&a '.repeat(20_000) }];
    const readings = Array.from({ length: 9 }, async (_, at) => {
      await readLockfiles(slow, 'mallory', { timeoutMs: 500 });
      order.push(`mallory ${at}`);
    });
    await expect(readLockfiles(slow, 'mallory')).rejects.toMatchObject({ code: 'lockfiles-waiting' });
    await readLockfiles([{ path: 'requirements.txt', text: 'x==1' }], 'ada');
    order.push('ada');
    await Promise.all(readings);
    expect(order.at(-1)).not.toBe('ada');
    expect(order.filter((one) => one !== 'ada')).toEqual(readings.map((_, at) => `mallory ${at}`));
    await readLockfiles([{ path: 'requirements.txt', text: 'x==1' }], 'mallory');
  });

  it('fails only for the files that could not be sent, not for later ones of the caller', async () => {
    // A value that cannot be sent to a thread stands for a thread that cannot be started.
    const broken = readLockfiles([{ path: 'a.lock', text: (() => '') as unknown as string }], 'ada');
    const next = readLockfiles([{ path: 'requirements.txt', text: 'x==1' }], 'ada');
    await expect(broken).rejects.toThrow();
    expect(await next).toMatchObject({ libraries: [{ name: 'x' }] });
  });

  it('sends each library of several files once, and none if a project may not have that many', async () => {
    const file = (folder: string, from: number, to: number) => {
      const text = Array.from({ length: to - from }, (_, at) => `x${from + at}==1`).join('\n');
      return { path: `${folder}/requirements.txt`, text };
    };
    const once = await readLockfiles([file('a', 0, 30_000), file('b', 0, 30_000)], 'ada');
    expect([once.libraries.length, once.libraryCount]).toEqual([30_000, 30_000]);
    expect(once.files.map(({ lockfile }) => lockfile?.libraries)).toEqual([30_000, 30_000]);
    const many = [file('a', 0, 30_000), file('b', 30_000, 60_000), file('c', 60_000, 70_000)];
    const tooMany = await readLockfiles(many, 'ada');
    expect([tooMany.libraries.length, tooMany.libraryCount]).toEqual([0, 60_000]);
    expect(tooMany.files.map(({ path }) => path)).toEqual(['a/requirements.txt', 'b/requirements.txt']);
  });

  it('the location of the fault in a damaged file is reported', () => {
    const [, reason] = failure('pnpm-lock.yaml', `a: 1\n${'&a '.repeat(2_000)}`);
    expect(reason).toContain('at line 2, column 4.');
  });

  it('files that users may choose are recognized by name', () => {
    const names = [
      'package-lock.json',
      'YARN.LOCK',
      'sub/go.mod',
      'requirements-dev.txt',
      'notes.txt',
      'package.json',
      'gems.locked',
      'constraints.txt',
      'Cargo.toml',
    ];
    for (const name of names) expect(isLockfileName(name), name).toBe(lockfileKindOf(name, '') !== undefined);
  });
});
