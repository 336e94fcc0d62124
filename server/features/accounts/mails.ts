import { notMineParameter } from '#contract/identity.ts';
import * as limits from '#contract/limits.ts';
import type { SendLetter } from '#server/platform/mail/letter.ts';

/**
 * Emails about an account. Each call resolves when the email was accepted for delivery, and throws MailError otherwise.
 */
export interface IdentityMails {
  sendVerification(to: string, code: string): Promise<void>;
  sendReset(to: string, code: string): Promise<void>;
  /** Informs an account's owner that someone tried to sign up with their address. */
  sendAlreadyRegistered(to: string): Promise<void>;
  sendAccountDeleted(to: string): Promise<void>;
  /** Invites the owner of an account that the operator created; the code sets the password. */
  sendAccountInvite(to: string, code: string): Promise<void>;
  /** Returns the link for a password code, for the operator to pass on. */
  passwordUrl(code: string): string;
}

/** Creates the emails; `publicUrl` must be the configured address of the installation, never one from a request. */
export function createIdentityMails(deps: { send: SendLetter; productName: string; publicUrl: string }): IdentityMails {
  const { send, productName, publicUrl } = deps;
  const actionUrl = (mode: string, code: string) => `${publicUrl}/auth/action?mode=${mode}&oobCode=${code}`;
  const ignore = 'If it was not you, you can ignore this email.';
  const passwordUrl = (code: string) => actionUrl('resetPassword', code);
  return {
    passwordUrl,
    sendAccountInvite: (to, code) =>
      send(to, {
        subject: `Your ${productName} account`,
        paragraphs: [
          `An operator of ${productName} created an account for this email address. Choose a password to sign in.`,
          `The link works once, within ${limits.inviteLifetimeDays} days. If you don't know why you received this email, you can ignore it: nothing happens unless you choose a password.`,
        ],
        action: { label: 'Choose a password', url: passwordUrl(code) },
      }),
    sendVerification: (to, code) =>
      send(to, {
        subject: `Verify your email address for ${productName}`,
        paragraphs: [
          `Someone created an account at ${productName} with this address. If it was you, verify the address: you can then create API keys and accept team invitations sent to you.`,
          `Open the link in the browser you signed up with. In any other browser, you must choose a new password first. This ends all other sessions, revokes the account's API keys and connected applications, and disconnects GitHub and Google.`,
          `The link works for ${limits.verificationCodeLifetimeHours} hours. If you did not sign up, don't verify the address: close the account with the second link, so that no one else can use your address.`,
        ],
        action: { label: 'Verify email address', url: actionUrl('verifyEmail', code) },
        secondAction: { label: 'I did not sign up', url: `${actionUrl('verifyEmail', code)}&${notMineParameter}=yes` },
      }),
    sendReset: (to, code) =>
      send(to, {
        subject: `Reset your ${productName} password`,
        paragraphs: [
          `Someone requested a new password for your ${productName} account.`,
          `The link works once, within ${limits.resetCodeLifetimeHours} hour. Choosing a new password signs you out everywhere, and revokes your API keys and connected applications unless you keep them. ${ignore}`,
        ],
        action: { label: 'Choose a new password', url: passwordUrl(code) },
      }),
    sendAlreadyRegistered: (to) =>
      send(to, {
        subject: `You already have a ${productName} account`,
        paragraphs: [
          `Someone tried to sign up for ${productName} with this address, but you already have an account. Sign in, or reset your password if you forgot it.`,
          ignore,
        ],
        action: { label: 'Sign in', url: `${publicUrl}/login` },
      }),
    sendAccountDeleted: (to) =>
      send(to, {
        subject: `Your ${productName} account was deleted`,
        paragraphs: [
          `Your ${productName} account, its API keys and its private index have been deleted. No one can sign in to it any longer.`,
          'If you did not delete it, contact the operator of this installation.',
        ],
      }),
  };
}
