import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JobRun } from '#contract/library.ts';
import { listModules } from '#server/features/catalog/index.ts';
import { listJobs } from '#server/features/indexing/index.ts';
import { cancelJob, getJob } from '#server/features/indexing/jobs.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { until } from '#test/services/until.ts';
import { openRepositoryRig } from './repository-rig.ts';

const guide = (text: string) => `# Guide\n\n${text}\n`;

function reasonsOf(job: JobRun): Record<string, string[]> {
  return Object.fromEntries(job.skipReasons.map(({ reason, examples }) => [reason, examples]));
}

onEachDatabase('a repository', (kind) => {
  test('is read completely at first, under its files’ addresses, with skipped files and the reasons', async () => {
    const rig = await openRepositoryRig({ kind });
    const repository = await rig.server.add('team/handbook');
    const revision = await repository.commit({
      'README.md': '# Handbook\n\nHow the frobnicator is oiled.',
      'docs/größe.md': guide('Sizes of umbrellas.'),
      'src/oil.py': 'def oil():\n    """Oils the frobnicator."""\n',
      'logo.png': Buffer.from([0x89, 0x50, 0, 1]),
      'data.txt': Buffer.from([1, 0, 2, 0]),
      'large.md': 'x'.repeat(5_000_001),
      'empty.md': '',
      'model.md': 'version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 123\n',
      'vendor/lib/README.md': '# Other',
      'tests/data/page.md': '# Not for readers',
      'package-lock.json': '{}',
      '.github/x.md': '# Hidden',
      'link.md': { linkTo: 'README.md' },
      'other\nname.md': '# Odd',
      module: { submoduleAt: 'c'.repeat(40) },
    });
    const job = await rig.index(repository.url);
    expect(job).toMatchObject({ status: 'COMPLETE', kind: 'git', found: 15, fetched: 3, failed: 0, error: null });
    expect(job.moduleId).toMatch(/^127\.0\.0\.1-\d+~team~handbook$/);
    expect(reasonsOf(job)).toEqual({
      ...{ binary: ['logo.png', 'data.txt'], 'too-large': ['large.md'], empty: ['empty.md'] },
      ...{ 'lfs-pointer': ['model.md'], vendored: ['vendor/lib/README.md'], generated: ['package-lock.json'] },
      ...{ hidden: ['.github/x.md'], 'symbolic-link': ['link.md'], submodule: ['module'] },
      ...{ 'bad-name': ['other\\nname.md'], 'not-documentation': ['tests/data/page.md'] },
    });
    const base = `${rig.server.origin}/team/handbook.git/main`;
    expect(await rig.read(`${base}/README.md`)).toContain('frobnicator');
    expect(await rig.read(`${base}/docs/gr%C3%B6%C3%9Fe.md`)).toContain('umbrellas');
    expect(await rig.read(`${base}/src/oil.py`)).toContain('Oils the frobnicator');
    const found = await rig.shelf.findPage(rig.ctx, `${base}/README.md`);
    expect(found?.segment.page(found.pageIndex)).toMatchObject({ revision });
    expect(readdirSync(rig.workFolder)).toEqual([]);
    expect(await rig.ctx.db.query.selectFrom('repositories').selectAll().execute()).toMatchObject([
      { revision, revisionJobId: job.id, url: repository.url, refName: null, checkError: null },
    ]);
  });

  test('that changed is read again only where it changed, whatever happened to its history', async () => {
    const rig = await openRepositoryRig({ kind });
    const repository = await rig.server.add('team/handbook');
    const files = { 'README.md': '# Handbook', 'a.md': guide('Apples.'), 'b.md': guide('Bananas.') };
    await repository.commit(files);
    await rig.index(repository.url);
    const base = `${rig.server.origin}/team/handbook.git/main`;

    expect(await rig.index(repository.url)).toMatchObject({ status: 'COMPLETE', fetched: 0, unchanged: 3 });
    const read = rig.server.requests.length;
    expect(await rig.index(repository.url)).toMatchObject({ unchanged: 3 });
    // Branch name and tree take three requests: no content is fetched.
    const asked = rig.server.requests.slice(read).filter((request) => request.startsWith('POST'));
    expect(asked).toHaveLength(3);
    await repository.commit({ 'a.md': guide('Apricots.'), 'b.md': null, 'c.md': guide('Cherries.') });
    expect(await rig.index(repository.url)).toMatchObject({ status: 'COMPLETE', fetched: 2, unchanged: 1 });
    expect(await rig.read(`${base}/a.md`)).toContain('Apricots');
    expect(await rig.read(`${base}/b.md`)).toBeUndefined();

    await repository.commit({ ...files, 'a.md': guide('Almonds.') }, { isRewrite: true });
    expect(await rig.index(repository.url)).toMatchObject({ status: 'COMPLETE', fetched: 2, unchanged: 1 });
    expect(await rig.read(`${base}/a.md`)).toContain('Almonds');
    expect(await rig.read(`${base}/c.md`)).toBeUndefined();
  });

  test('resolves its files’ includes from the whole repository, and reads an included file’s changes', async () => {
    const rig = await openRepositoryRig({ kind });
    const repository = await rig.server.add('team/handbook');
    const part = (name: string) => `intro\n# --8<-- [start:part]\n${name}()\n# --8<-- [end:part]\n`;
    await repository.commit({
      'docs/guide.md': '# Guide\n\n```python\n--8<-- "../src/run.py:part"\n```\n\n{! shared/note.md !}\n',
      'docs/shared/note.md': 'See also {! ../../outer.md !}.\n\n{! ../../outer.md !}\n',
      'docs/plain.md': guide('Apples.'),
      'outer.md': 'Written outside.',
      'src/run.py': part('oil'),
    });
    const input = { folder: 'docs' };
    expect(await rig.index(repository.url, input)).toMatchObject({ status: 'COMPLETE', fetched: 3 });
    const address = `${rig.server.origin}/team/handbook.git/main/docs/guide.md`;
    expect(await rig.read(address)).toMatch(/```python\noil\(\)\n```[^]*Written outside/);
    expect(await rig.index(repository.url, input)).toMatchObject({ fetched: 0, unchanged: 3 });
    await repository.commit({ 'src/run.py': part('grease') });
    expect(await rig.index(repository.url, input)).toMatchObject({ status: 'COMPLETE', fetched: 1, unchanged: 2 });
    expect(await rig.read(address)).toContain('grease()');
  });

  test('with a renamed branch, or deleted, fails with the next step and stays served', async () => {
    const rig = await openRepositoryRig({ kind });
    const repository = await rig.server.add('team/handbook');
    await repository.commit({ 'README.md': guide('Apples.') });
    const input = { ref: { kind: 'branch' as const, name: 'main' } };
    const job = await rig.index(repository.url, input);
    expect(job.moduleId).toMatch(/~team~handbook~main$/);
    await repository.renameBranch('main', 'trunk');
    const renamed = await rig.index(repository.url, input);
    expect(renamed).toMatchObject({ status: 'FAILED' });
    expect(renamed.error).toBe('There is no branch "main" in the repository. Choose one of: trunk.');
    await repository.remove();
    const deleted = await rig.index(repository.url, input);
    expect(deleted.error).toMatch(/^The repository was not found on 127.0.0.1:\d+, or it was deleted/);
    expect(await rig.read(`${rig.server.origin}/team/handbook.git/main/README.md`)).toContain('Apples');
    expect(await listModules(rig.ctx)).toMatchObject([{ kind: 'git', pageCount: 1 }]);
  });

  test('is read from the named part, by a tag or the address of a folder too', async () => {
    const rig = await openRepositoryRig({ kind });
    const repository = await rig.server.add('team/handbook');
    await repository.commit({ 'README.md': '# Root', 'docs/v/a.md': guide('First edition.') });
    await repository.tag('v1');
    await repository.commit({ 'docs/v/a.md': guide('Second edition.') }, { branch: 'next/docs' });
    const byTag = { ref: { kind: 'tag' as const, name: 'v1' }, folder: '/docs/' };
    expect(await rig.index(repository.url, byTag)).toMatchObject({ status: 'COMPLETE', fetched: 1 });
    const base = `${rig.server.origin}/team/handbook.git`;
    expect(await rig.read(`${base}/v1/docs/v/a.md`)).toContain('First');
    // In …/tree/next/docs/docs only the repository knows where the branch name ends.
    const split = { ref: { kind: 'branch' as const, name: 'next' }, folder: 'docs/docs' };
    expect(await rig.index(repository.url, split)).toMatchObject({ status: 'COMPLETE', fetched: 1 });
    expect(await rig.read(`${base}/next/docs/docs/v/a.md`)).toContain('Second');
    const nowhere = await rig.index(repository.url, { folder: 'nowhere' });
    expect(nowhere.error).toContain('There is no folder "nowhere"');
  });

  test('that is private is read with its workspace’s credential and no other', async () => {
    const rig = await openRepositoryRig({ kind });
    for (const id of ['anna', 'bert']) {
      await rig.ctx.db.query.insertInto('users').values({ id, createdAt: 0 }).execute();
    }
    const [anna, bert] = [rig.as('anna'), rig.as('bert')];
    const repository = await rig.server.add('team/secret');
    await repository.commit({ 'README.md': guide('Secret sauce.') });
    repository.restrictTo('x-access-token:right');
    const credentialId = await rig.storeToken(anna, 'right');
    const visibility = 'private' as const;
    await rig.start(repository.url, { visibility, credentialId }, anna);
    expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', fetched: 1 });
    const url = `${rig.server.origin}/team/secret.git/main/README.md`;
    expect(await rig.read(url, anna)).toContain('Secret sauce');
    expect(await rig.read(url, bert)).toBeUndefined();
    await expect(rig.start(repository.url, { visibility, credentialId }, bert)).rejects.toMatchObject({
      code: 'source-credential-not-found',
    });
    await rig.start(repository.url, { visibility }, bert);
    const refused = await rig.runNext();
    expect(refused).toMatchObject({ status: 'FAILED', error: expect.stringContaining('Store a token or password') });
    const wrong = await rig.storeToken(bert, 'wr0ng');
    await rig.start(repository.url, { visibility, credentialId: wrong }, bert);
    const refusedAgain = await rig.runNext();
    expect(refusedAgain.error).toContain('does not accept the stored credential');
    expect(JSON.stringify(refusedAgain)).not.toContain('wr0ng');
  });
});

test('only the documentation of a large repository is read', async () => {
  const rig = await openRepositoryRig();
  const repository = await rig.server.add('team/large');
  const code = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, index) => [`src/${index}.zig`, `const x = ${index};`]),
  );
  await repository.commit({
    ...code,
    ...{
      'README.md': '# Large',
      'src/README': 'Plain words.',
      'docs/a.rst': 'Title\n=====\n\nText.',
      'notes.txt': 'Notes.',
      'docs/pour.xml': '<chapter xmlns="http://docbook.org/ns/docbook"><title>Pour</title><para>&cup;</para></chapter>',
      'entities/entities.php.ent': '<entities><entity name="cup">Into a cup.</entity></entities>',
      'src/data.xml': '<cups><cup/></cups>',
    },
    'lib/oil.py': 'def oil(can):\n    """Oils the frobnicator from a can."""\n',
    'lib/bare.py': 'def bare(can):\n    pass\n',
    'api/openapi.yaml': 'openapi: 3.1.0\ninfo: {title: Umbrellas, version: "1"}\npaths: {}\n',
  });
  const job = await rig.index(repository.url);
  expect(job).toMatchObject({ status: 'COMPLETE', fetched: 6 });
  expect(job.skipReasons).toMatchObject([{ reason: 'not-documentation', count: 2_004 }]);
  const base = `${rig.server.origin}/team/large.git/main`;
  expect(await rig.read(`${base}/lib/oil.py`)).toContain('from a can');
  expect(await rig.read(`${base}/docs/pour.xml`)).toContain('Into a cup.');
});

test('a Writerside project gets its variables, snippets and code from all its folders', async () => {
  const rig = await openRepositoryRig();
  const repository = await rig.server.add('team/kettle');
  const libraryOf = (name: string) =>
    `<topic id="${name}"><snippet id="part"><code-block lang="kotlin" src="Main.kt" include-lines="2"/></snippet></topic>`;
  await repository.commit({
    'writerside.cfg': '<ihp><vars src="v.list"/><snippets src="samples"/></ihp>',
    'v.list': '<vars><var name="version" value="2.1"/></vars>',
    'samples/Main.kt': 'package tea\nfun main() = boil()\n',
    'parts/lib.topic': libraryOf('lib'),
    'topics/own.topic': libraryOf('own'),
    'topics/boil.md': '# Boil\n\nKettle %version%.\n\n<include from="parts/lib.topic" element-id="part"/>\n',
    'topics/pour.topic':
      '<topic title="Pour"><p>Pour %version%.</p>\n<include from="own.topic" element-id="part"/>\n</topic>',
  });
  const job = await rig.index(repository.url, { folder: 'topics' });
  expect(job).toMatchObject({ status: 'COMPLETE', fetched: 2 });
  expect(reasonsOf(job)).toEqual({ 'not-documentation': ['own.topic'] });
  const base = `${rig.server.origin}/team/kettle.git/main/topics`;
  expect(await rig.read(`${base}/boil.md`)).toMatch(/Kettle 2\.1\.\n\n```kotlin\nfun main\(\) = boil\(\)\n```/);
  expect(await rig.read(`${base}/pour.topic`)).toMatch(/Pour 2\.1\.\n\n```kotlin\nfun main\(\) = boil\(\)\n```/);
});

test('skipped files are not fetched again, and are skipped for the same reason', async () => {
  const rig = await openRepositoryRig();
  const repository = await rig.server.add('team/handbook');
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 123\n';
  await repository.commit({ 'a.md': guide('Apples.'), 'b.md': guide('Bananas.'), 'large.md': 'x'.repeat(5_000_001) });
  await rig.index(repository.url);
  const count = () => rig.server.requests.length;
  const before = count();
  await rig.index(repository.url);
  const withoutChange = count() - before;
  await repository.commit({ 'b.md': pointer });
  const job = await rig.index(repository.url);
  expect(reasonsOf(job)).toEqual({ 'lfs-pointer': ['b.md'], 'too-large': ['large.md'] });
  expect(job).toMatchObject({ status: 'COMPLETE', fetched: 0, unchanged: 1 });
  expect(await rig.read(`${rig.server.origin}/team/handbook.git/main/b.md`)).toBeUndefined();
  const middle = count();
  await rig.index(repository.url);
  const again = count();
  expect(reasonsOf(await rig.index(repository.url))).toEqual({ 'lfs-pointer': ['b.md'], 'too-large': ['large.md'] });
  expect(again - middle).toBeGreaterThan(withoutChange);
  expect(count() - again).toBe(withoutChange);
});

test('the page limit cuts off code before documentation', async () => {
  const rig = await openRepositoryRig();
  const repository = await rig.server.add('team/handbook');
  await repository.commit({ 'a.py': 'a = 1', 'b.py': 'b = 1', 'z.md': guide('Zebras.') });
  const job = await rig.index(repository.url, { maxPages: 2 });
  expect(reasonsOf(job)).toEqual({ 'page-limit': ['b.py'] });
});

test('a repository that is empty or has no readable files reports it', async () => {
  const rig = await openRepositoryRig();
  const repository = await rig.server.add('team/empty');
  expect((await rig.index(repository.url)).error).toContain('The repository is empty');
  await repository.commit({ 'logo.png': 'x' });
  expect((await rig.index(repository.url)).error).toMatch(
    /There is nothing to read.* Left out: logo\.png \(not text\)\./,
  );
});

test('a run cancelled half-way leaves nothing behind, and the old version is still served', async () => {
  const rig = await openRepositoryRig();
  const repository = await rig.server.add('team/handbook');
  await repository.commit({ 'README.md': guide('Apples.') });
  await rig.index(repository.url);
  await repository.commit({ 'README.md': guide('Pears.') });
  let isHeld = false;
  rig.server.onRequest = (request) => {
    if (request.method !== 'POST') return false;
    isHeld = true;
    return new Promise(() => {});
  };
  const { id: jobId } = await rig.start(repository.url);
  const running = rig.runNext();
  await until('it is fetching', () => isHeld);
  await cancelJob(rig.ctx, { jobId }, rig.notices);
  expect(await running).toMatchObject({ status: 'FAILED', isCancelled: true });
  expect(readdirSync(rig.workFolder)).toEqual([]);
  expect(await rig.read(`${rig.server.origin}/team/handbook.git/main/README.md`)).toContain('Apples');
  expect(await getJob(rig.ctx, { jobId })).toMatchObject({ isCancelled: true });
  expect(await listJobs(rig.ctx)).toHaveLength(2);
});
