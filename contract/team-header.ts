/** Names the team that a request acts in; without it a person acts for themselves. */
export const teamHeader = 'x-lectern-team';
