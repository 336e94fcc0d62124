import { limits } from '#contract/limits.ts';
import type { SendLetter } from '#server/platform/mail/letter.ts';

/** The mails about an account. Each resolves when the mail was taken over, and throws MailError when it was not. */
export interface IdentityMails {
  sendVerification(to: string, code: string): Promise<void>;
  sendReset(to: string, code: string): Promise<void>;
  /** Somebody tried to sign up with the address of an account. */
  sendAlreadyRegistered(to: string): Promise<void>;
  sendAccountDeleted(to: string): Promise<void>;
}

/** `publicUrl` is the configured address of the installation, never one that a request named. */
export function createIdentityMails(deps: { send: SendLetter; productName: string; publicUrl: string }): IdentityMails {
  const { send, productName, publicUrl } = deps;
  const actionUrl = (mode: string, code: string) => `${publicUrl}/auth/action?mode=${mode}&oobCode=${code}`;
  const ignore = 'If this was not you, you can ignore this mail: nothing changes.';
  return {
    sendVerification: (to, code) =>
      send(to, {
        subject: `Verify your email address for ${productName}`,
        paragraphs: [
          `Somebody, hopefully you, gave this address to ${productName}. Confirm that it is yours.`,
          `The link works for ${limits.verificationCodeLifetimeHours} hours. ${ignore}`,
        ],
        action: { label: 'Verify email address', url: actionUrl('verifyEmail', code) },
      }),
    sendReset: (to, code) =>
      send(to, {
        subject: `Reset your ${productName} password`,
        paragraphs: [
          `Somebody asked for a new password for your ${productName} account.`,
          `The link works once, within ${limits.resetCodeLifetimeHours} hour. Choosing a new password signs you out everywhere. ${ignore}`,
        ],
        action: { label: 'Choose a new password', url: actionUrl('resetPassword', code) },
      }),
    sendAlreadyRegistered: (to) =>
      send(to, {
        subject: `You already have a ${productName} account`,
        paragraphs: [
          `Somebody tried to sign up for ${productName} with this address, which has an account already. Sign in, or reset the password when you have forgotten it.`,
          ignore,
        ],
        action: { label: 'Sign in', url: `${publicUrl}/login` },
      }),
    sendAccountDeleted: (to) =>
      send(to, {
        subject: `Your ${productName} account was deleted`,
        paragraphs: [
          `Your ${productName} account, its API keys and its private index are deleted. Nobody can sign in to it any more.`,
          'If this was not you, write to the people who run this installation.',
        ],
      }),
  };
}
