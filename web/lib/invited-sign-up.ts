/** Data that an invite's page passes to the sign-up screen in the history state. */
export interface InvitedSignUp {
  email: string;
  teamName: string;
}

/** Returns the data passed by an invite's page, or undefined if the screen was opened in another way. */
export function invitedSignUp(state: unknown): InvitedSignUp | undefined {
  if (typeof state !== 'object' || state === null || !('email' in state) || !('teamName' in state)) return undefined;
  const { email, teamName } = state;
  return typeof email === 'string' && typeof teamName === 'string' ? { email, teamName } : undefined;
}
