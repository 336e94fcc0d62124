import type { Config } from '#server/platform/config/config.ts';
import { productVersion } from '#server/platform/product-version.ts';
import { relayStdio } from './relay-stdio.ts';

/** Speaks MCP on standard input and output until the input closes: for a server, or else from the data folder itself. */
export async function serveStdio(config: Config): Promise<void> {
  if (await relayStdio(config)) return;
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
  } finally {
    await installation.close();
  }
}
