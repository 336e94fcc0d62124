/** Signing in leads to the setup while it is `open`; `left` once the user has skipped or finished it. */
export const setupStates = ['open', 'left'] as const;
/** The name that `useStoredChoice` keeps it under. */
export const setupChoiceName = 'setup';
/** Where an installation is set up, step by step. */
export const setupPath = '/welcome';
