import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { accountEndpoints } from '#contract/accounts.ts';
import { type Endpoint, type InputOf, type OutputOf, toRequest } from '#contract/endpoint.ts';
import type { ErrorEnvelope } from '#contract/errors.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { endpointGroups } from '#contract/reference.ts';
import { type RunningInstallation, serve } from '#server/cli/serve.ts';
import { codesOf } from '#server/http/openapi/faults.ts';
import { type Config, loadConfig } from '#server/platform/config/config.ts';
import { findRunningServer } from '#server/platform/running-server.ts';
import { cheapPasswords } from '../services/cheap-passwords.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';

/** Headers that identify the caller. */
export type Sender = Record<string, string>;

/** The real server in this process, on a free port and with its own data folder. */
export interface HttpRig {
  url: string;
  port: number;
  dataFolder: string;
  running: RunningInstallation;
  operator: Sender;
  visitor: Sender;
  /** Signs in like a browser; returns the cookie and the header that the browser application sends with it. */
  signIn(): Promise<Sender>;
  createKey(name?: string): Promise<{ keyId: string; secret: string; sender: Sender }>;
  /** Sends a request and validates the response with the endpoint's schema. */
  ask<E extends Endpoint>(endpoint: E, input: InputOf<E>, sender?: Sender): Promise<OutputOf<E>>;
  /** Returns an error response's status and error. */
  refusal(endpoint: Endpoint, input: Record<string, unknown>, sender?: Sender): Promise<Refusal>;
  send(path: string, init?: RequestInit): Promise<Response>;
}

export interface Refusal {
  status: number;
  code: string;
  message: string;
  requestId: string | undefined;
}

export function configOf(dataFolder: string, environment: Record<string, string> = {}): Config {
  const { config } = loadConfig({
    ...{ LOG_LEVEL: 'silent', LECTERN_CREDITS: 'on', LECTERN_OWN_DOCS: 'off', LECTERN_DATA: dataFolder },
    ...cheapPasswords,
    ...environment,
  });
  // The first user to sign up is not the operator here.
  return { ...config, port: 0, isForThisMachine: false };
}

/** Starts the server; it is closed after the test. */
export async function openHttpRig(environment: Record<string, string> = {}): Promise<HttpRig> {
  const dataFolder = environment['LECTERN_DATA'] ?? join(temporaryFolder(), 'data');
  const running = await serve(configOf(dataFolder, environment));
  onTestFinished(() => running.close());
  const announced = await findRunningServer(dataFolder);
  if (announced === undefined) throw new Error('the server did not announce itself');
  const operator = { authorization: `Bearer ${announced.operatorToken}` };
  const { url, port } = running;
  const send = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, { redirect: 'manual', ...init });
  const sendTo = (endpoint: Endpoint, input: Record<string, unknown>, sender: Sender) => {
    const { path, body } = toRequest(endpoint, input);
    return send(path, { method: endpoint.method, headers: sender, body });
  };
  const ask: HttpRig['ask'] = async (endpoint, input, sender = operator) => {
    const response = await sendTo(endpoint, input as Record<string, unknown>, sender);
    const answer: unknown = await response.json();
    if (response.status !== 200) throw new Error(`${endpoint.method} ${endpoint.path}: ${JSON.stringify(answer)}`);
    return endpoint.output.parse(answer) as OutputOf<typeof endpoint>;
  };
  return {
    ...{ url, port, dataFolder, running, operator, visitor: {}, ask, send },
    async signIn() {
      const link = new URL((await ask(accountEndpoints.createSignInLink, {})).url);
      const body = JSON.stringify({ code: link.searchParams.get('code') });
      const response = await send('/api/session', { method: 'POST', body });
      const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';');
      return { cookie, 'x-lectern-csrf': '1' };
    },
    async createKey(name = 'agent') {
      const { key, secret } = await ask(keyEndpoints.createKey, { name });
      return { keyId: key.id, secret, sender: { authorization: `Bearer ${secret}` } };
    },
    async refusal(endpoint, input, sender = operator) {
      const refusal = await refusalOf(await sendTo(endpoint, input, sender));
      requireDescribed(endpoint, refusal.code);
      return refusal;
    },
  };
}

const operations = new Map(
  endpointGroups.flatMap(({ endpoints }) => Object.entries(endpoints).map(([name, endpoint]) => [endpoint, name])),
);

/** Throws if a call returns an error code that its description does not list. */
function requireDescribed(endpoint: Endpoint, code: string): void {
  const name = operations.get(endpoint);
  if (name === undefined || codesOf(name, endpoint.method).some((told) => told === code)) return;
  throw new Error(`${name} answers ${code}, which is not among its codes in server/http/openapi/codes-of-calls.ts`);
}

export async function refusalOf(response: Response): Promise<Refusal> {
  const { error } = (await response.json()) as ErrorEnvelope;
  return { status: response.status, code: error.code, message: error.message, requestId: error.requestId };
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends a request with any headers, including those that `fetch` reserves; a body in pieces has no length. */
export function rawRequest(
  port: number,
  options: { path: string; method?: string; headers?: Record<string, string>; body?: Iterable<string> },
): Promise<RawAnswer> {
  const { path, method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    request.on('error', reject);
    for (const piece of body ?? []) request.write(piece);
    request.end();
  });
}
