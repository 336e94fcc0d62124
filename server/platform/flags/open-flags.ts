import { randomUUID } from 'node:crypto';
import { type Client, OpenFeature, type Provider } from '@openfeature/server-sdk';
import type { Logger } from '../log.ts';
import type { Outbound } from '../outbound/index.ts';
import { environmentProvider } from './environment-provider.ts';
import type { Flags, FlagsConfig } from './flags.ts';
import { remoteProvider } from './remote-provider.ts';

const talkativeEnvironments = new Set(['development', 'staging']);

/** Opens the flags the configuration names. `environment` decides how much of the flag service is logged. */
export async function openFlags(
  config: FlagsConfig,
  { outbound, log, environment }: { outbound: Outbound; log: Logger; environment: string },
): Promise<Flags> {
  // The library keeps one provider for each domain of the process: an installation is a domain of its own.
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

/** The library's log in ours: everything in development and staging, else errors alone. */
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
