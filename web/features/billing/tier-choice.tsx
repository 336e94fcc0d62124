import { type PaidTier, paidTiers } from '#contract/billing.ts';
import { plans, type Tier } from '#contract/plans.ts';
import { Badge } from '../../ui/badge.tsx';
import { countOf } from '../../ui/quantities.ts';
import { planPurposes, roomOf } from './plan-facts.ts';

interface TierChoiceProps {
  value: PaidTier;
  current: Tier;
  onChange: (tier: PaidTier) => void;
}

/** The plan of a team: one of the paid ones, priced by the seat. */
export function TierChoice({ value, current, onChange }: TierChoiceProps) {
  return (
    <fieldset>
      <legend className="font-medium text-ink text-sm">Plan</legend>
      <div className="mt-2 divide-y divide-line rounded-lg border border-line bg-surface">
        {paidTiers.map((tier) => (
          <label
            key={tier}
            className="flex cursor-pointer items-start gap-3 px-4 py-3.5 first:rounded-t-lg last:rounded-b-lg has-checked:bg-lamp-ground/50 has-focus-visible:outline-2 has-focus-visible:outline-lamp"
          >
            <input
              type="radio"
              name="tier"
              value={tier}
              checked={tier === value}
              onChange={() => onChange(tier)}
              className="mt-1 size-4 shrink-0 accent-lamp outline-none"
            />
            <span className="min-w-0 flex-1">
              <span className="flex items-center gap-2 font-medium text-ink">
                {tier}
                {tier === current && <Badge tone="good">The team's plan</Badge>}
              </span>
              <span className="block text-soft text-sm">
                {countOf(plans[tier].creditsPerMonth, 'credit')} a month for each seat
              </span>
              <span className="block text-faint text-xs">{roomOf(tier)}</span>
              <span className="block text-faint text-xs">{planPurposes[tier]}</span>
            </span>
            <span className="tabular shrink-0 text-right">
              <span className="block font-semibold text-ink text-lg">${plans[tier].usdPerMonth}</span>
              <span className="block text-faint text-xs">a seat, monthly</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
