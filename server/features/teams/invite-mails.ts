import * as limits from '#contract/limits.ts';
import { quotedInMail, type SendLetter } from '#server/platform/mail/letter.ts';

/** An invite to send. Its token exists only in this email. */
export interface InviteMail {
  to: string;
  token: string;
  teamName: string;
  /** Name and address of the inviter; the name is chosen by the user. */
  invitedBy: string;
}

export interface InviteMails {
  sendInvite(mail: InviteMail): Promise<void>;
}

/** A long name must not displace the address. */
const inviterCharactersMax = limits.displayNameCharactersMax + limits.emailCharactersMax + 3;

/** Creates the emails; `publicUrl` must be the configured address of the installation, never one from a request. */
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
