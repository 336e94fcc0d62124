import type { InputOf } from '#contract/endpoint.ts';
import type { SourceCredential, SourceSecret, sourceCredentialEndpoints } from '#contract/source-credentials.ts';

export type CredentialKind = SourceCredential['kind'];
export type NewCredential = InputOf<typeof sourceCredentialEndpoints.createSourceCredential>;

/** The form's values; fields that a kind does not need are ignored. */
export interface CredentialFields {
  kind: CredentialKind;
  label: string;
  /** Name of the header or of the user. */
  name: string;
  secret: string;
}

export type CredentialProblems = Partial<Record<keyof CredentialFields, string>>;

export const emptyCredentialFields: CredentialFields = { kind: 'header', label: '', name: '', secret: '' };

export const credentialKindLabels: Record<CredentialKind, string> = {
  header: 'Header',
  cookie: 'Cookie',
  basic: 'User name and password',
  token: 'Access token for git',
  'ssh-key': 'SSH key for git',
};

export const secretLabels: Record<CredentialKind, string> = {
  header: 'Value',
  cookie: 'Cookie',
  basic: 'Password',
  token: 'Token',
  'ssh-key': 'Private key',
};

/** Returns the kinds that apply to a repository or to a site. */
export function kindsFor(source: 'site' | 'git' | 'any'): CredentialKind[] {
  const ofSites: CredentialKind[] = ['header', 'cookie', 'basic'];
  const ofGit: CredentialKind[] = ['token', 'ssh-key'];
  if (source === 'any') return [...ofSites, ...ofGit];
  return source === 'git' ? [...ofGit, 'basic'] : ofSites;
}

/** Returns the credential that the form describes, or its errors. */
export function readCredentialForm(
  fields: CredentialFields,
  url: string,
): { input: NewCredential } | { problems: CredentialProblems } {
  const problems: CredentialProblems = {};
  const name = fields.name.trim();
  if (fields.secret.trim() === '') problems.secret = `Enter the ${secretLabels[fields.kind].toLowerCase()}.`;
  if (fields.kind === 'header' && name === '') problems.name = "Enter the header's name, such as Authorization.";
  if (fields.kind === 'basic' && name === '') problems.name = 'Enter the user name.';
  if (Object.keys(problems).length > 0) return { problems };
  return { input: { url, label: fields.label.trim() || undefined, secret: secretOf(fields, name) } };
}

function secretOf({ kind, secret }: CredentialFields, name: string): SourceSecret {
  switch (kind) {
    case 'header':
      return { kind, name, value: secret.trim() };
    case 'cookie':
      return { kind, value: secret.trim() };
    case 'basic':
      return { kind, username: name, password: secret };
    case 'token':
      return { kind, token: secret.trim(), ...(name === '' ? {} : { username: name }) };
    case 'ssh-key':
      return { kind, privateKey: `${secret.trim()}\n` };
  }
}

/** Returns the credentials for an address's host. */
export function credentialsFor(credentials: SourceCredential[], url: string): SourceCredential[] {
  const host = hostOf(url);
  return host === undefined ? [] : credentials.filter(({ origin }) => hostOf(origin) === host);
}

function hostOf(url: string): string | undefined {
  if (URL.canParse(url) && url.includes('://')) return new URL(url).host;
  return /^(?:[^@/\s]+@)?([^:/\s]+):/.exec(url)?.[1];
}
