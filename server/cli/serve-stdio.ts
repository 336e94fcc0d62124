import { resolve } from 'node:path';
import type { Config } from '#server/platform/config/config.ts';
import { variables } from '#server/platform/config/config-variables.ts';
import { DataFolderError } from '#server/platform/data-folder.ts';
import { productVersion } from '#server/platform/product-version.ts';
import { requireInstallation } from '#server/platform/require-installation.ts';
import { isThere } from '#server/platform/system-files.ts';
import { refuseStdio, relayStdio } from './relay-stdio.ts';

/**
 * Speaks MCP on standard input and output until the input closes: for a server, or else from the data folder itself. Returns false if
 * the data folder's name is mistyped, after refusing every request.
 */
export async function serveStdio(config: Config): Promise<boolean> {
  if (await relayStdio(config)) return true;
  const refusal = await refusalOf(config);
  if (refusal !== undefined) {
    await refuseStdio(refusal);
    return false;
  }
  // A relay answers sooner without them.
  const [{ openInstallation }, { readVocabulary }, { runStdio }] = await Promise.all([
    import('#server/main.ts'),
    import('#server/features/search/index.ts'),
    import('#server/mcp/stdio.ts'),
  ]);
  readVocabulary();
  const installation = await openInstallation(config);
  try {
    await runStdio({
      search: installation.features.search,
      productName: config.productName,
      version: productVersion,
      ...(config.publicUrl !== undefined && { publicUrl: config.publicUrl }),
      contextOf: () => ({ ...installation.operatorContext(), project: config.project }),
      input: process.stdin,
      output: process.stdout,
    });
    return true;
  } finally {
    await installation.close();
  }
}

/**
 * Returns a sentence for a named data folder that does not exist: served as a new installation, it would answer nothing without
 * saying why. The default folder is created, so that an agent can be connected first.
 */
async function refusalOf(config: Config): Promise<string | undefined> {
  const isDefault = config.dataFolder === resolve(variables.LECTERN_DATA.type.parse(undefined));
  if (config.database.kind !== 'sqlite' || isDefault || (await isThere(config.dataFolder))) return undefined;
  try {
    await requireInstallation(config);
    return undefined;
  } catch (error) {
    if (error instanceof DataFolderError) return error.message;
    throw error;
  }
}
