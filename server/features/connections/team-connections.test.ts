import { expect, test } from 'vitest';
import { onEachDatabase } from '#test/services/database.ts';
import {
  addresses,
  as,
  partsWith,
  people,
  redirectUri,
  register,
  requestOf,
  type Sample,
  verifier,
} from '#test/services/sample-application.ts';
import { leaveSampleTeam, sampleTeam } from '#test/services/sample-team.ts';
import { listConnections } from './connections.ts';
import { answerConsent, describeConsent } from './consent.ts';
import { exchangeCode } from './index.ts';
import { verifyAccessToken } from './tokens.ts';

onEachDatabase('team connections', (kind) => {
  async function tenants() {
    const ctx = await people(kind);
    const teamId = await sampleTeam(ctx.db, { name: 'Acme', members: { anna: 'reader', carl: 'admin' } });
    await sampleTeam(ctx.db, { name: 'Others', members: { bert: 'admin' } });
    return { ctx, teamId };
  }
  async function connectInto(ctx: Sample, workspaceId: string) {
    const clientId = await register(ctx);
    const request = requestOf(clientId);
    const { url } = await answerConsent(ctx, { request, isAllowed: true, workspaceId }, partsWith());
    const code = new URL(url).searchParams.get('code') ?? '';
    const exchange = { clientId, code, codeVerifier: verifier, redirectUri, resource: undefined };
    return exchangeCode(ctx, exchange, addresses);
  }
  const faultOf = async (work: Promise<unknown>) => {
    const { code, message } = (await work.then(
      () => ({ code: 'none', message: '' }),
      (error: unknown) => error,
    )) as { code: string; message: string };
    return { code, message };
  };

  test('a user can choose only their own workspace and teams they belong to', async () => {
    const { ctx, teamId } = await tenants();
    const consent = await describeConsent(ctx, { request: requestOf(await register(ctx)) }, partsWith());
    expect(consent).toMatchObject({
      workspaces: [
        { id: 'individual', name: 'Individual' },
        { id: teamId, name: 'Acme' },
      ],
    });
    const bert = as(ctx, 'bert');
    const foreign = await faultOf(connectInto(bert, teamId));
    expect(foreign).toEqual(await faultOf(connectInto(bert, 'missing')));
    expect(foreign.code).toBe('consent-refused');
  });

  test('an application connected to a team acts with the role of the user and is listed with the team name', async () => {
    const { ctx, teamId } = await tenants();
    const { accessToken } = await connectInto(ctx, teamId);
    const row = await verifyAccessToken(ctx, accessToken, addresses);
    expect(row).toMatchObject({ workspace: `team:${teamId}`, membership: { teamId, role: 'reader' } });
    expect(await listConnections(ctx)).toMatchObject([{ id: row.id, workspaceName: 'Acme' }]);
    const audit = await ctx.db.query.selectFrom('auditLog').select('action').where('teamId', '=', teamId).execute();
    expect(audit.map(({ action }) => action).toSorted()).toEqual(['connection.allow', 'connection.open']);
  });

  test('a connection is refused as nonexistent once its user leaves, even after they return', async () => {
    const { ctx, teamId } = await tenants();
    const { accessToken } = await connectInto(ctx, teamId);
    const own = await connectInto(ctx, 'individual');
    await leaveSampleTeam(ctx.db, teamId, 'anna');
    const unknown = await faultOf(verifyAccessToken(ctx, 'lca_unknown', addresses));
    expect(await faultOf(verifyAccessToken(ctx, accessToken, addresses))).toEqual(unknown);
    expect(await listConnections(ctx)).toMatchObject([{ workspaceName: 'Individual' }]);
    expect(await verifyAccessToken(ctx, own.accessToken, addresses)).toMatchObject({ membership: undefined });
    const at = ctx.clock.now() + 1;
    await ctx.db.query
      .insertInto('memberships')
      .values({ id: 'back', teamId, userId: 'anna', role: 'admin', state: 'accepted', joinedAt: at, acceptedAt: at })
      .execute();
    expect(await faultOf(verifyAccessToken(ctx, accessToken, addresses))).toEqual(unknown);
  });
});
