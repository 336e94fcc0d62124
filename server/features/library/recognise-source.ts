import type { RecognisedSource } from '#contract/library.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { findModules } from './module-store.ts';
import { readableWorkspaces } from './policy.ts';
import { defaultModuleId, parseSource } from './source.ts';

/**
 * What an address that somebody pasted is. Only its text is looked at: nothing is asked of any host. Refused with
 * `source-refused`, in the words that indexing it would be refused with.
 */
export async function recogniseSource(ctx: Context, input: { address: string }): Promise<RecognisedSource> {
  requirePerson(ctx);
  const parsed = parseSource(input.address);
  const none = { ref: null, folder: null };
  if (parsed.kind === 'site' && /\.pdf$/i.test(new URL(parsed.url).pathname)) {
    return { kind: 'pdf', url: parsed.url, moduleId: null, isKnown: false, ...none };
  }
  const moduleId = defaultModuleId(parsed);
  const isKnown = (await findModules(ctx.db.query, readableWorkspaces(ctx), moduleId)).length > 0;
  const part = parsed.kind === 'git' ? { ref: parsed.ref ?? null, folder: parsed.folder ?? null } : none;
  return { kind: parsed.kind, url: parsed.url, moduleId, isKnown, ...part };
}
