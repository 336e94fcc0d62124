import { randomUUID } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import type { SourceCredential, SourceSecret } from '#contract/source-credentials.ts';
import { AppError } from '#server/app-error.ts';
import type { Context, Workspace } from '#server/context.ts';
import { holdUser, recordChange, requirePerson } from '#server/features/accounts/index.ts';
import { confirmRight, requireRight } from '#server/features/teams/index.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import { type SealingKeys, seal } from '#server/platform/sealing.ts';
import { originForSecret, refused } from './credential-origin.ts';
import { sealLabel } from './open-credential.ts';
import { requireUsableSecret } from './secret-headers.ts';
import { deleteCredential, insertCredential, listCredentialRows, type SourceCredentialRow } from './store.ts';

/** Returns the credentials of the current workspace, newest first. Requires the right to add sources there. */
export async function listSourceCredentials(ctx: Context): Promise<SourceCredential[]> {
  const { workspace } = enterToChange(ctx);
  return (await listCredentialRows(ctx.db.query, workspace)).map(presentCredential);
}

/** Stores a credential for the host of `url`; the secret is sealed and never shown again. */
export async function createSourceCredential(
  ctx: Context,
  input: { url: string; label?: string; secret: SourceSecret },
  deps: CredentialDependencies,
): Promise<SourceCredential> {
  const { workspace, userId } = enterToChange(ctx);
  requireUsableSecret(input.secret);
  const origin = originForSecret(input.url, input.secret, deps);
  const { kind } = input.secret;
  const id = randomUUID();
  const now = ctx.clock.now();
  const sealed = seal(deps.sealingKeys, sealLabel(id, origin), JSON.stringify(input.secret));
  const row = await ctx.db.transaction(async (tx) => {
    await confirmRight(tx, ctx, 'sources.write');
    // As the team is in a team: additions are serialized, so that they are counted correctly.
    if (ctx.membership === undefined) await holdUser(tx, userId);
    if ((await listCredentialRows(tx, workspace)).length >= limits.sourceCredentialsMax) {
      throw refused(`you already have ${limits.sourceCredentialsMax}; remove some that you don't use`);
    }
    const label = input.label ?? new URL(origin).host;
    const at = { createdAt: now, createdByUserId: userId };
    const stored = await insertCredential(tx, { id, workspace, kind, origin, label, sealed, ...at });
    await recordChange(tx, now, { ...entryOf(ctx, stored), action: 'source-credential.add' });
    return stored;
  });
  return presentCredential(row);
}

/** Deletes a credential. One that is already deleted or of another workspace is reported as not found. */
export async function removeSourceCredential(ctx: Context, input: { credentialId: string }): Promise<void> {
  const { workspace } = enterToChange(ctx);
  await ctx.db.transaction(async (tx) => {
    await confirmRight(tx, ctx, 'sources.write');
    const row = await deleteCredential(tx, workspace, input.credentialId);
    if (row === undefined) throw new AppError('source-credential-not-found');
    await recordAudit(tx, ctx.clock.now(), { ...entryOf(ctx, row), action: 'source-credential.remove' });
  });
}

function enterToChange(ctx: Context): { workspace: Workspace; userId: string } {
  const userId = requirePerson(ctx);
  requireRight(ctx, 'sources.write');
  return { workspace: ctx.workspace ?? `user:${userId}`, userId };
}

function entryOf(ctx: Context, { id, kind, origin, workspace }: SourceCredentialRow) {
  return { actorUserId: requirePerson(ctx), entityId: id, detail: { kind, origin }, ...auditTeamOf(workspace) };
}

function presentCredential({ id, kind, origin, label, createdAt, lastUsedAt }: SourceCredentialRow): SourceCredential {
  return { id, kind, origin, label, createdAt, lastUsedAt };
}

interface CredentialDependencies {
  sealingKeys: SealingKeys;
  /** `host:port` entries of the operator: the only hosts that receive secrets over plain http. */
  allowHosts: readonly string[];
}
