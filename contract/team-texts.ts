/** What the screens of teams say, beside the sentences of the error table. */
export const teamTexts = {
  signInRequired: 'Sign In Required',
  inviteAccepted: 'Team invite accepted successfully!',
  inviteRefused: 'Unable to Accept Invitation',
  inviteMissing: 'Invitation Not Found',
} as const;

/** How long a toast about an invite stays. */
export const inviteToastSeconds = { accepted: 3, refused: 5 } as const;

/** What is said of a call of team administration that failed without a word of the server. `{status}` is the HTTP status. */
const failures = {
  createTeam: 'Failed to create team: {status}',
  inviteMembers: 'Failed to invite members: {status}',
  accept: 'Failed to accept invite: {status}',
  decline: 'Failed to decline invite: {status}',
  acceptInvite: 'Failed to accept invite: {status}',
  deleteTeam: 'Failed to delete team: {status}',
  createSubscription: 'Failed to create subscription: {status}',
  manageSeats: 'Failed to manage seats: {status}',
  purchaseCredits: 'Failed to purchase credits: {status}',
  openPortal: 'Failed to create team portal session',
  setMemberRole: 'Failed to update team member role',
  removeMember: 'Failed to remove team member',
  resendInvite: 'Failed to resend invite',
  leaveTeam: 'Failed to leave team',
} as const;

export type TeamCallName = keyof typeof failures;

/** The sentence for a call that failed with `status` and nothing else. */
export function teamCallFailure(name: TeamCallName, status: number): string {
  return failures[name].replace('{status}', String(status));
}
