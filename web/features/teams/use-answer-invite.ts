import { inviteToastSeconds, teamTexts } from '#contract/team-texts.ts';
import type { Membership } from '#contract/teams.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useToast } from '../../ui/toast.tsx';
import { useRespondToInvite } from './queries.ts';

interface AnswerInvite {
  answer: (response: 'accept' | 'decline') => void;
  /** The answer that is on its way. */
  underWay: 'accept' | 'decline' | undefined;
}

/** Accepts or declines one invite and tells what became of it. */
export function useAnswerInvite({ teamId, inviteInfo }: Membership, onAnswered?: () => void): AnswerInvite {
  const respond = useRespondToInvite();
  const toast = useToast();
  const answer = (response: 'accept' | 'decline') => {
    if (respond.isPending) return;
    respond.mutateAsync({ teamId, response }).then(
      () => {
        const declined = `Invite to ${inviteInfo?.teamName ?? 'the team'} declined`;
        toast({
          message: response === 'accept' ? teamTexts.inviteAccepted : declined,
          durationMs: inviteToastSeconds.accepted * 1_000,
        });
        if (response === 'accept') onAnswered?.();
      },
      (error: unknown) =>
        toast({
          message: sentenceForPeople(error),
          tone: 'bad',
          durationMs: inviteToastSeconds.refused * 1_000,
        }),
    );
  };
  return { answer, underWay: respond.isPending ? respond.variables.response : undefined };
}
