import { teamAdministration, teamEndpoints } from '#contract/teams.ts';
import { AppError } from '#server/app-error.ts';
import { type Call, call } from './call-table.ts';

/** Teams, memberships and their administration. */
export function teamCalls(): Call[] {
  const later = () => Promise.reject(new AppError('unimplemented'));
  return [...Object.values(teamEndpoints), ...Object.values(teamAdministration)].map((endpoint) =>
    call(endpoint as Call['endpoint'], later),
  );
}
