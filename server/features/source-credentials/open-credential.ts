import type { SourceSecret } from '#contract/source-credentials.ts';
import { AppError, sourceRefused } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { type SealedValue, type SealingKeys, unseal } from '#server/platform/sealing.ts';
import { credentialOriginOf } from './credential-origin.ts';
import { headersOfSecret } from './secret-headers.ts';
import { findCredential, markCredentialUsed } from './store.ts';

/** How often the time of last use is stored. */
const usedEveryMs = 5 * 60_000;

/** A decrypted secret, with the only origin it may be sent to. */
interface OpenedCredential {
  origin: string;
  secret: SourceSecret;
  /** The HTTP headers with the secret; empty for an SSH key. */
  headers: Record<string, string>;
}

/** Returns the label under which a secret is sealed: it cannot be opened in another row or for another host. */
export function sealLabel(id: string, origin: string): string {
  return `source-credential:${id}:${origin}`;
}

/** Throws, before anything is queued, if a credential is not of this workspace or not for the host of `url`. */
export async function requireCredentialFor(
  ctx: Context,
  use: { credentialId: string; workspace: Workspace; url: string },
): Promise<void> {
  const row = await findCredential(ctx.db.query, use.workspace, use.credentialId);
  if (row === undefined) throw new AppError('source-credential-not-found');
  if (row.origin !== credentialOriginOf(use.url)) {
    const reason = `The credential "${row.label}" is for ${row.origin} and is sent nowhere else. Choose one for ${use.url}.`;
    throw sourceRefused(reason);
  }
}

/**
 * Opens a credential for a run of `workspace` that reads `url`. Throws `source-credential-unusable` if it was removed,
 * is for another host, or was sealed under a lost key.
 */
export async function openCredential(
  ctx: Context,
  use: { credentialId: string; workspace: Workspace; url: string },
  { sealingKeys }: { sealingKeys: SealingKeys },
): Promise<OpenedCredential> {
  const host = credentialOriginOf(use.url) ?? use.url;
  const row = await findCredential(ctx.db.query, use.workspace, use.credentialId);
  if (row === undefined) throw unusable('was removed', host);
  if (row.origin !== host) throw unusable(`is for ${row.origin} alone`, host);
  const text = unseal(sealingKeys, sealLabel(row.id, row.origin), row.sealed);
  if (text === undefined) throw unusable('was encrypted with a secret that is lost', host);
  const now = ctx.clock.now();
  if (now - (row.lastUsedAt ?? 0) >= usedEveryMs) await markCredentialUsed(ctx.db.query, row.id, now);
  const secret = JSON.parse(text) as SourceSecret;
  return { origin: row.origin, secret, headers: headersOfSecret(secret) };
}

function unusable(what: string, host: string): AppError {
  return new AppError('source-credential-unusable', { values: { what, host } });
}

/** Returns the sealed credentials of all workspaces. */
export async function listSealedCredentials(db: Queries): Promise<SealedValue[]> {
  const rows = await db.selectFrom('sourceCredentials').select(['id', 'origin', 'sealed']).execute();
  return rows.map(({ id, origin, sealed: before }) => ({
    ...{ what: 'source credentials', label: sealLabel(id, origin), sealed: before },
    async replace(sealed) {
      const row = db.updateTable('sourceCredentials').set({ sealed });
      await row.where('id', '=', id).where('sealed', '=', before).execute();
    },
  }));
}
