import { randomBytes } from 'node:crypto';
import { teamHeader } from '#contract/team-header.ts';
import { hashToken } from '#server/features/accounts/index.ts';
import { type SampleTeam, sampleTeam } from '../services/sample-team.ts';
import type { HttpRig, Sender } from './http-rig.ts';

/** People of several teams on one server. */
export interface Tenants {
  /** Returns the team's id. Members get an account with a verified address unless they have one. */
  team(team: SampleTeam): Promise<string>;
  /** The browser session of someone who has an account; with a team, acting in it. */
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
