import { randomBytes } from 'node:crypto';
import { teamHeader } from '#contract/team-header.ts';
import { hashToken } from '#server/features/accounts/index.ts';
import { type SampleTeam, sampleTeam } from '../services/sample-team.ts';
import type { HttpRig, Sender } from './http-rig.ts';

/** Members of several teams on one server. */
export interface Tenants {
  /** Returns the team's id. Creates an account with a verified address for each member without one. */
  team(team: SampleTeam): Promise<string>;
  /** Returns the browser session of a user with an account; acts in the team if given. */
  person(userId: string, teamId?: string): Promise<Sender>;
}

export function tenantsOf(rig: HttpRig): Tenants {
  const { db, clock } = rig.running.installation.base;
  return {
    team: (team) => sampleTeam(db, team),
    async person(userId, teamId) {
      const token = randomBytes(16).toString('base64url');
      const now = clock.now();
      await db.query
        .insertInto('webSessions')
        .values({
          ...{ tokenHash: hashToken(token), userId, id: token.slice(0, 8) },
          ...{ createdAt: now, lastSeenAt: now, expiresAt: now + 3_600_000 },
        })
        .execute();
      const sender = { cookie: `lectern_session=${token}`, 'x-lectern-csrf': '1' };
      return teamId === undefined ? sender : { ...sender, [teamHeader]: teamId };
    },
  };
}
