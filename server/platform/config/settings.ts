import { exampleOf, type Variable } from './config-variables.ts';

/** A variable shown to the operator on a screen. */
export interface Setting {
  name: string;
  about: string;
  /** Null if not set. For a secret that is set: empty text. */
  value: string | null;
  isSecret: boolean;
  /** The value used while the variable is not set; empty for none. */
  fallback: string;
}

const secretName = /SECRET|KEY|TOKEN|PASSWORD|DSN/;

/** Describes the variables that were set. Omits secrets, and users and passwords in addresses. */
export function settingsOf(
  variables: Record<string, Variable<unknown>>,
  valueOf: (name: string) => string | undefined,
): Setting[] {
  return Object.entries(variables).map(([name, variable]) => {
    const value = valueOf(name);
    const isSecret = secretName.test(name);
    const shown = value === undefined ? null : isSecret ? '' : withoutCredentials(value);
    return { name, about: variable.about, value: shown, isSecret, fallback: exampleOf(variable) };
  });
}

/** Removes the user, password and query of addresses, any of which may be a credential. */
function withoutCredentials(value: string): string {
  return value.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s,]*/gi, (address) => {
    if (!URL.canParse(address)) return '…';
    const { protocol, host, pathname } = new URL(address);
    return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
  });
}
