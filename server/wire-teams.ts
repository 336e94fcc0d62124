import type { Config } from '#server/config.ts';
import type { BackgroundWork } from '#server/features/accounts/index.ts';
import { closeBilling } from '#server/features/billing/index.ts';
import { deleteTeamChats, deleteTeamChatsOf } from '#server/features/chat/index.ts';
import { endTeamConnections, endTeamConnectionsOf } from '#server/features/connections/index.ts';
import { pauseRepositoriesOfMember } from '#server/features/hosting/index.ts';
import { removeIndexRequests } from '#server/features/index-requests/index.ts';
import { removeTeamKeys, revokeTeamKeysOf } from '#server/features/keys/index.ts';
import { moveModules, removeTeamLibrary } from '#server/features/library/index.ts';
import { movePdfSets, removeTeamPdfSets } from '#server/features/pdf-sets/index.ts';
import { moveProfiles, removeTeamProfiles } from '#server/features/profile/index.ts';
import { deleteTeamSessions } from '#server/features/search/index.ts';
import { createInviteMails, type TeamDependencies } from '#server/features/teams/index.ts';
import type { SendLetter } from '#server/platform/mail/letter.ts';

/** Composes what teams need, and what features above them do when somebody leaves a team or a team is deleted. */
export function wireTeams(
  config: Pick<Config, 'productName'>,
  parts: { publicUrl: string; letters: SendLetter; background: BackgroundWork } & Pick<
    TeamDependencies,
    'endOtherAccess'
  >,
): TeamDependencies {
  const { publicUrl, letters, background, endOtherAccess } = parts;
  return {
    inviteMails: createInviteMails({ send: letters, productName: config.productName, publicUrl }),
    background,
    endOtherAccess,
    moveLibrary: async (tx, { userId, teamId }, now) => {
      const [from, to] = [`user:${userId}`, `team:${teamId}`] as const;
      await moveModules(tx, from, to, now);
      await movePdfSets(tx, from, to);
      await moveProfiles(tx, from, to);
    },
    memberRemovals: [revokeTeamKeysOf, endTeamConnectionsOf, pauseRepositoriesOfMember, deleteTeamChatsOf],
    teamRemovals: [
      (tx, team, now) => closeBilling(tx, `team:${team.id}`, now),
      (tx, team) => removeTeamKeys(tx, team.id),
      (tx, team, now) => endTeamConnections(tx, team.id, now),
      (tx, team, now) => removeTeamLibrary(tx, team.id, now),
      (tx, team) => removeIndexRequests(tx, `team:${team.id}`),
      (tx, team, now) => removeTeamPdfSets(tx, team.id, now),
      (tx, team) => removeTeamProfiles(tx, team.id),
      (tx, team) => deleteTeamSessions(tx, team.id),
      (tx, team) => deleteTeamChats(tx, team.id),
    ],
  };
}
