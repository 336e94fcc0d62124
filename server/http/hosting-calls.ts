import { hostingEndpoints } from '#contract/hosting.ts';
import { AppError } from '#server/app-error.ts';
import type { Call } from './call-table.ts';

/** Known, and not built yet. */
export function hostingCalls(): Call[] {
  return Object.values(hostingEndpoints).map((endpoint) => ({
    endpoint,
    run: () => Promise.reject(new AppError('unimplemented')),
  }));
}
