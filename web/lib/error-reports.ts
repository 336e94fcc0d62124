import type { InputOf } from '#contract/endpoint.ts';
import type { siteEndpoints } from '#contract/site.ts';
import { ApiError } from './api-error.ts';
import { request } from './request.ts';

/** A page in trouble throws the same again and again: its first faults say it all. */
const reportsMax = 5;

/** Reports what no part of the page has caught; answers the function that ends it. */
export function reportUncaught(): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  window.addEventListener('error', ({ error }) => reportFault(error), { signal });
  window.addEventListener('unhandledrejection', ({ reason }) => reportFault(reason), { signal });
  return () => ended.abort();
}

let reported = 0;

/** Tells the server of a fault of this page. A refused call is none: the server knows it. */
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
  // Sent without the contract's code: a page in trouble loads no more than it must.
  request('/api/error-reports', { method: 'POST', body: JSON.stringify(report) }).catch(() => undefined);
}
