/** Names the team that a request acts for; without it, users act for themselves. */
export const teamHeader = 'x-lectern-team';
