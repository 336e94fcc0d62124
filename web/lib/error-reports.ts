import type { InputOf } from '#contract/endpoint.ts';
import type { siteEndpoints } from '#contract/site.ts';
import { ApiError } from './api-error.ts';
import { request } from './request.ts';

/** A broken page keeps throwing the same error, so only the first few are reported. */
const reportsMax = 5;

/** Reports uncaught errors; returns a function that stops it. */
export function reportUncaught(): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  window.addEventListener('error', ({ error }) => reportFault(error), { signal });
  window.addEventListener('unhandledrejection', ({ reason }) => reportFault(reason), { signal });
  return () => ended.abort();
}

let reported = 0;

/** Reports an error of this page to the server. Refused calls are skipped, because the server already knows them. */
export function reportFault(fault: unknown): void {
  if (!(fault instanceof Error) || fault instanceof ApiError || reported >= reportsMax) return;
  reported += 1;
  const { name, message, stack = '' } = fault;
  const report = {
    name: name.slice(0, 100),
    message: message.slice(0, 2_000),
    stack: stack.slice(0, 10_000),
    path: window.location.pathname.slice(0, 2_000),
  } satisfies InputOf<typeof siteEndpoints.reportBrowserError>;
  // Sent without the contract's code: a broken page should load as little as possible.
  request('/api/error-reports', { method: 'POST', body: JSON.stringify(report) }).catch(() => undefined);
}
