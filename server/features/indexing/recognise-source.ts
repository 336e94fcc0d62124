import type { RecognisedSource } from '#contract/library.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import {
  defaultModuleId,
  findModules,
  isPdfFile,
  parseSource,
  readableWorkspaces,
} from '#server/features/catalog/index.ts';

/** What an address names, told from its text alone. */
export type NamedSource = Omit<RecognisedSource, 'isKnown'>;

/** Throws `source-refused` in the words that indexing it would be refused with. */
export function nameSource(address: string): NamedSource {
  const parsed = parseSource(address);
  const none = { ref: null, folder: null };
  const isPdf = parsed.kind === 'site' && isPdfFile(parsed.url);
  const part = parsed.kind === 'git' ? { ref: parsed.ref ?? null, folder: parsed.folder ?? null } : none;
  const moduleId = defaultModuleId(parsed);
  return { kind: isPdf ? 'pdf' : parsed.kind, url: parsed.url, moduleId, ...part };
}

/** What an address that someone pasted is. Only its text is looked at: nothing is asked of any host. */
export async function recogniseSource(ctx: Context, input: { address: string }): Promise<RecognisedSource> {
  requirePerson(ctx);
  const named = nameSource(input.address);
  const isKnown = (await findModules(ctx.db.query, readableWorkspaces(ctx), named.moduleId)).length > 0;
  return { ...named, isKnown };
}
