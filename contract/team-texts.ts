/** Texts of the team screens, in addition to the messages of the error table. */
export const teamTexts = {
  signInRequired: 'Sign In Required',
  inviteAccepted: 'Team invite accepted successfully!',
  inviteRefused: 'Unable to Accept Invitation',
  inviteMissing: 'Invitation Not Found',
} as const;

/** How long a toast about an invite stays visible. */
export const inviteToastSeconds = { accepted: 3, refused: 5 } as const;
