import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { IncidentForm } from './incident-form.tsx';
import { statusOptions } from './queries.ts';
import { UpdateForm } from './update-form.tsx';

/** Where the operator reports incidents. */
export function OperatorSection() {
  const [isWriting, setIsWriting] = useState(false);
  const incidents = useQuery(statusOptions).data?.incidents ?? [];
  return (
    <section
      aria-labelledby="operator"
      className="flex flex-col gap-5 rounded-xl border border-line-strong bg-sunken px-5 py-5 sm:px-7"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="operator" className="heading-part">
            For the operator
          </h2>
          <p className="text-soft text-sm">Your text is published immediately on this page and in the feed.</p>
        </div>
        {!isWriting && <Button onClick={() => setIsWriting(true)}>Report an incident</Button>}
      </div>
      {isWriting && <IncidentForm onClose={() => setIsWriting(false)} />}
      {incidents.map((incident) => (
        <UpdateForm key={incident.id} incident={incident} />
      ))}
    </section>
  );
}
