import { useQuery } from '@tanstack/react-query';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useProductName } from '../../lib/session.ts';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useToast } from '../../ui/toast.tsx';
import { accountDetailsOptions, useUpdateConsent } from './queries.ts';

/** The consent to updates by mail. */
export function UpdatesSection() {
  const productName = useProductName();
  const details = useQuery(accountDetailsOptions);
  const update = useUpdateConsent();
  const toast = useToast();
  // Its error is shown, with a retry, among the sign-in methods, which the same call feeds.
  if (details.isError) return null;
  return (
    <SettingsSection id="updates" title="Updates by email">
      <SettingsRow>
        {details.data ? (
          <Switch
            label={`I agree to receive updates about ${productName}. Unsubscribe any time.`}
            isOn={details.data.hasMarketingConsent}
            isBusy={update.isPending}
            onChange={(isOn) =>
              update.mutate(isOn, {
                onError: (error) => toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: 5_000 }),
              })
            }
          />
        ) : (
          <Skeleton className="h-5 w-72 max-w-full" />
        )}
      </SettingsRow>
    </SettingsSection>
  );
}
