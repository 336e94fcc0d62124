import { useQuery } from '@tanstack/react-query';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { IncidentCard } from './incident-card.tsx';
import { incidentsOptions } from './queries.ts';
import { SectionFault } from './section-fault.tsx';
import { useWritten, Written } from './written-status.tsx';

/** What went wrong in the last ninety days and is over. */
export function PastIncidents() {
  const incidents = useQuery(incidentsOptions);
  const written = useWritten('past');
  const isWritten = incidents.data === undefined && written !== undefined;
  const past = incidents.data?.filter(({ phase }) => phase === 'past');
  return (
    <section aria-labelledby="history" className="flex flex-col gap-4">
      <h2 id="history" className="heading-part">
        Incidents before
      </h2>
      {isWritten && <Written part="past" html={written} />}
      {past?.map((incident) => (
        <IncidentCard key={incident.id} incident={incident} />
      ))}
      {past?.length === 0 && <p className="text-soft">None in the last 90 days.</p>}
      {past === undefined && !isWritten && incidents.isError && (
        <SectionFault what="Earlier incidents" query={incidents} />
      )}
      {incidents.isPending && !isWritten && (
        <Loading label="Loading earlier incidents…">
          <Skeleton className="h-16 w-full" />
        </Loading>
      )}
    </section>
  );
}
