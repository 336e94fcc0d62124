import { type Provider, StandardResolutionReasons } from '@openfeature/server-sdk';
import { booleanProvider } from './boolean-provider.ts';

/** Reads flags from a list of the names that are on, the same for everyone. */
export function environmentProvider(on: readonly string[]): Provider {
  const names = new Set(on);
  return booleanProvider('environment', async (flag) => ({
    value: names.has(flag),
    reason: StandardResolutionReasons.STATIC,
  }));
}
