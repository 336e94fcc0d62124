import { notMineParameter } from '#contract/identity.ts';
import * as limits from '#contract/limits.ts';
import type { SendLetter } from '#server/platform/mail/letter.ts';

/** The mails about an account. Each resolves when the mail was taken over, and throws MailError when it was not. */
export interface IdentityMails {
  sendVerification(to: string, code: string): Promise<void>;
  sendReset(to: string, code: string): Promise<void>;
  /** Someone tried to sign up with the address of an account. */
  sendAlreadyRegistered(to: string): Promise<void>;
  sendAccountDeleted(to: string): Promise<void>;
  /** The operator made an account for the address; the code sets its password. */
  sendAccountInvite(to: string, code: string): Promise<void>;
  /** The address that a code for a password leads to, for the operator to pass on. */
  passwordUrl(code: string): string;
}

/** `publicUrl` is the configured address of the installation, never one that a request named. */
export function createIdentityMails(deps: { send: SendLetter; productName: string; publicUrl: string }): IdentityMails {
  const { send, productName, publicUrl } = deps;
  const actionUrl = (mode: string, code: string) => `${publicUrl}/auth/action?mode=${mode}&oobCode=${code}`;
  const ignore = 'If this was not you, you can ignore this mail: nothing changes.';
  const passwordUrl = (code: string) => actionUrl('resetPassword', code);
  return {
    passwordUrl,
    sendAccountInvite: (to, code) =>
      send(to, {
        subject: `Your ${productName} account`,
        paragraphs: [
          `The people who run ${productName} have made an account for this address. Choose a password to sign in.`,
          `The link works once, within ${limits.inviteLifetimeDays} days. If you do not know what this is about, you can ignore this mail: nothing changes.`,
        ],
        action: { label: 'Choose a password', url: passwordUrl(code) },
      }),
    sendVerification: (to, code) =>
      send(to, {
        subject: `Verify your email address for ${productName}`,
        paragraphs: [
          `An account at ${productName} was made with this address. If it is yours, verify the address: the account can then have API keys and accept the team invitations that are sent to you.`,
          `Open the link in the browser you signed up with. In any other browser you choose a new password first. That ends every other session, API key and connected application of the account, and disconnects GitHub and Google.`,
          `The link works for ${limits.verificationCodeLifetimeHours} hours. If you did not sign up, do not verify: close the account with the second link, so that no one else can use your address.`,
        ],
        action: { label: 'Verify email address', url: actionUrl('verifyEmail', code) },
        secondAction: { label: 'I did not sign up', url: `${actionUrl('verifyEmail', code)}&${notMineParameter}=yes` },
      }),
    sendReset: (to, code) =>
      send(to, {
        subject: `Reset your ${productName} password`,
        paragraphs: [
          `Someone asked for a new password for your ${productName} account.`,
          `The link works once, within ${limits.resetCodeLifetimeHours} hour. Choosing a new password signs you out everywhere, and revokes your API keys and connected applications unless you keep them. ${ignore}`,
        ],
        action: { label: 'Choose a new password', url: passwordUrl(code) },
      }),
    sendAlreadyRegistered: (to) =>
      send(to, {
        subject: `You already have a ${productName} account`,
        paragraphs: [
          `Someone tried to sign up for ${productName} with this address, which has an account already. Sign in, or reset the password when you have forgotten it.`,
          ignore,
        ],
        action: { label: 'Sign in', url: `${publicUrl}/login` },
      }),
    sendAccountDeleted: (to) =>
      send(to, {
        subject: `Your ${productName} account was deleted`,
        paragraphs: [
          `Your ${productName} account, its API keys and its private index are deleted. No one can sign in to it any more.`,
          'If this was not you, write to the people who run this installation.',
        ],
      }),
  };
}
