import { expect, onTestFinished, test } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { billingAdministration, billingEndpoints, teamBillingEndpoints } from '#contract/billing.ts';
import { connectionEndpoints } from '#contract/connections.ts';
import { creditEndpoints } from '#contract/credits.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { hostingEndpoints } from '#contract/hosting.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { indexRequestEndpoints } from '#contract/index-requests.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { type LiveQueryName, liveQueryNames } from '#contract/live.ts';
import { operatorEndpoints } from '#contract/operator.ts';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { profileEndpoints } from '#contract/profile.ts';
import { endpointGroups } from '#contract/reference.ts';
import { teamHeader } from '#contract/team-header.ts';
import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import { testBillingEndpoints } from '#contract/test-billing.ts';
import type { Context } from '#server/context.ts';
import { enterTeam } from '#server/features/teams/index.ts';
import { callInProcess } from '#server/http/call-in-process.ts';
import { liveReader } from '#server/http/live/live-reader.ts';
import { type Change, onChange } from '#server/platform/bus/announce-change.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { agent } from '../oauth/agent.ts';
import { askAgent, openStage, type Person } from '../security/team-cast.ts';
import { makePdf, textLines } from '../services/make-pdf.ts';
import { until } from '../services/until.ts';
import type { HttpRig, Sender } from './http-rig.ts';

/** The endpoints that read each live query. */
const reads: [LiveQueryName, Endpoint][] = [
  ['session', accountEndpoints.getSession],
  ['teams', teamEndpoints.listTeams],
  ['memberships', teamEndpoints.listMemberships],
  ['teamMembers', teamEndpoints.listTeamMembers],
  ['apiKeys', keyEndpoints.listKeys],
  ['connections', connectionEndpoints.listConnections],
  ['jobRuns', libraryEndpoints.listJobs],
  ['modules', libraryEndpoints.listModules],
  ['privateIndex', libraryEndpoints.getPrivateIndex],
  ['pdfSets', pdfSetEndpoints.listPdfSets],
  ['profiles', profileEndpoints.listProfiles],
  ['credits', creditEndpoints.getCreditInfo],
  ['credits', creditEndpoints.listTransactions],
  ['billing', billingEndpoints.getBilling],
  ['billing', teamBillingEndpoints.getTeamBilling],
  ['hosting', hostingEndpoints.getHosting],
  ['indexRequests', indexRequestEndpoints.listIndexRequests],
];
/** Search results depend on `modules`; only the operator reads the list of people. */
const readElsewhere: LiveQueryName[] = ['search', 'people'];

/** Change nothing that is live: sessions and codes, conversations, incidents, credentials, pages of payments, and what is only computed. */
const changesNoLiveRead = [
  ...['cancelTestCheckout', 'changePassword', 'checkPromotion', 'confirmConf'],
  ...['createPasswordLink', 'createSignInLink', 'createSourceCredential', 'createSubscription'],
  ...['declineTestCheckout', 'describeConsent', 'describeInvite', 'endSession'],
  ...['endSessionsOf', 'findSignOn', 'forgetHostKey', 'issueIdentityToken', 'leaveConf', 'openIncident'],
  ...['openPortal', 'openTeamPortal', 'previewPlan', 'previewTeamChange', 'purchaseCredits'],
  ...['purchaseTeamCredits', 'redeemSignInLink', 'removeAllChats', 'removeChat'],
  ...['removeRepositoryWebhook', 'removeSignOn', 'removeSourceCredential', 'renameChat'],
  ...['renewRepositoryWebhook', 'reportBrowserError', 'resolveIncident', 'revealKey'],
  ...['sendPasswordReset', 'sendVerification', 'setSignOn', 'setTestCard', 'signInWithEmail', 'signOut'],
  ...['signUpForConf', 'signUpWithEmail', 'subscribe', 'trySearch', 'updateIncident', 'verifyResetCode'],
  ...['verifySignOnDomain', 'withdrawDomain'],
];
/** Need a code host, a registry, a mail or a run in progress; the tests of their features follow what they announce. */
const walkedElsewhere = [
  ...['acceptInvite', 'acceptJob', 'addRepository', 'answerConsent', 'applyVerificationCode'],
  ...[
    'cancelJob',
    'claimLocalOwner',
    'confirmReset',
    'connectGithub',
    'createPerson',
    'disconnectGithub',
    'disownAddress',
  ],
  ...['indexLibraries', 'lookUpLibraries', 'refreshRepositoryStats', 'removeRepository'],
  ...['resumeRepository', 'retryJob', 'setProbes'],
];

const watchers = ['founder', 'admin', 'writer', 'outsider'] as const satisfies Person[];

test('every write that changes a user’s live query is reported to that user, alone or in a team', async () => {
  expect([...new Set(reads.map(([name]) => name)), ...readElsewhere].sort()).toEqual([...liveQueryNames].sort());
  const site = await startSampleSite(1);
  onTestFinished(() => site.close());
  const stage = await openStage({ PAYMENTS: 'test', LECTERN_ALLOW_HOSTS: site.host });
  const { rig, senders } = stage;
  const { calls, base, bus } = rig.running.installation;
  const { teamId, membershipIds } = await stage.team();
  const changes: Change[] = [];
  onChange(bus, (change) => void changes.push(change));
  const contexts = async () => {
    const all: [string, Context][] = [];
    for (const userId of watchers) {
      const ctx: Context = {
        ...{ ...base, actor: { kind: 'user', userId }, workspace: `user:${userId}`, requestId: 'watching' },
      };
      all.push([userId, ctx]);
      const inTeam = await enterTeam(ctx, teamId).catch(() => undefined);
      if (inTeam !== undefined) all.push([`${userId} in the team`, inTeam]);
    }
    return all;
  };
  /** Returns every reader's responses by reader, query and address. */
  const snapshot = async () => {
    const seen = new Map<string, { ctx: Context; query: LiveQueryName; answer: string }>();
    for (const [who, ctx] of await contexts()) {
      for (const [query, endpoint] of reads) {
        // A team is read by its id only by callers who act in it.
        if (ctx.membership === undefined && endpoint.path.includes(':teamId')) continue;
        const input = endpoint.path.includes(':teamId') ? { teamId } : {};
        const call = callInProcess(calls, () => ctx);
        const answer = await call(endpoint, input).catch((error: unknown) => String(error));
        seen.set(`${who}: ${endpoint.path}`, { ctx, query, answer: JSON.stringify(answer) });
      }
    }
    return seen;
  };
  let before = await snapshot();
  const untold: string[] = [];
  const quiet: string[] = [];
  const after = async (name: string) => {
    await until('no run is under way', async () => {
      const running = await base.db.query.selectFrom('jobRuns').select('id').where('endTime', 'is', null).execute();
      return running.length === 0;
    });
    const now = await snapshot();
    const told = changes.splice(0);
    const events = (ctx: Context, query: LiveQueryName) =>
      told.some((change) => liveReader(ctx, [query]).eventsOf({ id: '', change }).length > 0);
    const different = [...now].filter(([key, { answer }]) => before.get(key)?.answer !== answer);
    if (different.length === 0) quiet.push(name);
    // A person who joins or leaves a team has another reader afterwards.
    for (const [key, { ctx, query }] of different) {
      if (before.has(key) && !events(ctx, query)) untold.push(`${name} — ${key}`);
    }
    before = now;
  };
  const inTeam = (person: Person) => ({ ...senders[person], [teamHeader]: teamId });
  const walked = new Set<Endpoint>();
  const write = async (endpoint: Endpoint, input: Record<string, unknown>, sender = senders.founder) => {
    walked.add(endpoint);
    const answer = (await rig.ask(endpoint, input, sender)) as Record<string, unknown>;
    await after(endpoint.path);
    return answer;
  };
  const pay = async (endpoint: Endpoint, input: Record<string, unknown>) => {
    const { url } = (await rig.ask(endpoint, input, senders.founder)) as { url: string };
    const checkoutId = url.slice(url.lastIndexOf('/') + 1);
    await write(testBillingEndpoints.payTestCheckout, { checkoutId });
  };

  const { billing } = await rig.ask(teamBillingEndpoints.getTeamBilling, { teamId }, senders.founder);
  await pay(billingAdministration.createSubscription, { teamId, numberOfSeats: 2, priceId: billing.priceIds.Basic });
  const seats = { teamId, paidSeatMembershipIds: [membershipIds.writer], updateSubscription: false };
  await write(billingAdministration.manageSeats, seats);
  await write(teamBillingEndpoints.changeTeamPlan, { teamId, tier: 'Pro' });
  await write(teamBillingEndpoints.changeSeatCount, { teamId, numberOfSeats: 3 });
  await write(teamBillingEndpoints.cancelTeamSubscription, { teamId });
  await write(teamBillingEndpoints.resumeTeamSubscription, { teamId });
  await pay(billingAdministration.purchaseTeamCredits, { teamId, amount: 1_000 });
  const { url } = await rig.ask(billingAdministration.openTeamPortal, { teamId }, senders.founder);
  const portalId = url.slice(url.lastIndexOf('/') + 1);
  await rig.ask(testBillingEndpoints.setTestCard, { portalId, works: false }, senders.founder);
  await write(testBillingEndpoints.advanceTestTime, { portalId });
  await rig.ask(testBillingEndpoints.setTestCard, { portalId, works: true }, senders.founder);
  await write(testBillingEndpoints.cancelInTestPortal, { portalId });
  await write(testBillingEndpoints.resumeInTestPortal, { portalId });
  await write(testBillingEndpoints.cancelInTestPortal, { portalId });
  await write(testBillingEndpoints.advanceTestTime, { portalId });
  await pay(billingEndpoints.subscribe, { tier: 'Basic' });
  await write(billingEndpoints.changePlan, { tier: 'Pro' });
  await write(billingEndpoints.cancelSubscription, {});
  await write(billingEndpoints.resumeSubscription, {});
  await pay(billingEndpoints.purchaseCredits, { packs: 1 });
  await refundPurchase(rig, senders.founder, write);
  await write(creditEndpoints.adjustCredits, { whose: 'writer', amount: 5 }, rig.operator);
  await write(creditEndpoints.adjustCredits, { whose: teamId, amount: 5 }, rig.operator);

  await write(teamEndpoints.updateTeam, { teamId, name: 'Beta', showsKeysOnce: true });
  await write(teamAdministration.setMemberRole, { teamId, membershipId: membershipIds.writer, role: 'reader' });
  await write(teamAdministration.setMemberRole, { teamId, membershipId: membershipIds.writer, role: 'writer' });
  await write(teamAdministration.inviteMembers, {
    teamId,
    teamMembers: ['outsider', 'removed'].map((name) => ({ email: `${name}@example.org`, role: 'reader' })),
  });
  await write(teamAdministration.resendInvite, { teamId, membershipId: membershipIds.invited });
  for (const person of ['outsider', 'removed'] as const) {
    await write(teamAdministration.respondToInvite, { teamId, response: 'accept' }, senders[person]);
  }
  await write(teamAdministration.removeMember, { teamId, membershipId: membershipIds.reader });
  await write(teamAdministration.createTeam, { teamName: 'Other', teamMembers: [], shouldMigrateIndex: false });

  const { key } = (await write(keyEndpoints.createKey, { name: 'agent' })) as { key: { id: string } };
  await write(keyEndpoints.revokeKey, { keyId: key.id });
  await write(keyEndpoints.createKey, { name: 'agent' }, inTeam('writer'));
  await write(identityEndpoints.updateProfile, { displayName: 'Ann' }, senders.writer);
  await connectApplication(rig, senders.founder);
  await after('an application that connects');
  const { connections } = await rig.ask(connectionEndpoints.listConnections, {}, senders.founder);
  await write(connectionEndpoints.revokeConnection, { connectionId: connections[0]?.id });
  const { secret } = (await write(keyEndpoints.createKey, { name: 'asks', mayAskToIndex: true })) as { secret: string };
  // The time of its first use is shown at the next reading.
  await rig.ask(libraryEndpoints.listModules, {}, { authorization: `Bearer ${secret}` });
  before = await snapshot();
  for (const [answer, address] of [
    [indexRequestEndpoints.declineIndexRequest, site.url],
    [indexRequestEndpoints.approveIndexRequest, `${site.url}page0.html`],
  ] as const) {
    await askAgent(rig, secret, 'lectern_index_source', { address });
    await after('what an agent asks for');
    const { requests } = await rig.ask(indexRequestEndpoints.listIndexRequests, {}, senders.founder);
    await write(answer, { requestId: requests.find(({ answeredAt }) => answeredAt === null)?.id });
  }
  const files = [{ path: 'go.mod', text: 'module shop\n\nrequire golang.org/x/text v0.3.0\n' }];
  const { profile } = (await write(profileEndpoints.setProfile, { name: 'shop', files }, inTeam('writer'))) as {
    profile: { profileId: string };
  };
  await write(profileEndpoints.removeProfile, { profileId: profile.profileId }, inTeam('writer'));

  await write(libraryEndpoints.startIndexJob, { source: site.url, moduleId: 'ours' }, inTeam('writer'));
  await write(libraryEndpoints.refreshModule, { moduleId: 'ours' }, inTeam('writer'));
  await write(libraryEndpoints.renameModule, { moduleId: 'ours', displayName: 'Guide' }, inTeam('writer'));
  await write(libraryEndpoints.removeModule, { moduleId: 'ours' }, inTeam('writer'));
  const { set } = (await write(pdfSetEndpoints.createPdfSet, { displayName: 'Manuals' }, inTeam('writer'))) as {
    set: { setId: string };
  };
  await write(pdfSetEndpoints.renamePdfSet, { setId: set.setId, displayName: 'Papers' }, inTeam('writer'));
  const file = { setId: set.setId, fileName: 'a.pdf', sizeBytes: 10 };
  const { upload } = (await write(pdfSetEndpoints.startPdfUpload, file, inTeam('writer'))) as {
    upload: { uploadId: string };
  };
  await write(pdfSetEndpoints.abandonPdfUpload, { uploadId: upload.uploadId }, inTeam('writer'));
  const bytes = makePdf({ pages: [textLines(['A manual'])] });
  const begun = await rig.ask(
    pdfSetEndpoints.startPdfUpload,
    { ...file, sizeBytes: bytes.byteLength },
    inTeam('writer'),
  );
  const { uploadId } = begun.upload;
  const part = `/api/pdf-uploads/${uploadId}/parts?offset=0`;
  await rig.send(part, { method: 'PUT', headers: inTeam('writer'), body: new Uint8Array(bytes) });
  const { file: kept } = (await write(pdfSetEndpoints.completePdfUpload, { uploadId }, inTeam('writer'))) as {
    file: { fileId: string };
  };
  await write(pdfSetEndpoints.indexPdfSet, { setId: set.setId }, inTeam('writer'));
  await write(pdfSetEndpoints.removePdfFile, { setId: set.setId, fileId: kept.fileId }, inTeam('writer'));
  await write(pdfSetEndpoints.removePdfSet, { setId: set.setId }, inTeam('writer'));
  await write(operatorEndpoints.updatePerson, { whose: 'admin', isOperator: true }, rig.operator);
  await write(operatorEndpoints.deletePerson, { whose: 'removed' }, rig.operator);
  await write(teamAdministration.leaveTeam, { teamId, membershipId: membershipIds.writer }, senders.writer);
  await write(teamAdministration.deleteTeam, { teamId });
  expect(untold).toEqual([]);
  expect(quiet).toEqual([]);
  const writes = endpointGroups.flatMap(({ endpoints }) =>
    Object.entries(endpoints as Record<string, Endpoint>).filter(([, { method }]) => method !== 'GET'),
  );
  const left = writes.filter(([, endpoint]) => !walked.has(endpoint)).map(([name]) => name);
  expect(left.sort()).toEqual([...changesNoLiveRead, ...walkedElsewhere].sort());
}, 240_000);

/** Refunds the purchase of credits of a person. */
async function refundPurchase(
  rig: HttpRig,
  sender: Sender,
  write: (endpoint: Endpoint, input: Record<string, unknown>) => Promise<unknown>,
): Promise<void> {
  const { url } = await rig.ask(billingEndpoints.openPortal, {}, sender);
  const portalId = url.slice(url.lastIndexOf('/') + 1);
  const { portal } = await rig.ask(testBillingEndpoints.describeTestPortal, { portalId }, sender);
  const paymentId = portal.payments.find(({ isRefundable }) => isRefundable)?.paymentId;
  await write(testBillingEndpoints.refundTestPayment, { portalId, paymentId });
}

/** Lets an application in. */
async function connectApplication(rig: HttpRig, sender: Sender): Promise<void> {
  const application = agent('session-less', `${rig.url}/mcp`);
  const toOpen = await application.connect();
  const redirected = await rig.send(`${toOpen?.pathname}${toOpen?.search}`);
  const request = new URL(redirected.headers.get('location') ?? '', rig.url).search.slice(1);
  const input = { request, isAllowed: true, workspaceId: 'individual' };
  const { url } = await rig.ask(connectionEndpoints.answerConsent, input, sender);
  await application.finish(new URL(url));
}
