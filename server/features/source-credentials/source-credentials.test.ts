import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { SourceSecret } from '#contract/source-credentials.ts';
import type { Context } from '#server/context.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { userRow } from '#test/services/rows.ts';
import { actingInTeam, leaveSampleTeam, sampleTeam } from '#test/services/sample-team.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { credentialOriginOf } from './credential-origin.ts';
import { deleteCredentials, openCredential, requireCredentialFor } from './index.ts';
import { createSourceCredential, listSourceCredentials, removeSourceCredential } from './source-credentials.ts';

const sealingKeys: SealingKeys = [randomBytes(32)];
const deps = { sealingKeys, allowHosts: ['127.0.0.1:8080'] };
const header: SourceSecret = { kind: 'header', name: 'X-Docs-Token', value: 'tell-nobody' };
const url = 'https://docs.example/guide/';

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { code: unknown }).code,
  );

onEachDatabase('source credentials', (kind) => {
  async function people() {
    const db = await freshDatabase(kind);
    const teamId = await sampleTeam(db, { members: { anna: 'admin', bert: 'writer', carl: 'reader' } });
    await db.transaction((tx) =>
      tx
        .insertInto('users')
        .values(userRow({ id: 'dora' }))
        .execute()
        .then(() => undefined),
    );
    const own: Context & { clock: SettableClock } = {
      ...{ actor: { kind: 'anonymous' }, workspace: null },
      ...{ db, clock: createSettableClock(), log: silentLog, requestId: 'r' },
    };
    const as = (userId: string): Context & { clock: SettableClock } => ({
      ...own,
      actor: { kind: 'user', userId },
      workspace: `user:${userId}`,
    });
    return { db, own, teamId, as, inTeam: (userId: string) => actingInTeam(own, userId, teamId) };
  }

  test('a credential opens only for its host and workspace, and no list or row shows its secret', async () => {
    const { db, as } = await people();
    const dora = as('dora');
    const made = await createSourceCredential(dora, { url, secret: header }, deps);
    expect(made).toMatchObject({
      kind: 'header',
      origin: 'https://docs.example',
      label: 'docs.example',
      lastUsedAt: null,
    });
    expect(await listSourceCredentials(dora)).toEqual([made]);
    const rows = await db.query.selectFrom('sourceCredentials').selectAll().execute();
    expect(JSON.stringify([rows, made])).not.toContain('tell-nobody');
    const use = { credentialId: made.id, workspace: 'user:dora' as const, url };
    expect(await openCredential(dora, use, deps)).toEqual({
      ...{ origin: 'https://docs.example', secret: header, headers: { 'x-docs-token': 'tell-nobody' } },
    });
    expect(await codeOf(openCredential(dora, { ...use, url: 'https://docs.example.evil.example/' }, deps))).toBe(
      'source-credential-unusable',
    );
    expect(await codeOf(openCredential(dora, { ...use, url: 'http://docs.example/' }, deps))).toBe(
      'source-credential-unusable',
    );
    expect(await codeOf(openCredential(dora, { ...use, workspace: 'user:anna' }, deps))).toBe(
      'source-credential-unusable',
    );
    expect(await codeOf(openCredential(dora, use, { sealingKeys: [randomBytes(32)] }))).toBe(
      'source-credential-unusable',
    );
    expect(await codeOf(requireCredentialFor(dora, { ...use, url: 'https://other.example/' }))).toBe('source-refused');
  });

  test('the time of last use is written at most every five minutes', async () => {
    const { as } = await people();
    const dora = as('dora');
    const { id } = await createSourceCredential(dora, { url, secret: header }, deps);
    const use = { credentialId: id, workspace: 'user:dora' as const, url };
    await openCredential(dora, use, deps);
    const usedAt = dora.clock.now();
    dora.clock.advance(60_000);
    await openCredential(dora, use, deps);
    expect((await listSourceCredentials(dora))[0]?.lastUsedAt).toBe(usedAt);
    dora.clock.advance(5 * 60_000);
    await openCredential(dora, use, deps);
    expect((await listSourceCredentials(dora))[0]?.lastUsedAt).toBe(dora.clock.now());
  });

  test('a sealed secret moved to another row cannot be opened', async () => {
    const { db, as } = await people();
    const dora = as('dora');
    const one = await createSourceCredential(dora, { url, secret: header }, deps);
    const other = await createSourceCredential(dora, { url: 'https://evil.example/', secret: header }, deps);
    const { sealed } = await db.query
      .selectFrom('sourceCredentials')
      .select('sealed')
      .where('id', '=', one.id)
      .executeTakeFirstOrThrow();
    await db.query.updateTable('sourceCredentials').set({ sealed }).where('id', '=', other.id).execute();
    const use = { credentialId: other.id, workspace: 'user:dora' as const, url: 'https://evil.example/' };
    expect(await codeOf(openCredential(dora, use, deps))).toBe('source-credential-unusable');
  });

  test('writers of a team can store and remove credentials; readers, other users and agents have no access', async () => {
    const { own, as, inTeam, teamId, db } = await people();
    const bert = await inTeam('bert');
    const { id } = await createSourceCredential(bert, { url, secret: header, label: 'Docs' }, deps);
    expect((await listSourceCredentials(await inTeam('anna'))).map(({ label }) => label)).toEqual(['Docs']);
    const carl = await inTeam('carl');
    const removal = { credentialId: id };
    expect(await codeOf(listSourceCredentials(carl))).toBe('permission-denied');
    expect(await codeOf(createSourceCredential(carl, { url, secret: header }, deps))).toBe('permission-denied');
    expect(await codeOf(removeSourceCredential(carl, removal))).toBe('permission-denied');
    expect(await codeOf(listSourceCredentials(own))).toBe('unauthenticated');
    const agent: Context = { ...bert, actor: { kind: 'key', userId: 'bert', keyId: 'k', clientKind: null } };
    expect(await codeOf(listSourceCredentials(agent))).toBe('permission-denied');
    expect(await codeOf(removeSourceCredential(as('dora'), removal))).toBe('source-credential-not-found');
    expect(await codeOf(removeSourceCredential(as('dora'), { credentialId: 'none' }))).toBe(
      'source-credential-not-found',
    );
    expect(await listSourceCredentials(as('dora'))).toEqual([]);
    await leaveSampleTeam(db, teamId, 'bert');
    expect(await codeOf(removeSourceCredential(bert, removal))).toBe('team-not-found');
    const anna = await inTeam('anna');
    const outcomes = await Promise.all([
      codeOf(removeSourceCredential(anna, removal)),
      codeOf(removeSourceCredential(anna, removal)),
    ]);
    expect(outcomes.sort()).toEqual(['none', 'source-credential-not-found']);
    const actions = await db.query.selectFrom('auditLog').select(['action', 'detail', 'teamId']).execute();
    const detail = JSON.stringify({ kind: 'header', origin: 'https://docs.example' });
    expect(actions).toEqual(
      expect.arrayContaining([
        { action: 'source-credential.add', detail, teamId },
        { action: 'source-credential.remove', detail, teamId },
      ]),
    );
  });

  test('a workspace can have a limited number of credentials', async () => {
    const { as, db } = await people();
    const dora = as('dora');
    const row = { workspace: 'user:dora' as const, kind: 'header' as const, origin: 'https://a.example', label: 'a' };
    const rows = Array.from({ length: limits.sourceCredentialsMax }, (_, index) => ({
      ...{ ...row, id: `c${index}`, sealed: '', createdAt: index, createdByUserId: 'dora' },
    }));
    await db.query.insertInto('sourceCredentials').values(rows).execute();
    expect(await codeOf(createSourceCredential(dora, { url, secret: header }, deps))).toBe('source-credential-refused');
    await db.query.deleteFrom('sourceCredentials').where('id', 'in', ['c0', 'c1', 'c2']).execute();
    const add = () => codeOf(createSourceCredential(dora, { url, secret: header }, deps));
    const outcomes = await Promise.all(Array.from({ length: 8 }, add));
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(3);
    await db.transaction((tx) => deleteCredentials(tx, 'user:dora'));
    expect(await listSourceCredentials(dora)).toEqual([]);
  });

  test.each<[string, SourceSecret, string]>([
    ['https://docs.example', { kind: 'header', name: 'Host', value: 'x' }, 'cannot carry a credential'],
    ['https://docs.example', { kind: 'header', name: 'Content-Length', value: '1' }, 'cannot carry a credential'],
    ['https://docs.example', { kind: 'header', name: 'a b', value: 'x' }, 'not a header name'],
    ['https://docs.example', { kind: 'header', name: 'a', value: 'x\r\nHost: evil.example' }, 'line break'],
    ['https://docs.example', { kind: 'cookie', value: 'no pair' }, 'name=value'],
    ['https://docs.example', { kind: 'cookie', value: 'a=b\nc' }, 'line break'],
    ['https://docs.example', { kind: 'basic', username: 'a:b', password: 'c' }, 'no colon'],
    ['https://git.example', { kind: 'token', token: 'a\nb' }, 'line break'],
    ['ssh://git.example/x', { kind: 'ssh-key', privateKey: 'ssh-ed25519 AAAA' }, 'not a private key'],
    ['ssh://git.example/x', header, 'needs a private key'],
    ['https://git.example', { kind: 'ssh-key', privateKey: sampleKey() }, 'only with SSH addresses'],
    ['http://docs.example/', header, 'unencrypted'],
    ['ftp://docs.example/', header, 'give an address'],
    ['docs', header, 'give an address'],
  ])('%s with %o is refused: %s', async (address, secret, words) => {
    const { as } = await people();
    const work = createSourceCredential(as('dora'), { url: address, secret }, deps);
    await expect(work).rejects.toMatchObject({
      code: 'source-credential-refused',
      message: expect.stringContaining(words),
    });
  });

  test('plain http is accepted for hosts that the operator allows', async () => {
    const { as } = await people();
    const made = await createSourceCredential(as('dora'), { url: 'http://127.0.0.1:8080/x', secret: header }, deps);
    expect(made.origin).toBe('http://127.0.0.1:8080');
  });
});

test.each([
  ['https://Docs.Example/a?b#c', 'https://docs.example'],
  ['https://docs.example:8443/', 'https://docs.example:8443'],
  ['git+https://git.example/x.git', 'https://git.example'],
  ['ssh://git@Git.example:2222/x', 'ssh://git.example:2222'],
  ['git@git.example:team/x.git', 'ssh://git.example:22'],
  ['file:///etc/passwd', undefined],
  ['/etc/passwd', undefined],
])('%s has the origin %s', (address, origin) => {
  expect(credentialOriginOf(address)).toBe(origin);
});

function sampleKey(): string {
  const body = 'b3BlbnNzaC1rZXktdjEAAAAA';
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${body}\n-----END OPENSSH PRIVATE KEY-----\n`;
}
