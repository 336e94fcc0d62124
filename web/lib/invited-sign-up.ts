/** What the page of an invite hands to the sign-up screen with the step there, in the state of the history. */
export interface InvitedSignUp {
  email: string;
  teamName: string;
}

/** Returns what an invite's page handed on, or undefined for any other way to the screen. */
export function invitedSignUp(state: unknown): InvitedSignUp | undefined {
  if (typeof state !== 'object' || state === null || !('email' in state) || !('teamName' in state)) return undefined;
  const { email, teamName } = state;
  return typeof email === 'string' && typeof teamName === 'string' ? { email, teamName } : undefined;
}
