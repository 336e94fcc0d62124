import { upgradePath } from '#contract/credits.ts';
import { AppError } from '#server/app-error.ts';
import type { Balance } from './credit-info.ts';
import type { Payer } from './payer.ts';

const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `credits-exhausted`, with whose credits are out, when they renew and who can do what about it. */
export function creditsExhausted(
  { info, end }: Balance,
  payer: Pick<Payer, 'team' | 'isPool'>,
  publicUrl: string,
): AppError {
  const renewal =
    end === 'unpaid'
      ? `The last payment for the ${info.tier} plan failed, so its monthly allowance does not renew.`
      : end === 'cancelled'
        ? `The ${info.tier} plan was cancelled, so its monthly allowance does not renew.`
        : info.renewsAt === null
          ? `The ${info.tier} plan has no monthly allowance.`
          : `The monthly allowance renews on ${date.format(info.renewsAt)}.`;
  return new AppError('credits-exhausted', {
    values: { balance: info.totalCreditsAvailable, renewal, ...remedyOf(payer, publicUrl) },
  });
}

function remedyOf(
  { team, isPool }: Pick<Payer, 'team' | 'isPool'>,
  publicUrl: string,
): { whose: string; remedy: string } {
  if (team === undefined) return { whose: '', remedy: `Get more at ${publicUrl}${upgradePath}.` };
  const query = `?teamId=${encodeURIComponent(team.id)}`;
  if (isPool) {
    return {
      whose: ` in the pool of ${team.name}`,
      remedy: `An admin of the team can add seats or buy credits at ${publicUrl}/upgrade-team${query}.`,
    };
  }
  return {
    whose: ` on your own account, which pays for your calls in ${team.name} because you have no paid seat there`,
    remedy: `An admin of the team can give you one at ${publicUrl}/team-manage-seats${query}; or get more yourself at ${publicUrl}${upgradePath}.`,
  };
}
