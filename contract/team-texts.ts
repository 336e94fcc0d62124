/** Texts of the team screens, in addition to the messages of the error table. */
export const teamTexts = {
  signInRequired: 'Sign In Required',
  inviteAccepted: 'Team invite accepted successfully!',
  inviteRefused: 'Unable to Accept Invitation',
  inviteMissing: 'Invitation Not Found',
} as const;

/** How long a toast about an invite stays visible. */
export const inviteToastSeconds = { accepted: 3, refused: 5 } as const;

/**
 * Messages for team administration calls that failed without a message from the server. `{status}` is the HTTP status.
 */
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

/** Returns the message for a call that failed with `status` and no server message. */
export function teamCallFailure(name: TeamCallName, status: number): string {
  return failures[name].replace('{status}', String(status));
}
