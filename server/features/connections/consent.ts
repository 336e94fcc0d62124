import { randomUUID } from 'node:crypto';
import { type Consent, type ConsentRefusal, consentRefusals } from '#contract/connections.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import {
  actingUser,
  confirmSession,
  hashToken,
  newToken,
  recordChange,
  requirePerson,
} from '#server/features/accounts/index.ts';
import { auditTeamOf } from '#server/platform/db/audit.ts';
import { type AuthorizationRequest, answerAddress, readAuthorizationRequest } from './authorization-request.ts';
import { touchClient } from './client-store.ts';
import { workspacesOf } from './connections.ts';
import { type Application, type DescriptionReader, findApplication } from './find-application.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { describeRedirect, isNamedRedirect } from './redirect-address.ts';
import { countConnections, deleteEndedConnections, insertConnection } from './store.ts';

// A used code is remembered for a day after it expires, to detect a second use.
const dayMs = 86_400_000;

export interface ConsentParts extends DescriptionReader {
  addresses: OwnAddresses;
}

/**
 * Returns what an application requests from the caller, from the query of its authorization request. Nothing is sent to
 * the application unless the user decides: anyone can register one, and could use a faulty request to redirect users
 * anywhere.
 */
export async function describeConsent(ctx: Context, input: { request: string }, parts: ConsentParts): Promise<Consent> {
  requirePerson(ctx);
  const question = await readQuestion(ctx, input.request, parts);
  if ('reason' in question) return presentRefusal(question);
  const { application, redirectUri } = question;
  if (!(await isVerified(ctx))) return { outcome: 'unverified' };
  return {
    outcome: 'ask',
    clientName: application.name,
    vouchedBy: application.vouchedBy,
    redirect: redirectOf(redirectUri),
    workspaces: (await workspacesOf(ctx)).map(({ id, name }) => ({ id, name })),
  };
}

/**
 * Connects the application for the caller and the chosen workspace, or refuses it; returns where to redirect the
 * browser. The request is validated again from scratch. The connection opens only when the application exchanges the
 * code in that address.
 */
export async function answerConsent(
  ctx: Context,
  input: { request: string; isAllowed: boolean; workspaceId: string; mayAskToIndex?: boolean },
  parts: ConsentParts,
): Promise<{ url: string }> {
  const userId = requirePerson(ctx);
  if (ctx.actor.kind === 'user' && ctx.actor.hasToken === true) {
    throw new AppError('permission-denied', {
      values: { need: ' An identity token cannot connect an application. Sign in to do this.' },
    });
  }
  const question = await readQuestion(ctx, input.request, parts);
  if ('reason' in question) throw refusal(consentRefusals[question.reason]);
  const { request, application, redirectUri } = question;
  if (!input.isAllowed) return { url: answerAddress(redirectUri, request, { error: 'access_denied' }) };
  if (!(await isVerified(ctx))) throw new AppError('email-not-verified');
  const chosen = (await workspacesOf(ctx)).find(({ id }) => id === input.workspaceId);
  if (chosen === undefined) throw refusal('Choose one of your workspaces.');
  const { workspace } = chosen;
  const code = newToken();
  const now = ctx.clock.now();
  const expiresAt = now + limits.connectionCodeLifetimeSeconds * 1000;
  const connection = {
    id: randomUUID(),
    userId,
    workspace,
    clientId: application.clientId,
    clientName: application.name,
    vouchedBy: application.vouchedBy,
    resource: request.own.resource,
    usesRefresh: Number(application.usesRefresh),
    mayAskToIndex: Number(input.mayAskToIndex === true),
    createdAt: now,
    expiresAt,
  };
  await ctx.db.transaction(async (tx) => {
    await confirmSession(tx, ctx);
    if ((await countConnections(tx, userId, now)) >= limits.connectionsPerPersonMax) {
      throw refusal(`You have ${limits.connectionsPerPersonMax} connected applications. Revoke some of them first.`);
    }
    await deleteEndedConnections(tx, now - dayMs);
    await insertConnection(tx, connection, {
      codeHash: hashToken(code),
      connectionId: connection.id,
      clientId: application.clientId,
      redirectUri,
      codeChallenge: request.codeChallenge,
      expiresAt,
    });
    await touchClient(tx, application.clientId, now);
    await recordChange(tx, now, {
      actorUserId: userId,
      action: 'connection.allow',
      entityId: connection.id,
      detail: { clientId: application.clientId, workspace },
      ...auditTeamOf(workspace),
    });
  });
  return { url: answerAddress(redirectUri, request, { code }) };
}

async function isVerified(ctx: Context): Promise<boolean> {
  return typeof (await actingUser(ctx))?.emailVerifiedAt === 'number';
}

interface Question {
  request: AuthorizationRequest;
  application: Application;
  redirectUri: string;
}

interface Refusal {
  reason: ConsentRefusal;
  /** Address that informs the application; undefined unless it is known to be the application's. */
  returnUrl?: string;
}

async function readQuestion(ctx: Context, query: string, parts: ConsentParts): Promise<Question | Refusal> {
  const request = readAuthorizationRequest(query, parts.addresses);
  if (request === undefined) return { reason: 'request-unreadable' };
  const application = await findApplication(ctx, request.clientId, parts);
  if (typeof application === 'string') return { reason: application };
  const { redirectUris } = application;
  const redirectUri = request.redirectUri ?? (redirectUris.length === 1 ? redirectUris[0] : undefined);
  if (redirectUri === undefined || !isNamedRedirect(redirectUri, redirectUris)) return { reason: 'redirect-unknown' };
  if (request.fault === undefined) return { request, application, redirectUri };
  const { reason, code } = request.fault;
  return { reason, returnUrl: answerAddress(redirectUri, request, { error: code }) };
}

function presentRefusal({ reason, returnUrl }: Refusal): Consent {
  const returnTo = returnUrl === undefined ? null : { url: returnUrl, redirect: redirectOf(returnUrl) };
  return { outcome: 'refused', reason, returnTo };
}

function redirectOf(address: string) {
  const described = describeRedirect(address);
  if (described === undefined) throw new Error('a redirect address that was accepted cannot be described');
  return described;
}

function refusal(reason: string): AppError {
  return new AppError('consent-refused', { values: { reason } });
}
