/** Settings for servers of tests: a hash takes a third of a second of processor time otherwise. */
export const cheapPasswords = { ENVIRONMENT: 'test', LECTERN_PASSWORD_COST: '4' };
