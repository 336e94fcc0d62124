import { useCallback } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';

export type VerificationOutcome = 'verified' | 'was-verified';

interface Kept {
  oobCode?: string;
  outcome?: VerificationOutcome;
}

/** The opened link's code. Once read, it is moved from the address to the tab's history state. */
export function useActionCode(): {
  code: string;
  /** Result of the link's verification, once finished. */
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
