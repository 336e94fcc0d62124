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

/** The source that an address names, according to its text alone. */
export type NamedSource = Omit<RecognisedSource, 'isKnown'>;

/** Parses an address; throws `source-refused` with the same message as indexing it would. */
export function nameSource(address: string): NamedSource {
  const parsed = parseSource(address);
  const none = { ref: null, folder: null };
  const isPdf = parsed.kind === 'site' && isPdfFile(parsed.url);
  const part = parsed.kind === 'git' ? { ref: parsed.ref ?? null, folder: parsed.folder ?? null } : none;
  const moduleId = defaultModuleId(parsed);
  return { kind: isPdf ? 'pdf' : parsed.kind, url: parsed.url, moduleId, ...part };
}

/** Recognizes a pasted address by its text alone, without contacting any host. */
export async function recogniseSource(ctx: Context, input: { address: string }): Promise<RecognisedSource> {
  requirePerson(ctx);
  const named = nameSource(input.address);
  const isKnown = (await findModules(ctx.db.query, readableWorkspaces(ctx), named.moduleId)).length > 0;
  return { ...named, isKnown };
}
