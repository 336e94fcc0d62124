import type { SignOn } from '#contract/sign-on.ts';
import type { SignOnRow } from './store.ts';

/** The record that proves a domain. A name of its own, so that nothing else at the domain is touched. */
export function recordOf({ domain, domainToken }: Pick<SignOnRow, 'domain' | 'domainToken'>): SignOn['record'] {
  return { name: `_lectern.${domain}`, value: `lectern-domain=${domainToken}` };
}

export function presentSignOn(row: SignOnRow): SignOn {
  const { domain, verifiedAt, issuer, clientId, defaultRole, updatedAt } = row;
  return { domain, record: recordOf(row), verifiedAt, issuer, clientId, defaultRole, updatedAt };
}
