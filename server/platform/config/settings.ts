import { exampleOf, type Variable } from './config-variables.ts';

/** A variable as the operator may read it on a screen. */
export interface Setting {
  name: string;
  about: string;
  /** Null: not set. Of a secret nothing but that it is set: an empty text. */
  value: string | null;
  isSecret: boolean;
  /** What counts while it is not set; empty: nothing. */
  fallback: string;
}

const secretName = /SECRET|KEY|TOKEN|PASSWORD|DSN/;

/** Describes what was set. Secrets, and users and passwords in addresses, are left out. */
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

/** Addresses lose user, password and query, each of which may let someone in. */
function withoutCredentials(value: string): string {
  return value.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s,]*/gi, (address) => {
    if (!URL.canParse(address)) return '…';
    const { protocol, host, pathname } = new URL(address);
    return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
  });
}
