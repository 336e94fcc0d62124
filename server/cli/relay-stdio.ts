import { refuseOnStdio, runThinStdio } from '#server/mcp/thin-stdio.ts';
import type { Config } from '#server/platform/config/config.ts';
import { findRunningServer } from '#server/platform/running-server.ts';

type RelayConfig = Pick<Config, 'serverUrl' | 'apiKey' | 'project' | 'dataFolder'>;

/**
 * Relays an agent's messages to the server in `LECTERN_URL` (with `LECTERN_API_KEY`), or else to the server running on
 * the data folder, until the input closes. Returns false if there is neither. Imports no package, so that it also runs
 * in a clone without installed packages: agents give up on a program that installs before it responds.
 */
export async function relayStdio({ serverUrl, apiKey, project, dataFolder }: RelayConfig): Promise<boolean> {
  const streams = { input: process.stdin, output: process.stdout };
  const forward = async (url: string, key: string) => {
    await runThinStdio({
      url: project === undefined ? url : `${url}?project=${encodeURIComponent(project)}`,
      key,
      ...streams,
    });
    return true;
  };
  if (serverUrl !== undefined) {
    if (apiKey !== undefined) return forward(`${serverUrl}/mcp`, apiKey);
    await refuseStdio(`LECTERN_API_KEY is not set. Set it to a key that you create at ${serverUrl}/keys.`);
    return true;
  }
  const running = await findRunningServer(dataFolder);
  if (running === undefined) return false;
  const host = running.host.includes(':') ? `[${running.host}]` : running.host;
  return forward(`http://${host}:${running.port}/mcp`, running.operatorToken);
}

/** Refuses every request with a sentence that says what to do; resolves when the input closes. */
export async function refuseStdio(sentence: string): Promise<void> {
  process.stderr.write(`lectern: ${sentence}\n`);
  await refuseOnStdio(sentence, { input: process.stdin, output: process.stdout });
}
