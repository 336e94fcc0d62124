export type { SignOnDependencies } from './dependencies.ts';
export { getSignOn, removeSignOn, setSignOn, verifySignOnDomain } from './settings.ts';
export { beginSignOn, findSignOn, finishSignOn } from './sign-in.ts';
