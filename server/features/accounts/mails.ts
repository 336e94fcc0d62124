import { limits } from '#contract/limits.ts';
import type { Mailer } from '#server/platform/mail/mailer.ts';

/** The mails about an account. Each resolves when the mail was taken over, and throws MailError when it was not. */
export interface IdentityMails {
  sendVerification(to: string, code: string): Promise<void>;
  sendReset(to: string, code: string): Promise<void>;
  /** Somebody tried to sign up with the address of an account. */
  sendAlreadyRegistered(to: string): Promise<void>;
  sendAccountDeleted(to: string): Promise<void>;
}

interface Letter {
  subject: string;
  paragraphs: string[];
  action?: { label: string; url: string };
}

/** `publicUrl` is the configured address of the installation, never one that a request named. */
export function createIdentityMails(deps: { mailer: Mailer; productName: string; publicUrl: string }): IdentityMails {
  const { mailer, productName, publicUrl } = deps;
  const send = async (to: string, letter: Letter): Promise<void> => {
    await mailer.send({ to, subject: letter.subject, text: asText(letter, deps), html: asHtml(letter, deps) });
  };
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

function asText({ paragraphs, action }: Letter, { productName, publicUrl }: Signature): string {
  const [first = '', ...rest] = paragraphs;
  const link = action === undefined ? [] : [`${action.label}:\n${action.url}`];
  return `${[first, ...link, ...rest, `${productName}\n${publicUrl}`].join('\n\n')}\n`;
}

function asHtml({ subject, paragraphs, action }: Letter, { productName, publicUrl }: Signature): string {
  const [first = '', ...rest] = paragraphs.map((text) => `<p>${escaped(text)}</p>`);
  const button =
    'display:inline-block;padding:10px 16px;border-radius:6px;background:#1f2937;color:#ffffff;text-decoration:none';
  const link =
    action === undefined
      ? []
      : [
          `<p><a href="${escaped(action.url)}" style="${button}">${escaped(action.label)}</a></p>`,
          `<p style="color:#4b5563;font-size:13px">Or open this address: ${escaped(action.url)}</p>`,
        ];
  const signature = `<p style="color:#4b5563;font-size:13px">${escaped(productName)} · ${escaped(publicUrl)}</p>`;
  const body = [`<h1 style="font-size:20px">${escaped(subject)}</h1>`, first, ...link, ...rest, signature].join('\n');
  const style = 'font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;color:#111827;max-width:560px';
  return `<!doctype html>\n<html lang="en"><body style="${style}">\n${body}\n</body></html>\n`;
}

type Signature = { productName: string; publicUrl: string };

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
