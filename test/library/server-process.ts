import { join } from 'node:path';
import { type Endpoint, type InputOf, type OutputOf, toRequest } from '#contract/endpoint.ts';
import { findRunningServer } from '#server/platform/running-server.ts';
import { type RunningCommand, startServer } from '../cli/run-cli.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';

/** The real server as a separate process, called as its operator. */
export interface ServerProcess extends RunningCommand {
  url: string;
  call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>>;
  /** Kills it without warning, like a power cut. */
  kill(): Promise<void>;
}

export function newDataFolder(): string {
  return join(temporaryFolder(), 'data');
}

export async function startServerProcess(
  dataFolder: string,
  allowHosts: string,
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const env = { LECTERN_ALLOW_HOSTS: allowHosts, LOG_LEVEL: 'warn', ...environment };
  const running = await startServer(dataFolder, { env });
  const server = await findRunningServer(dataFolder);
  if (server === undefined) throw new Error('the server did not announce itself');
  return {
    ...running,
    async call(endpoint, input) {
      const { path, body } = toRequest(endpoint, input as Record<string, unknown>);
      const authorization = `Bearer ${server.operatorToken}`;
      const response = await fetch(`${running.url}${path}`, {
        method: endpoint.method,
        headers: { authorization },
        body,
      });
      const answer: unknown = await response.json();
      if (!response.ok) throw new Error(`${endpoint.path}: ${JSON.stringify(answer)}`);
      return endpoint.output.parse(answer) as OutputOf<typeof endpoint>;
    },
    async kill() {
      running.child.kill('SIGKILL');
      await running.ended;
    },
  };
}
