import { Link } from 'react-router';
import type { Billing } from '#contract/billing.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { SettingsRow } from '../../ui/settings.tsx';

/** How many of the seats a team pays for are given to members. */
export function SeatsRow({ billing: { assignedSeats, numberOfPaidSeats } }: { billing: Billing }) {
  const free = numberOfPaidSeats - assignedSeats;
  return (
    <SettingsRow className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-52">
        <h3 className="font-medium text-ink text-sm">Seats</h3>
        <p className="tabular mt-0.5 text-faint text-xs">
          {formatCount(assignedSeats)} of {countOf(numberOfPaidSeats, 'paid seat')} assigned to members
          {free > 0 && `; ${formatCount(free)} free`}
        </p>
      </div>
      <Link to="/team-manage-seats" className={buttonClasses()}>
        Manage seats
      </Link>
    </SettingsRow>
  );
}
