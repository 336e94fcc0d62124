import { refuseOnStdio, runThinStdio } from '#server/mcp/thin-stdio.ts';
import type { Config } from '#server/platform/config/config.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import { productVersion } from '#server/platform/product-version.ts';
import { findRunningServer } from '#server/platform/running-server.ts';

/**
 * Speaks MCP on standard input and output until the input closes: for the server that `LECTERN_URL` names (with
 * `LECTERN_API_KEY`), for the server that runs on the data folder, or else from the data folder itself.
 */
export async function serveStdio(config: Config): Promise<void> {
  const streams = { input: process.stdin, output: process.stdout };
  if (config.serverUrl !== undefined) {
    if (config.apiKey === undefined) {
      const sentence = `LECTERN_API_KEY is not set. Set it to a key that you create at ${config.serverUrl}/keys.`;
      process.stderr.write(`lectern: ${sentence}\n`);
      return refuseOnStdio(sentence, streams);
    }
    return forward(config, `${config.serverUrl}/mcp`, config.apiKey, streams);
  }
  const running = await findRunningServer(config.dataFolder);
  if (running !== undefined) {
    const host = running.host.includes(':') ? `[${running.host}]` : running.host;
    return forward(config, `http://${host}:${running.port}/mcp`, running.operatorToken, streams);
  }
  // A relay answers sooner without them.
  const [{ openInstallation }, { runStdio }] = await Promise.all([
    import('#server/main.ts'),
    import('#server/mcp/stdio.ts'),
  ]);
  const installation = await openInstallation(config);
  try {
    await runStdio({
      search: installation.features.search,
      productName: config.productName,
      version: productVersion,
      contextOf: () => ({ ...installation.operatorContext(), project: config.project }),
      ...streams,
    });
  } finally {
    await installation.close();
  }
}

async function forward(
  config: Config,
  url: string,
  key: string,
  streams: { input: NodeJS.ReadStream; output: NodeJS.WriteStream },
): Promise<void> {
  // The operator named this server, so it may be on a private address.
  const outbound = createOutbound({ allowHosts: [hostAndPort(url)], userAgent: `${config.productName} stdio` });
  try {
    await runThinStdio({ url: withProject(url, config), key, outbound, ...streams });
  } finally {
    await outbound.close();
  }
}

function withProject(url: string, { project }: Config): string {
  return project === undefined ? url : `${url}?project=${encodeURIComponent(project)}`;
}

function hostAndPort(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
