import * as limits from '#contract/limits.ts';
import type { SendLetter } from '#server/platform/mail/letter.ts';

/** Emails about the conference. Each contains an unsubscribe link. */
export interface ConfMails {
  sendConfirmation(to: string, confirmToken: string, leaveToken: string): Promise<void>;
  /** Informs an address already on the list that someone signed it up again. */
  sendAlreadyListed(to: string, leaveToken: string): Promise<void>;
}

/** Creates the emails; `publicUrl` must be the configured address of the installation, never one from a request. */
export function createConfMails(deps: { send: SendLetter; productName: string; publicUrl: string }): ConfMails {
  const { send, productName, publicUrl } = deps;
  // After a hash, tokens stay out of logs and referrers.
  const link = (name: 'confirm' | 'leave', token: string) => `${publicUrl}/conf#${name}=${token}`;
  const way = (token: string) => `To leave the list and erase this address, open ${link('leave', token)}`;
  return {
    sendConfirmation: (to, confirmToken, leaveToken) =>
      send(to, {
        subject: `Confirm your sign-up for the ${productName} conference`,
        paragraphs: [
          `Someone signed this address up for emails about the ${productName} conference. If it was you, confirm it. We send nothing more until you do.`,
          `The link works once, within ${limits.verificationCodeLifetimeHours} hours. If it was not you, do nothing: we then delete the address.`,
          way(leaveToken),
        ],
        action: { label: 'Confirm', url: link('confirm', confirmToken) },
      }),
    sendAlreadyListed: (to, leaveToken) =>
      send(to, {
        subject: `You are on the list for the ${productName} conference`,
        paragraphs: [
          'Someone signed up with this address again. It is already on the list: no action is needed.',
          way(leaveToken),
        ],
      }),
  };
}
