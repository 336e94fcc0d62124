import type { Generated } from 'kysely';
import type { TeamRole } from '../column-types.ts';

export interface TeamsTables {
  teams: TeamsTable;
  memberships: MembershipsTable;
  teamSignOns: TeamSignOnsTable;
}

interface TeamsTable {
  id: string;
  name: string;
  createdAt: number;
  createdBy: string;
  tier: Generated<string>;
  /** Purchased credits of the team: the sum of its ledger rows that are not from the allowance. */
  credits: Generated<number>;
  /** Credits of the billing cycle that was paid for last, of all paid seats together. */
  monthlyAllowance: Generated<number>;
  /** When that cycle began; null without one. */
  allowanceStartAt: number | null;
  numberOfPaidSeats: Generated<number>;
  /** At the payment provider. */
  customerId: string | null;
  subscriptionId: string | null;
  subscriptionStatus: string | null;
  /** The day of its month is when billing cycles begin; null: there was no subscription yet. */
  subscriptionStartAt: number | null;
  subscriptionEndAt: number | null;
  discountCode: string | null;
  /** Percent, or cents: as `billing` writes it. */
  discountAmount: number | null;
  /** Keys of the team are shown when they are made and never again. */
  showsKeysOnce: Generated<number>;
}

interface MembershipsTable {
  id: string;
  teamId: string;
  /** Null as long as it is an invite. */
  userId: string | null;
  /** Lower case; the address the invite went to, or the person's own. Null for a local owner without one. */
  email: string | null;
  role: TeamRole;
  state: 'invited' | 'accepted';
  hasPaidSeat: Generated<number>;
  invitedByUserId: string | null;
  inviteTokenHash: string | null;
  inviteExpiresAt: number | null;
  lastInviteSentAt: number | null;
  /** When the row was made: invited, or founded the team. */
  joinedAt: number;
  acceptedAt: number | null;
  declinedAt: number | null;
  /** Declined, withdrawn, left or removed; null: the row counts. */
  endedAt: number | null;
}

interface TeamSignOnsTable {
  teamId: string;
  /** Lower case, in ASCII. */
  domain: string;
  /** What the team has to publish to prove that the domain is its own. */
  domainToken: string;
  /** Null until it was proved, and again once the proof has lapsed. */
  verifiedAt: number | null;
  /** When name servers last said whether the record is there. */
  checkedAt: number | null;
  /** When it was first not there; it stays when the proof lapses. */
  missingSince: number | null;
  /** The operator said that the domain is the team's: no record is looked for. */
  isVouchedFor: Generated<number>;
  issuer: string;
  clientId: string;
  clientSecretSealed: string;
  defaultRole: 'writer' | 'reader';
  createdAt: number;
  updatedAt: number;
}
