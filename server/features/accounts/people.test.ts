import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { browserAt, openIdentitySample, refusal, type SampleContext } from '#test/services/sample-identity.ts';
import { listInstallationAudit } from '../teams/list-audit.ts';
import { confirmReset } from './password-reset.ts';
import { createPasswordLink, createPerson, deletePerson, endSessionsOf, listPeople, updatePerson } from './people.ts';
import { signInWithEmail } from './sign-in-with-email.ts';
import { ensureLocalOwner } from './store.ts';
import { listSessions, personOfWebSession } from './web-session.ts';

const password = 'correct horse';
const deletion = {
  requireNoDependants: async () => undefined,
  leaving: async () => undefined,
  deleted: async () => undefined,
};

onEachDatabase('managing the accounts of an installation', (kind) => {
  async function openSample() {
    const sample = await openIdentitySample(kind);
    const ownerId = await ensureLocalOwner(sample.visitor.db, sample.visitor.clock);
    const operator = sample.as({ kind: 'operator', userId: ownerId });
    const signIn = (email: string, word = password) =>
      signInWithEmail(sample.visitor, { email, password: word }, browserAt(), sample.deps);
    const actions = async () => {
      const { entries } = await listInstallationAudit(operator, { limit: 100 });
      return entries.map(({ action, actor, entityName }) => `${actor?.displayName}: ${action} ${entityName}`);
    };
    return { ...sample, operator, ownerId, signIn, actions };
  }

  test('an invited user sets a password by the link, which verifies the address, even if sign-up is closed', async () => {
    const { operator, deps, mailsTo, visitor, signIn, created } = await openSample();
    const input = { email: ' Bea@Docs.example', displayName: 'Bea', isInvited: true };
    const { person, link } = await createPerson(operator, input, { ...deps });
    expect(person).toMatchObject({ email: 'bea@docs.example', isEmailVerified: false, hasPassword: false });
    expect(created).toEqual([person.userId]);
    const [mail] = await mailsTo('bea@docs.example');
    expect(link).toMatchObject({ isMailed: true });
    expect(link?.url).toContain(`oobCode=${mail?.code}`);
    // An invitation lasts a week; a requested link lasts an hour.
    visitor.clock.advance(6 * 86_400_000);
    await confirmReset(visitor, { oobCode: mail?.code ?? '', newPassword: password }, browserAt(), deps);
    await signIn('bea@docs.example');
    const { people } = await listPeople(operator, { query: 'BEA@', limit: 10 });
    expect(people).toMatchObject([{ isEmailVerified: true, hasPassword: true, sessions: 1 }]);
    expect(await refusal(createPerson(operator, input, deps))).toBe('email-already-in-use');
  });

  test('a user created with a password can sign in immediately and gets no mail', async () => {
    const { operator, deps, mailsTo, signIn } = await openSample();
    const { link } = await createPerson(operator, { email: 'cy@docs.example', password }, deps);
    expect(link).toBeNull();
    await signIn('cy@docs.example');
    expect(await mailsTo('cy@docs.example')).toEqual([]);
    expect(await refusal(createPerson(operator, { email: 'd@docs.example', password: 'short' }, deps))).toBe(
      'weak-password',
    );
  });

  test('a disabled account is signed out and refused until it is enabled, and keeps its data', async () => {
    const { operator, deps, signIn, visitor, told } = await openSample();
    const { person } = await createPerson(operator, { email: 'bea@docs.example', password }, deps);
    const { sessionToken } = await signIn('bea@docs.example');
    told.length = 0;
    expect(await updatePerson(operator, { whose: 'bea@docs.example', isDisabled: true }, deps)).toMatchObject({
      disabledAt: visitor.clock.now(),
      sessions: 0,
    });
    expect(told).toContain(`user:${person.userId}`);
    expect(await personOfWebSession(visitor, sessionToken)).toBeUndefined();
    expect(await refusal(signIn('bea@docs.example'))).toBe('account-disabled');
    // Without the password, the response does not reveal it.
    expect(await refusal(signIn('bea@docs.example', 'wrong'))).toBe('invalid-credential');
    await updatePerson(operator, { whose: person.userId, isDisabled: false }, deps);
    await signIn('bea@docs.example');
  });

  test('operators can promote and demote verified users, but not themselves or the local owner', async () => {
    const { operator, ownerId, deps, signIn, of, join, actions } = await openSample();
    const { person } = await createPerson(operator, { email: 'bea@docs.example', displayName: 'Bea', password }, deps);
    const bea = await of((await signIn('bea@docs.example')).sessionToken);
    expect(await refusal(listPeople(bea, { limit: 10 }))).toBe('permission-denied');
    await updatePerson(operator, { whose: person.userId, isOperator: true }, deps);
    expect((await listPeople(bea, { limit: 10 })).count).toBe(2);
    const { userId } = await join('eve@docs.example');
    expect(await refusal(updatePerson(bea, { whose: userId, isOperator: true }, deps))).toBe('account-not-verified');
    for (const whose of [ownerId, person.userId]) {
      for (const change of [{ isDisabled: true }, { isOperator: false }]) {
        expect(await refusal(updatePerson(bea, { whose, ...change }, deps))).toBe('operator-kept');
      }
      expect(await refusal(deletePerson(bea, { whose }, { ...deps, deletion }))).toBe('operator-not-deletable');
    }
    await updatePerson(operator, { whose: person.userId, isOperator: false }, deps);
    expect(await refusal(listPeople(bea, { limit: 10 }))).toBe('permission-denied');
    const done = await actions();
    expect(done).toContain('Local owner: account.make-operator Bea');
    expect(done).toContain('Local owner: account.unmake-operator Bea');
  });

  test('operators can end sessions with or without agent access, and create password links for accounts with an email', async () => {
    const { operator, ownerId, deps, signIn, of, ended } = await openSample();
    const { person } = await createPerson(operator, { email: 'bea@docs.example', password }, deps);
    const bea = await of((await signIn('bea@docs.example')).sessionToken);
    expect(await listSessions(bea)).toHaveLength(1);
    await endSessionsOf(operator, { whose: person.userId }, deps);
    expect([await listSessions(bea), ended]).toEqual([[], []]);
    await endSessionsOf(operator, { whose: person.userId, endsAgents: true }, deps);
    expect(ended).toEqual([person.userId]);
    const { url } = await createPasswordLink(operator, { whose: 'BEA@docs.example' }, deps);
    const oobCode = /oobCode=([\w-]+)/.exec(url)?.[1] ?? '';
    await confirmReset(bea, { oobCode, newPassword: 'another one' }, browserAt(), deps);
    await signIn('bea@docs.example', 'another one');
    expect(await refusal(createPasswordLink(operator, { whose: ownerId }, deps))).toBe('invalid-input');
  });

  test('a deleted account is gone, its address is not in the audit log, and the log says who deleted it', async () => {
    const { operator, deps, visitor, actions, signIn } = await openSample();
    const { person } = await createPerson(operator, { email: 'bea@docs.example', displayName: 'Bea', password }, deps);
    await deletePerson(operator, { whose: 'bea@docs.example' }, { ...deps, deletion });
    expect(await refusal(deletePerson(operator, { whose: person.userId }, { ...deps, deletion }))).toBe(
      'user-not-found',
    );
    expect(await refusal(signIn('bea@docs.example'))).toBe('invalid-credential');
    expect(await actions()).toContain('Local owner: account.delete null');
    const rows = await visitor.db.query.selectFrom('auditLog').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('bea@docs.example');
  });

  test('the list can be searched by any part of a name or address, literally, and read page by page', async () => {
    const { operator, deps, visitor } = await openSample();
    for (const [place, name] of ['100%', 'a_b', 'Ünal', 'Ann'].entries()) {
      visitor.clock.advance(place % 2);
      await createPerson(operator, { email: `p${place}@docs.example`, displayName: name, password }, deps);
    }
    const names = async (query: string) =>
      (await listPeople(operator, { query, limit: 10 })).people.map(({ displayName }) => displayName);
    expect([await names('%'), await names('_'), await names('ann'), await names('nothing')]).toEqual([
      ['100%'],
      ['a_b'],
      ['Ann'],
      [],
    ]);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listPeople(operator, { limit: 2, cursor });
      expect(page.count).toBe(5);
      seen.push(...page.people.map(({ userId }) => userId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(5);
  });

  test('other users and API keys of an operator have no access', async () => {
    const { operator, ownerId, deps, join, as } = await openSample();
    const { ctx } = await join();
    const key = as({ kind: 'key', userId: ownerId, keyId: 'k', keyName: 'k', clientKind: null, mayAskToIndex: false });
    const calls = (who: Context | SampleContext) => [
      listPeople(who, { limit: 1 }),
      createPerson(who, { email: 'x@docs.example' }, deps),
      updatePerson(who, { whose: 'local-owner', isDisabled: true }, deps),
      createPasswordLink(who, { whose: 'anna@docs.example' }, deps),
      endSessionsOf(who, { whose: 'anna@docs.example' }, deps),
      deletePerson(who, { whose: 'anna@docs.example' }, { ...deps, deletion }),
      listInstallationAudit(who, { limit: 1 }),
    ];
    for (const who of [ctx, key]) {
      const told = await Promise.all(calls(who).map((attempt) => refusal(attempt)));
      expect(new Set(told)).toEqual(new Set(['permission-denied']));
    }
    expect((await listPeople(operator, { limit: 10 })).count).toBe(2);
  });
});
