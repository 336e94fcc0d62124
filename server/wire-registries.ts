import type { Config } from '#server/config.ts';
import { createOutbound, type Outbound } from '#server/platform/outbound/index.ts';
import { createPackageRegistries, type PackageRegistries } from '#server/platform/package-registries/index.ts';

/** Opens what asks package registries. */
export function openRegistries(
  { registries: addresses }: Pick<Config, 'registries'>,
  { outbound, userAgent }: { outbound: Outbound; userAgent: string },
): PackageRegistries & { close(): Promise<void> } {
  // Whoever runs the installation named these hosts, so they may be private; what people have indexed may not reach them.
  const allowHosts = Object.values(addresses ?? {}).map((address) => {
    const { protocol, hostname, port } = new URL(address);
    return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
  });
  const registries = createOutbound({ allowHosts, userAgent });
  return { ...createPackageRegistries({ addresses, registries, outbound }), close: () => registries.close() };
}
