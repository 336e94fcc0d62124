import { findModuleById, setModuleSource, sourceIn } from '#server/features/catalog/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';

/** What a module is made from lies at another address by now; the next run reads it there. */
export async function moveSource(tx: Transaction, moduleId: string, url: string): Promise<void> {
  const module = await findModuleById(tx, moduleId);
  if (module === undefined) return;
  const source = sourceIn(module.source);
  if (source === undefined) return;
  await setModuleSource(tx, moduleId, JSON.stringify({ ...source, url }));
}
