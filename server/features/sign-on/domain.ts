import { domainToASCII } from 'node:url';
import { AppError } from '#server/app-error.ts';

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const shape = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!\\d+$)${label}$`);

/** The one form of a domain that is stored and compared: ASCII (RFC 5891), lower case. Refuses what is none. */
export function normalizeDomain(text: string): string {
  const domain = domainToASCII(text.trim().replace(/^@/, '').replace(/\.$/, ''));
  if (!shape.test(domain)) throw new AppError('domain-invalid', { values: { domain: text.slice(0, 100) } });
  return domain;
}

/** The domain of an address that is stored; undefined for one that no team can prove. */
export function domainOf(email: string): string | undefined {
  const domain = domainToASCII(email.slice(email.lastIndexOf('@') + 1));
  return shape.test(domain) ? domain : undefined;
}
