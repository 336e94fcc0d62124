import { randomUUID } from 'node:crypto';
import {
  type Client,
  ErrorCode,
  type EvaluationContext,
  GeneralError,
  OpenFeature,
  type Provider,
  type ResolutionDetails,
  StandardResolutionReasons,
} from '@openfeature/server-sdk';
import type { FlagName } from '#contract/site.ts';
import type { Logger } from '../log.ts';
import type { Outbound } from '../outbound/index.ts';

const talkativeEnvironments = new Set(['development', 'staging']);

/** Opens the configured flags. `environment` decides how much of the flag service is logged. */
export async function openFlags(
  config: FlagsConfig,
  { outbound, log, environment }: { outbound: Outbound; log: Logger; environment: string },
): Promise<Flags> {
  // The library keeps one provider per domain of the process, so each installation gets its own domain.
  const domain = randomUUID();
  await OpenFeature.setProviderAndWait(domain, providerOf(config, outbound));
  const client = OpenFeature.getClient(domain);
  client.setLogger(loggerOf(log, talkativeEnvironments.has(environment)));
  return flagsOf(client);
}

function providerOf(config: FlagsConfig, outbound: Outbound): Provider {
  switch (config.kind) {
    case 'environment':
      return environmentProvider(config.on);
    case 'remote':
      return remoteProvider(config, outbound);
  }
}

function flagsOf(client: Client): Flags {
  let isConnected = true;
  return {
    isConnected: () => isConnected,
    async isOn(flag, subject) {
      const context = subject ? { targetingKey: subject.userId, ...(subject.email && { email: subject.email }) } : {};
      const details = await client.getBooleanDetails(flag, false, context);
      isConnected = details.errorCode === undefined;
      return details.value;
    },
  };
}

/** Forwards the library's log to ours: everything in development and staging, otherwise only errors. */
function loggerOf(log: Logger, isTalkative: boolean) {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (message: unknown) =>
    log[level]({ part: 'flags' }, String(message));
  const silent = () => undefined;
  return {
    error: write('error'),
    warn: isTalkative ? write('warn') : silent,
    info: isTalkative ? write('info') : silent,
    debug: isTalkative ? write('debug') : silent,
  };
}

/** Reads flags from a list of enabled names, the same for everyone. */
function environmentProvider(on: readonly string[]): Provider {
  const names = new Set(on);
  return booleanProvider('environment', async (flag) => ({
    value: names.has(flag),
    reason: StandardResolutionReasons.STATIC,
  }));
}

const answerTimeoutMs = 2_000;
const answerBytesMax = 64_000;

interface RemoteFlags {
  url: string;
  key: string | undefined;
}

/**
 * Reads each flag from a service over the OpenFeature remote evaluation protocol (OFREP), which the common flag
 * services support. https://openfeature.dev/docs/reference/other-technologies/ofrep/
 */
function remoteProvider({ url, key }: RemoteFlags, outbound: Outbound): Provider {
  return booleanProvider('remote', async (flag, context) => {
    const answer = await outbound.request(`${url}/ofrep/v1/evaluate/flags/${encodeURIComponent(flag)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(key === undefined ? {} : { credentials: { authorization: `Bearer ${key}` } }),
      body: JSON.stringify({ context }),
      timeoutMs: answerTimeoutMs,
      bytesMax: answerBytesMax,
      redirectsMax: 0,
    });
    const { value } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as { value?: unknown };
    if (answer.status !== 200 || typeof value !== 'boolean') {
      throw new GeneralError(`the flag service answered ${answer.status} without a value`);
    }
    return { value };
  });
}

type ReadFlag = (flag: string, context: EvaluationContext) => Promise<ResolutionDetails<boolean>>;

/** Creates a provider for boolean flags; other kinds of flags return their default. */
function booleanProvider(name: string, read: ReadFlag): Provider {
  const otherKind = async <Value>(_flag: string, value: Value): Promise<ResolutionDetails<Value>> => ({
    value,
    errorCode: ErrorCode.TYPE_MISMATCH,
    errorMessage: 'only flags that are on or off are read',
  });
  return {
    metadata: { name },
    runsOn: 'server',
    resolveBooleanEvaluation: (flag, _default, context) => read(flag, context),
    resolveStringEvaluation: otherKind,
    resolveNumberEvaluation: otherKind,
    resolveObjectEvaluation: otherKind,
  };
}

/** Source of flags: the environment, or a service that supports the OpenFeature remote evaluation protocol. */
export type FlagsConfig =
  | { kind: 'environment'; on: readonly string[] }
  | { kind: 'remote'; url: string; key: string | undefined };

/** The subject a flag is evaluated for. */
interface FlagSubject {
  userId: string;
  email: string | null;
}

/** Feature flags. Nothing here throws: a flag that cannot be read is off. */
export interface Flags {
  /** Returns true if the last evaluation succeeded. */
  isConnected(): boolean;
  isOn(flag: FlagName, subject: FlagSubject | undefined): Promise<boolean>;
}
