export { confirmConf } from './confirm-conf.ts';
export { leaveConf } from './leave-conf.ts';
export { listConf } from './list-conf.ts';
export { createConfMails } from './mails.ts';
export { type ConfDependencies, signUpForConf } from './sign-up-for-conf.ts';
