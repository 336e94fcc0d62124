import type { Config } from '#server/platform/config/config.ts';
import { DataFolderError } from '#server/platform/data-folder.ts';
import { productVersion } from '#server/platform/product-version.ts';
import { requireInstallation } from '#server/platform/require-installation.ts';
import { refuseStdio, relayStdio } from './relay-stdio.ts';

/**
 * Speaks MCP on standard input and output until the input closes: for a server, or else from the data folder itself. Returns false if
 * there is no installation, after refusing every request.
 */
export async function serveStdio(config: Config): Promise<boolean> {
  if (await relayStdio(config)) return true;
  try {
    await requireInstallation(config);
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    await refuseStdio(error.message);
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
