import { ApiError, sentenceForPeople } from '../../lib/api-error.ts';
import { PortalButton } from './portal-button.tsx';
import type { Payer } from './queries.ts';

interface ChangeFaultProps {
  payer: Payer;
  error: unknown;
}

/** Why a change was not made; a declined card is changed in the portal. */
export function ChangeFault({ payer, error }: ChangeFaultProps) {
  if (!error) return null;
  return (
    <div role="alert" className="flex flex-col items-start gap-2">
      <p className="text-danger text-sm">{sentenceForPeople(error)}</p>
      {error instanceof ApiError && error.code === 'payment-declined' && (
        <PortalButton payer={payer} label="Change the card…" size="sm" />
      )}
    </div>
  );
}
