import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { moduleRow, userRow } from '#test/services/rows.ts';
import { actingInTeam, sampleTeam } from '#test/services/sample-team.ts';
import { servedDuring } from '#test/services/served-during.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { findPins } from './find-pins.ts';
import { getProfile, listProfiles } from './get-profile.ts';
import { moveProfiles, removePersonalProfiles, removeProfile, removeTeamProfiles, setProfile } from './set-profile.ts';
import { replacePins } from './store.ts';

function packageLock(libraries: Record<string, string>, direct = Object.keys(libraries)) {
  const packages: Record<string, unknown> = {
    '': { dependencies: Object.fromEntries(direct.map((name) => [name, '*'])) },
  };
  for (const [name, version] of Object.entries(libraries)) packages[`node_modules/${name}`] = { version };
  return { path: 'package-lock.json', text: JSON.stringify({ packages }) };
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { code: unknown }).code,
  );
const page = { shown: 'all' as const, offset: 0, limit: limits.pinnedLibrariesListed };

onEachDatabase('projects', (kind) => {
  async function people() {
    const db = await freshDatabase(kind);
    const teamId = await sampleTeam(db, { members: { anna: 'admin', bert: 'writer', carl: 'reader' } });
    await db.query
      .insertInto('users')
      .values(userRow({ id: 'dora' }))
      .execute();
    const own: Context & { clock: SettableClock } = {
      ...{ actor: { kind: 'anonymous' }, workspace: null },
      ...{ db, clock: createSettableClock(), log: silentLog, requestId: 'r' },
    };
    const as = (userId: string): Context & { clock: SettableClock } => ({
      ...own,
      actor: { kind: 'user', userId },
      workspace: `user:${userId}`,
    });
    const auditOf = async (): Promise<string[]> =>
      (await db.query.selectFrom('auditLog').select('action').orderBy('createdAt').execute()).map(
        ({ action }) => action,
      );
    return { db, own, teamId, as, auditOf, inTeam: (userId: string) => actingInTeam(own, userId, teamId) };
  }

  test('the lockfiles of a project are pinned, replaced and deleted with it', async () => {
    const { as, auditOf, db } = await people();
    const dora = as('dora');
    const requirements = { path: 'api/requirements.txt', text: 'Django==4.2.1\nflask>=2\n' };
    const first = await setProfile(dora, {
      name: 'shop',
      files: [packageLock({ a: '1.0.0', b: '2.0.0' }, ['a']), requirements],
    });
    expect(first).toMatchObject({
      isChanged: true,
      refused: [],
      profile: { name: 'shop', libraryCount: 3, directCount: 2 },
    });
    expect(first.profile.lockfiles).toEqual([
      {
        path: 'package-lock.json',
        kind: 'package-lock',
        ecosystem: 'npm',
        libraries: 2,
        problems: [],
        problemCount: 0,
      },
      {
        path: 'api/requirements.txt',
        kind: 'requirements',
        ecosystem: 'pypi',
        libraries: 1,
        problems: ['flask>=2 is not pinned to one version.'],
        problemCount: 1,
      },
    ]);
    dora.clock.advance(1_000);
    const second = await setProfile(dora, { name: 'shop', files: [packageLock({ a: '1.1.0' })] });
    expect(second.profile).toMatchObject({ profileId: first.profile.profileId, libraryCount: 1 });
    const { profileId } = second.profile;
    const { libraries, total } = await getProfile(dora, { profileId, ...page });
    expect(libraries.map(({ name, version, isDirect }) => [name, version, isDirect])).toEqual([['a', '1.1.0', true]]);
    expect(total).toBe(1);
    expect(await listProfiles(dora)).toEqual([second.profile]);
    await removeProfile(dora, { profileId });
    expect(await listProfiles(dora)).toEqual([]);
    expect(await db.query.selectFrom('profilePins').selectAll().execute()).toEqual([]);
    expect(await codeOf(removeProfile(dora, { profileId }))).toBe('profile-not-found');
    expect(await auditOf()).toEqual(['profile.set', 'profile.set', 'profile.remove']);
  });

  test('skipped entries are counted and the first ones named, also in projects saved earlier', async () => {
    const { as, db } = await people();
    const dora = as('dora');
    const text = Array.from({ length: 137 }, (_, at) => `library-${at}>=1\n`).join('');
    const input = { name: 'shop', files: [{ path: 'requirements.txt', text }] };
    const told = async () => (await listProfiles(dora))[0]?.lockfiles[0];
    await setProfile(dora, input);
    const lockfile = await told();
    expect(lockfile).toMatchObject({ libraries: 0, problemCount: 137 });
    expect(lockfile?.problems).toHaveLength(20);
    expect(lockfile?.problems[19]).toBe('library-19>=1 is not pinned to one version.');
    const { problemCount: _, ...kept } = lockfile ?? {};
    const before = { ...kept, problems: [...(lockfile?.problems ?? []), '80 more entries were left out.'] };
    await db.query
      .updateTable('profiles')
      .set({ lockfiles: JSON.stringify([before]) })
      .execute();
    expect(await told()).toEqual({ ...lockfile, problemCount: 100 });
  });

  test('setting the same files again, even concurrently, is one change', async () => {
    const { as, auditOf } = await people();
    const dora = as('dora');
    const input = { name: 'shop', files: [packageLock({ a: '1.0.0' })] };
    const both = await Promise.all([setProfile(dora, input), setProfile(dora, input)]);
    expect(both.filter(({ isChanged }) => isChanged)).toHaveLength(1);
    expect((await setProfile(dora, input)).isChanged).toBe(false);
    expect(await listProfiles(dora)).toHaveLength(1);
    expect(await auditOf()).toEqual(['profile.set']);
  });

  test('unreadable files are reported; if none is readable, nothing changes', async () => {
    const { as } = await people();
    const dora = as('dora');
    const bad = { path: 'web/package-lock.json', text: '<<<<<<< HEAD' };
    const { refused, profile } = await setProfile(dora, { name: 'shop', files: [bad, packageLock({ a: '1.0.0' })] });
    expect(refused).toEqual([{ path: 'web/package-lock.json', reason: expect.stringContaining('cannot be read') }]);
    expect(profile.libraryCount).toBe(1);
    expect(await codeOf(setProfile(dora, { name: 'shop', files: [bad] }))).toBe('lockfiles-unreadable');
    expect(await listProfiles(dora)).toEqual([profile]);
  });

  test('readers of a team see its projects but cannot change them; other users see nothing', async () => {
    const { as, inTeam, auditOf } = await people();
    const bert = await inTeam('bert');
    const carl = await inTeam('carl');
    const input = { name: 'shop', files: [packageLock({ a: '1.0.0' })] };
    const { profile } = await setProfile(bert, input);
    expect(await listProfiles(carl)).toEqual([profile]);
    const { profileId } = profile;
    expect(await codeOf(setProfile(carl, input))).toBe('permission-denied');
    expect(await codeOf(removeProfile(carl, { profileId }))).toBe('permission-denied');
    for (const id of [profileId, 'none']) {
      expect(await codeOf(getProfile(as('dora'), { profileId: id, ...page }))).toBe('profile-not-found');
      expect(await codeOf(removeProfile(as('dora'), { profileId: id }))).toBe('profile-not-found');
    }
    expect(await codeOf(listProfiles({ ...bert, actor: { kind: 'anonymous' }, workspace: null }))).toBe(
      'unauthenticated',
    );
    const key: Context = { ...as('dora'), actor: { kind: 'key', userId: 'dora', keyId: 'k', clientKind: null } };
    expect(await codeOf(setProfile(key, input))).toBe('permission-denied');
    expect(await auditOf()).toEqual(['profile.set']);
  });

  test('projects are deleted with their user or team and move with the index', async () => {
    const { as, inTeam, db, teamId } = await people();
    const input = { name: 'shop', files: [packageLock({ a: '1.0.0' })] };
    await setProfile(as('dora'), input);
    await db.transaction((tx) => moveProfiles(tx, 'user:dora', `team:${teamId}`));
    expect(await listProfiles(as('dora'))).toEqual([]);
    expect(await listProfiles(await inTeam('carl'))).toMatchObject([{ name: 'shop', libraryCount: 1 }]);
    await setProfile(as('dora'), input);
    await db.transaction((tx) => moveProfiles(tx, 'user:dora', `team:${teamId}`));
    expect(await listProfiles(as('dora'))).toHaveLength(1);
    await db.transaction((tx) => removeTeamProfiles(tx, teamId));
    expect(await listProfiles(await inTeam('carl'))).toEqual([]);
    await db.transaction((tx) => removePersonalProfiles(tx, 'dora'));
    expect(await db.query.selectFrom('profilePins').selectAll().execute()).toEqual([]);
  });

  test('libraries are listed in parts: direct ones first, by a part of the name, or those not indexed', async () => {
    const { as, db } = await people();
    const dora = as('dora');
    const source = JSON.stringify({ kind: 'git', url: 'https://git.example/owner/kettle.git', seeds: [], maxPages: 1 });
    await db.query
      .insertInto('modules')
      .values(moduleRow({ id: 'm', slug: 'tea-kettle', kind: 'git', source, lastUpdatedAt: 1 }))
      .execute();
    const libraries = { '100%_sure': '1', '100x-sure': '1', kettle: '2', spare: '1', 'tea-kettle': '1', zoo: '1' };
    const direct = ['zoo', 'tea-kettle', '100%_sure', '100x-sure'];
    const { profile } = await setProfile(dora, { name: 'shop', files: [packageLock(libraries, direct)] });
    // The repository's name is its library, so the module stands for "kettle" and not for "tea-kettle".
    expect(profile).toMatchObject({ libraryCount: 6, directCount: 4, indexedCount: 0 });
    const list = async (input: Partial<Parameters<typeof getProfile>[1]>) => {
      const { libraries: listed, total } = await getProfile(dora, { ...page, profileId: profile.profileId, ...input });
      return [listed.map(({ name, answer }) => (answer === null ? name : `${name} (indexed)`)), total];
    };
    const missing = ['100%_sure', '100x-sure', 'tea-kettle', 'zoo'];
    expect(await list({})).toEqual([[...missing, 'kettle (indexed)', 'spare'], 6]);
    expect(await list({ offset: 3, limit: 2 })).toEqual([['zoo', 'kettle (indexed)'], 6]);
    expect(await list({ shown: 'direct', limit: 1 })).toEqual([['100%_sure'], 4]);
    expect(await list({ shown: 'missing' })).toEqual([missing, 4]);
    expect(await list({ words: 'KETTLE' })).toEqual([['tea-kettle', 'kettle (indexed)'], 2]);
    expect(await list({ words: '0%_s' })).toEqual([['100%_sure'], 1]);
    expect(await list({ words: '\\' })).toEqual([[], 0]);
    await setProfile(dora, { name: 'shop', files: [packageLock({ kettle: '2' })] });
    expect(await list({ shown: 'missing' })).toEqual([[], 0]);
    expect(await listProfiles(dora)).toMatchObject([{ directCount: 1, indexedCount: 1 }]);
  });

  test('a search reads one version of each library, of the project updated last', async () => {
    const { as, db } = await people();
    const dora = as('dora');
    const module = {
      rowId: 'm',
      moduleId: 'kettle',
      displayName: '',
      kind: 'pdf' as const,
      url: '',
      library: 'kettle',
    };
    const found = async () => (await findPins(dora, [module])).get('m')?.version;
    const versions = Array.from({ length: 40 }, (_, at) => `kettle==${at}.0\n`).join('');
    const files = [{ path: 'requirements.txt', text: versions }];
    for (const name of ['early', 'late']) await setProfile(dora, { name, files });
    expect(await found()).toBe('39.0');
    const stored = await db.query.selectFrom('profilePins').select('version').where('isPassedOver', '=', 0).execute();
    expect(stored.map(({ version }) => version)).toEqual(['39.0', '39.0']);
    await db.query.updateTable('profilePins').set({ isPassedOver: 0 }).execute();
    expect(await found()).toBe('39.0');
    dora.clock.advance(1_000);
    await setProfile(dora, { name: 'early', files: [{ path: 'requirements.txt', text: 'kettle==7\n' }] });
    expect(await found()).toBe('7');
    await db.query.updateTable('profiles').set({ libraryCount: limits.profileLibrariesMax }).execute();
    expect(await found()).toBe('7');
    const other = { ...module, rowId: 'o', library: 'pot', moduleId: 'pot' };
    // Projects with many libraries are read one after another.
    expect(await servedDuring(() => findPins(dora, [module, other]))).toBeGreaterThan(0);
  });

  test('other requests are served while a project’s libraries are stored', async () => {
    const { as, db } = await people();
    const given = { name: 'shop', files: [packageLock({ a: '1.0.0' })] };
    const { profileId } = (await setProfile(as('dora'), given)).profile;
    const pins = Array.from({ length: 5_000 }, (_, at) => {
      const name = `library-${at}`;
      return { profileId, ecosystem: 'npm', name, matchName: name, version: '1', isDirect: 1, isDev: 0 };
    });
    await db.transaction(async (tx) => {
      expect(await servedDuring(() => replacePins(tx, profileId, pins))).toBeGreaterThan(4);
    });
  });

  test('a project can have 50,000 libraries and no more', async () => {
    const { as } = await people();
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`library-${at}`, '1.0.0']));
    const { profile } = await setProfile(as('dora'), { name: 'large', files: [packageLock(many)] });
    expect(profile.libraryCount).toBe(50_000);
    const other = { path: 'requirements.txt', text: 'x==1' };
    expect(await codeOf(setProfile(as('dora'), { name: 'large', files: [packageLock(many), other] }))).toBe(
      'profile-too-large',
    );
  });
});
