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
  /** The team's purchased credits: the sum of its ledger rows that are not from the allowance. */
  credits: Generated<number>;
  /** Credits of the most recently paid billing cycle, for all paid seats together. */
  monthlyAllowance: Generated<number>;
  /** Start of that cycle; null without one. */
  allowanceStartAt: number | null;
  numberOfPaidSeats: Generated<number>;
  /** Id at the payment provider. */
  customerId: string | null;
  subscriptionId: string | null;
  subscriptionStatus: string | null;
  /** Billing cycles begin on its day of the month; null before the first subscription. */
  subscriptionStartAt: number | null;
  subscriptionEndAt: number | null;
  discountCode: string | null;
  /** Percent or cents, in the format that `billing` writes. */
  discountAmount: number | null;
  /** Team keys are shown only once, at creation. */
  showsKeysOnce: Generated<number>;
}

interface MembershipsTable {
  id: string;
  teamId: string;
  /** Null while the row is an invite. */
  userId: string | null;
  /** Lower case; the invited address, or the member's own. Null for a local owner without an address. */
  email: string | null;
  role: TeamRole;
  state: 'invited' | 'accepted';
  hasPaidSeat: Generated<number>;
  invitedByUserId: string | null;
  inviteTokenHash: string | null;
  inviteExpiresAt: number | null;
  lastInviteSentAt: number | null;
  /** When the row was created: by the invite, or by founding the team. */
  joinedAt: number;
  acceptedAt: number | null;
  declinedAt: number | null;
  /** When the member declined, left or was removed, or the invite was withdrawn; null for a current row. */
  endedAt: number | null;
}

interface TeamSignOnsTable {
  teamId: string;
  /** Lower case, in ASCII. */
  domain: string;
  /** The token the team must publish to prove that it owns the domain. */
  domainToken: string;
  /** Null until the domain is proved, and again once the proof has lapsed. */
  verifiedAt: number | null;
  /** When name servers last reported whether the record exists. */
  checkedAt: number | null;
  /** When the record was first missing; kept when the proof lapses. */
  missingSince: number | null;
  /** The operator vouches for the domain: no record is checked. */
  isVouchedFor: Generated<number>;
  issuer: string;
  clientId: string;
  clientSecretSealed: string;
  defaultRole: 'writer' | 'reader';
  createdAt: number;
  updatedAt: number;
}
