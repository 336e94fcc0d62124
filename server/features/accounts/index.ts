export { ensureLocalOwner } from './local-owner.ts';
export { requireOperator, requirePerson, requireUserId } from './policy.ts';
export { hashToken } from './secrets.ts';
export { createSignInLink, redeemSignInLink } from './sign-in-link.ts';
export { actingUser, endWebSession, hasWebSession, userOfWebSession } from './web-session.ts';
