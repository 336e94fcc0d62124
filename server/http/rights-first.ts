import { accountEndpoints } from '#contract/accounts.ts';
import { auditEndpoints } from '#contract/audit.ts';
import { billingAdministration, teamBillingEndpoints } from '#contract/billing.ts';
import { confEndpoints } from '#contract/conf.ts';
import { creditEndpoints } from '#contract/credits.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { errorTable } from '#contract/errors.ts';
import { hostingEndpoints } from '#contract/hosting.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { operatorEndpoints } from '#contract/operator.ts';
import { outboxEndpoints } from '#contract/outbox.ts';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { profileEndpoints } from '#contract/profile.ts';
import { endpointGroups } from '#contract/reference.ts';
import { repositoryEndpoints } from '#contract/repositories.ts';
import { signOnEndpoints } from '#contract/sign-on.ts';
import { sourceCredentialEndpoints } from '#contract/source-credentials.ts';
import { statusEndpoints } from '#contract/status.ts';
import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireOperatorAccount, requireUserId } from '#server/features/accounts/index.ts';
import { enterTeam, type Right, requireRight } from '#server/features/teams/index.ts';
import { isForVisitors } from './openapi/security.ts';

const names = new Map<Endpoint, string>(
  endpointGroups.flatMap(({ endpoints }) => Object.entries(endpoints).map(([name, endpoint]) => [endpoint, name])),
);

/** The name of the operation; empty for a call that no group of the reference names. */
export function nameOf(endpoint: Endpoint): string {
  return names.get(endpoint) ?? '';
}

const forOperators = new Set<Endpoint>([
  ...Object.values(outboxEndpoints),
  ...Object.values(operatorEndpoints),
  accountEndpoints.createSignInLink,
  creditEndpoints.adjustCredits,
  repositoryEndpoints.forgetHostKey,
  confEndpoints.listConf,
  ...[statusEndpoints.openIncident, statusEndpoints.updateIncident, statusEndpoints.resolveIncident],
]);

/** The right that a call wants: in the team that its address names, else in the one that the sender acts for. */
const rights = new Map<Endpoint, Right>([
  ...of('sources.write', [
    ...[
      libraryEndpoints.startIndexJob,
      libraryEndpoints.removeModule,
      libraryEndpoints.renameModule,
      sourceCredentialEndpoints.createSourceCredential,
    ],
    ...[profileEndpoints.setProfile, profileEndpoints.removeProfile, profileEndpoints.lookUpLibraries],
    ...[profileEndpoints.indexLibraries, pdfSetEndpoints.createPdfSet, pdfSetEndpoints.renamePdfSet],
    ...[pdfSetEndpoints.startPdfUpload, hostingEndpoints.addRepository, hostingEndpoints.removeRepository],
    ...[hostingEndpoints.refreshRepositoryStats, hostingEndpoints.resumeRepository, hostingEndpoints.listBranches],
  ]),
  ...of('team.update', [teamEndpoints.updateTeam]),
  ...of('audit.read', Object.values(auditEndpoints)),
  ...of('billing.manage', [
    ...Object.values(teamBillingEndpoints),
    ...[billingAdministration.createSubscription, billingAdministration.purchaseTeamCredits],
    billingAdministration.openTeamPortal,
  ]),
  ...of('seats.manage', [billingAdministration.manageSeats]),
  ...of('team.delete', [teamAdministration.deleteTeam]),
  ...of('members.invite', [teamAdministration.inviteMembers, teamAdministration.resendInvite]),
  ...of('roles.set', [teamAdministration.setMemberRole]),
  ...of('members.remove', [teamAdministration.removeMember]),
  ...of('team.leave', [teamAdministration.leaveTeam]),
  ...of('sso.manage', [
    ...[signOnEndpoints.getSignOn, signOnEndpoints.setSignOn, signOnEndpoints.verifySignOnDomain],
    signOnEndpoints.removeSignOn,
  ]),
]);

function of(right: Right, endpoints: readonly Endpoint[]): [Endpoint, Right][] {
  return endpoints.map((endpoint) => [endpoint, right]);
}

/**
 * What to tell a caller whose call failed: what is wrong with the call is the business of those who may make it, so everyone
 * else is refused. `named` are the fields in the address.
 */
export async function rightsFirst(
  ctx: Context,
  { endpoint, named }: { endpoint: Endpoint; named: Record<string, string> },
  fault: unknown,
): Promise<unknown> {
  if (!(fault instanceof AppError) || [401, 403, 429].includes(errorTable[fault.code].status)) return fault;
  try {
    await requireAccess(ctx, endpoint, named);
    return fault;
  } catch (refusal) {
    return refusal;
  }
}

async function requireAccess(ctx: Context, endpoint: Endpoint, named: Record<string, string>): Promise<void> {
  if (isForVisitors(nameOf(endpoint))) return;
  requireUserId(ctx);
  if (forOperators.has(endpoint)) await requireOperatorAccount(ctx);
  const right = rights.get(endpoint);
  if (right === undefined) return;
  const { teamId } = named;
  requireRight(teamId === undefined ? ctx : await enterTeam(ctx, teamId), right);
}
