import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { createBackgroundWork } from '#server/features/accounts/index.ts';
import { createRepositoryLists, type HostingDependencies } from '#server/features/hosting/index.ts';
import type { LibraryNotices } from '#server/features/library/index.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { githubCodeHost } from '#server/platform/code-host/github/github-code-host.ts';
import { apiUrlOf } from '#server/platform/code-host/github/github-config.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import type { SealingKeys } from '#server/platform/sealing.ts';

export type WiredHosting = HostingDependencies & { appWebhookSecret: string | undefined };

/** Opens the code host that is configured, if one is. */
export function wireHosting(
  { codeHost }: Pick<Config, 'codeHost'>,
  parts: {
    base: Pick<Context, 'clock' | 'log'>;
    publicUrl: string;
    userAgent: string;
    sealingKeys: SealingKeys;
    notices: LibraryNotices;
    bus: Bus;
  },
): { hosting: WiredHosting; close(): Promise<void> } {
  const { base, userAgent, publicUrl, sealingKeys, notices, bus } = parts;
  const background = createBackgroundWork(base.log);
  // Whoever runs the installation named this host, so it may be private; what people have indexed may not reach it.
  const allowHosts = codeHost === undefined ? [] : [codeHost.url, apiUrlOf(codeHost.url)].map(hostOf);
  const outbound = createOutbound({ allowHosts, userAgent });
  return {
    hosting: {
      codeHost: codeHost && githubCodeHost(codeHost, { outbound, userAgent, now: () => base.clock.now() }),
      ...{ publicUrl, sealingKeys, notices, background, bus, lists: createRepositoryLists() },
      appWebhookSecret: codeHost?.app?.webhookSecret,
    },
    async close() {
      await background.settled();
      await outbound.close();
    },
  };
}

function hostOf(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
