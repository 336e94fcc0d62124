import type { Mailer } from './mailer.ts';

/** The content of a mail. All fields are escaped as text, regardless of their author. */
export interface Letter {
  subject: string;
  paragraphs: string[];
  action?: { label: string; url: string };
  /** An alternative action; shown last, as a plain link. */
  secondAction?: { label: string; url: string };
}

/** Resolves when the mail has been accepted; throws MailError otherwise. */
export type SendLetter = (to: string, letter: Letter) => Promise<void>;

interface Signature {
  productName: string;
  /** The installation's configured address, never one from a request. */
  publicUrl: string;
}

/** Renders letters as text and as HTML, signed with the installation's name and address. */
export function createLetters({ mailer, ...signature }: Signature & { mailer: Mailer }): SendLetter {
  return async (to, letter) => {
    const { subject } = letter;
    await mailer.send({ to, subject, text: asText(letter, signature), html: asHtml(letter, signature) });
  };
}

const lineBreaksAndControls = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;
/** Characters by which mail programs detect links: they link `name.example` and anything with `://` or `@`. */
const addressSigns = /[.:/@\\。．｡]/gu;

/**
 * Quotes one person's words in a mail to another: on one line, cut to `charactersMax`, and without anything that a mail
 * program would turn into a link. Hair spaces around an address's separators leave it readable.
 */
export function quotedInMail(text: string, charactersMax = 100): string {
  const line = text.replace(lineBreaksAndControls, ' ').trim();
  const characters = Array.from(line);
  const cut = characters.length > charactersMax ? `${characters.slice(0, charactersMax - 1).join('')}…` : line;
  return cut.replace(addressSigns, '\u200a$&\u200a');
}

function asText({ paragraphs, action, secondAction }: Letter, { productName, publicUrl }: Signature): string {
  const [first = '', ...rest] = paragraphs;
  const link = action === undefined ? [] : [`${action.label}:\n${action.url}`];
  const second = secondAction === undefined ? [] : [`${secondAction.label}:\n${secondAction.url}`];
  return `${[first, ...link, ...rest, ...second, `${productName}\n${publicUrl}`].join('\n\n')}\n`;
}

function asHtml({ subject, paragraphs, action, secondAction }: Letter, { productName, publicUrl }: Signature): string {
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
  const second =
    secondAction === undefined
      ? []
      : [`<p><a href="${escaped(secondAction.url)}">${escaped(secondAction.label)}</a></p>`];
  const signature = `<p style="color:#4b5563;font-size:13px">${escaped(productName)} · ${escaped(publicUrl)}</p>`;
  const body = [
    `<h1 style="font-size:20px">${escaped(subject)}</h1>`,
    first,
    ...link,
    ...rest,
    ...second,
    signature,
  ].join('\n');
  const style = 'font-family:system-ui,sans-serif;font-size:15px;line-height:1.5;color:#111827;max-width:560px';
  return `<!doctype html>\n<html lang="en"><body style="${style}">\n${body}\n</body></html>\n`;
}

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
}
