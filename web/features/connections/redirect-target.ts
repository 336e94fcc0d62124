import type { ConsentQuestion } from '#contract/connections.ts';

/** Where an answer goes, in words. */
export function targetOf({ kind, target }: ConsentQuestion['redirect']): string {
  if (kind === 'site') return target;
  return kind === 'this-computer' ? `a program on this computer (${target})` : `an app that opens ${target}: links`;
}

/** Sends the browser to the application. The server has checked the address; what runs code is refused here once more. */
export function leaveFor(url: string): void {
  const scheme = URL.parse(url)?.protocol ?? '';
  if (['javascript:', 'data:', 'vbscript:', 'blob:', ''].includes(scheme)) throw new Error('an address that runs code');
  window.location.assign(url);
}
