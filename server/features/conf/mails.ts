import * as limits from '#contract/limits.ts';
import type { SendLetter } from '#server/platform/mail/letter.ts';

/** The mails about the conference. Each names the way off the list. */
export interface ConfMails {
  sendConfirmation(to: string, confirmToken: string, leaveToken: string): Promise<void>;
  /** Someone signed up with an address that is on the list already. */
  sendAlreadyListed(to: string, leaveToken: string): Promise<void>;
}

/** `publicUrl` is the configured address of the installation, never one that a request named. */
export function createConfMails(deps: { send: SendLetter; productName: string; publicUrl: string }): ConfMails {
  const { send, productName, publicUrl } = deps;
  // Behind a hash, tokens stay out of logs and of what a browser tells other pages.
  const link = (name: 'confirm' | 'leave', token: string) => `${publicUrl}/conf#${name}=${token}`;
  const way = (token: string) =>
    `To leave the list, and have this address erased from it, open ${link('leave', token)}`;
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
