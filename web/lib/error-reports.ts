import { siteEndpoints } from '#contract/site.ts';
import { callApi } from './api-client.ts';
import { ApiError } from './api-error.ts';

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
  callApi(siteEndpoints.reportBrowserError, {
    name: name.slice(0, 100),
    message: message.slice(0, 2_000),
    stack: stack.slice(0, 10_000),
    path: window.location.pathname.slice(0, 2_000),
  }).catch(() => undefined);
}
