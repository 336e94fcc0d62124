import * as limits from '#contract/limits.ts';
import { quotedInMail, type SendLetter } from '#server/platform/mail/letter.ts';

/** One invite on its way. The token is in no other place than this mail. */
export interface InviteMail {
  to: string;
  token: string;
  teamName: string;
  /** Name and address of the person who invites; the name is their own words. */
  invitedBy: string;
}

export interface InviteMails {
  sendInvite(mail: InviteMail): Promise<void>;
}

/** A long name must not push the address out. */
const inviterCharactersMax = limits.displayNameCharactersMax + limits.emailCharactersMax + 3;

/** `publicUrl` is the configured address of the installation, never one that a request named. */
export function createInviteMails(deps: { send: SendLetter; productName: string; publicUrl: string }): InviteMails {
  const { send, productName, publicUrl } = deps;
  return {
    async sendInvite({ to, token, teamName, invitedBy }) {
      const team = quotedInMail(teamName);
      await send(to, {
        subject: `Join the team "${team}" on ${productName}`,
        paragraphs: [
          `${quotedInMail(invitedBy, inviterCharactersMax)} invites you to the team "${team}" on ${productName}, where coding agents search documentation.`,
          `The link works once, within ${limits.inviteLifetimeDays} days, for this address. If you don't know this person, you can ignore this email.`,
        ],
        action: { label: 'Accept the invitation', url: `${publicUrl}/accept/${token}` },
      });
    },
  };
}
