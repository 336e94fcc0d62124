/** Sign-ins lead to the setup while it is `open`; `left` once the user has skipped or finished it. */
export const setupStates = ['open', 'left'] as const;
/** The name under which `useStoredChoice` stores it. */
export const setupChoiceName = 'setup';
export const setupPath = '/welcome';
