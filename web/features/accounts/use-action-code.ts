import { useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

export type VerificationOutcome = 'verified' | 'was-verified';

interface Kept {
  oobCode?: string;
  outcome?: VerificationOutcome;
}

/** The code of the link that was opened. Once it has been read it is kept with the tab's history, out of the address. */
export function useActionCode(): {
  code: string;
  /** How the link's verification ended, when it has. */
  outcome: VerificationOutcome | undefined;
  takeOutOfAddress: (kept: Kept) => void;
} {
  const navigate = useNavigate();
  const kept = useLocation().state as Kept | null;
  const [params] = useSearchParams();
  const mode = params.get('mode') ?? '';
  const takeOutOfAddress = useCallback(
    (state: Kept) =>
      void navigate({ search: `?${new URLSearchParams({ mode }).toString()}` }, { replace: true, state }),
    [navigate, mode],
  );
  return { code: params.get('oobCode') ?? kept?.oobCode ?? '', outcome: kept?.outcome, takeOutOfAddress };
}
