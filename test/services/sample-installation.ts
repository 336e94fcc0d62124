import { expect } from 'vitest';
import type { TeamRole } from '#contract/teams.ts';
import { endAccess } from '#server/features/accounts/end-access.ts';
import { closeBilling } from '#server/features/billing/close-billing.ts';
import { endTeamConnections, endTeamConnectionsOf } from '#server/features/connections/connections.ts';
import { accountCreditsOf } from '#server/features/credits/credit-info.ts';
import { moveModules } from '#server/features/indexing/move-modules.ts';
import { removeTeamLibrary } from '#server/features/indexing/remove-module.ts';
import { removeTeamKeys, revokeTeamKeysOf } from '#server/features/keys/api-keys.ts';
import { acceptInvite } from '#server/features/teams/accept-invite.ts';
import { createTeam } from '#server/features/teams/change-teams.ts';
import type { TeamDependencies } from '#server/features/teams/dependencies.ts';
import { listTeamMembers } from '#server/features/teams/index.ts';
import { createInviteMails } from '#server/features/teams/invite-mails.ts';
import { inviteMembers } from '#server/features/teams/invite-members.ts';
import type { DatabaseKind } from './database.ts';
import { browserAt, type IdentitySample, openIdentitySample, type SampleContext } from './sample-identity.ts';

export const credits = { accountCredits: accountCreditsOf };

/** A sample installation with teams, without the features built on them. */
export interface TeamSample extends IdentitySample {
  teams: TeamDependencies;
  /** Returns a signed-in user with a verified address. */
  person(name: string): Promise<SampleContext>;
  /** Creates a team as its founder. */
  found(founder: SampleContext, name?: string): Promise<string>;
  /** Invites an address and returns the token from the mail. */
  invite(admin: SampleContext, teamId: string, email: string, role?: TeamRole): Promise<string>;
  /** Invites a user, who accepts. */
  member(admin: SampleContext, teamId: string, name: string, role: TeamRole): Promise<SampleContext>;
  /** Returns the id of this address's membership or invite. */
  membershipId(admin: SampleContext, teamId: string, email: string): Promise<string>;
  /** Returns the tokens mailed to an address, oldest first. */
  tokensTo(email: string): Promise<string[]>;
}

/** Returns team features connected to keys, connections and modules. */
export function teamsWithAgents({
  send,
  background,
}: Pick<IdentitySample, 'send'> & Pick<TeamDependencies, 'background'>) {
  const teams: TeamDependencies = {
    inviteMails: createInviteMails({ send, productName: 'Sample', publicUrl: 'https://docs.example' }),
    background,
    endOtherAccess: async () => undefined,
    moveLibrary: async (tx, { userId, teamId }, now) =>
      void (await moveModules(tx, `user:${userId}`, `team:${teamId}`, now)),
    writingEnded: async () => undefined,
    async memberLeft(tx, member, now) {
      await revokeTeamKeysOf(tx, member, now);
      await endTeamConnectionsOf(tx, member, now);
    },
    async teamDeleted(tx, { id }, now) {
      await closeBilling(tx, `team:${id}`, now);
      await removeTeamKeys(tx, id);
      await endTeamConnections(tx, id, now);
      await removeTeamLibrary(tx, id, now);
    },
  };
  return teams;
}

export const addressOf = (name: string) => `${name}@docs.example`;

/** Opens a sample; its parts close after the test. */
export async function openTeamSample(kind: DatabaseKind = 'sqlite'): Promise<TeamSample> {
  const sample = await openIdentitySample(kind);
  const teams = teamsWithAgents({ send: sample.send, background: sample.deps.background });
  teams.endOtherAccess = (tx, userId, now, except) => endAccess(tx, userId, now, sample.deps, except);
  const tokensTo = async (email: string) =>
    (await sample.mailsTo(email)).flatMap(({ text }) => /\/accept\/([\w-]+)/.exec(text)?.[1] ?? []);
  const person = async (name: string) => {
    const { ctx, userId } = await sample.join(addressOf(name));
    const change = { emailVerifiedAt: 1, displayName: name };
    await ctx.db.query.updateTable('users').set(change).where('id', '=', userId).execute();
    return ctx;
  };
  const invite: TeamSample['invite'] = async (admin, teamId, email, role = 'writer') => {
    const [outcome] = await inviteMembers(admin, { teamId, teamMembers: [{ email, role }] }, teams);
    expect(outcome).toMatchObject({ outcome: 'invited' });
    return (await tokensTo(email.toLowerCase())).at(-1) ?? '';
  };
  return {
    ...sample,
    ...{ teams, person, invite, tokensTo },
    async found(founder, name = 'Docs') {
      const input = { teamName: name, teamMembers: [], shouldMigrateIndex: false };
      return (await createTeam(founder, input, teams)).teamId;
    },
    async member(admin, teamId, name, role) {
      const ctx = await person(name);
      await acceptInvite(ctx, { token: await invite(admin, teamId, addressOf(name), role) }, browserAt(), teams);
      return ctx;
    },
    async membershipId(admin, teamId, email) {
      const found = (await listTeamMembers(admin, { teamId }, credits)).find((one) => one.email === email);
      return found?.membershipId ?? '';
    },
  };
}
