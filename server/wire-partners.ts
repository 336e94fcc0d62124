import type { Config } from '#server/config.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { ErrorReporter } from '#server/platform/error-reports/error-reporter.ts';
import { openErrorReporter } from '#server/platform/error-reports/open-error-reporter.ts';
import type { Flags } from '#server/platform/flags/flags.ts';
import { openFlags } from '#server/platform/flags/open-flags.ts';
import type { Logger } from '#server/platform/log.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import { productVersion } from './product-version.ts';

export interface Partners {
  flags: Flags;
  errorReporter: ErrorReporter;
  close(): Promise<void>;
}

/** Opens the services that the operator has named beside the product: feature flags and error reports. */
export async function openPartners(
  config: Config,
  { clock, log, userAgent }: { clock: Clock; log: Logger; userAgent: string },
): Promise<Partners> {
  // Whoever runs the installation named these hosts, so they may be private; what people have indexed may not reach them.
  const outbound = createOutbound({ allowHosts: hostsOf(config), userAgent });
  const { environment } = config;
  const flags = await openFlags(config.flags, { outbound, log, environment });
  const errorReporter = openErrorReporter(config.errorReports, {
    clock,
    log,
    outbound,
    environment,
    release: productVersion,
  });
  return {
    flags,
    errorReporter,
    async close() {
      await errorReporter.close();
      await outbound.close();
    },
  };
}

function hostsOf({ flags, errorReports }: Config): string[] {
  const addresses = [
    ...(flags.kind === 'remote' ? [flags.url] : []),
    ...(errorReports.kind === 'sentry' ? [errorReports.dsn] : []),
  ];
  return addresses.map((address) => {
    const { protocol, hostname, port } = new URL(address);
    return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  });
}
