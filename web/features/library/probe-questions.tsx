import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { Probe } from '#contract/probes.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { countOf } from '../../ui/quantities.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import type { ListedSource } from './listed-sources.ts';
import { probesOptions, useSetProbes } from './queries.ts';

interface ProbeQuestionsProps {
  source: ListedSource;
  mayWrite: boolean;
}

/** The questions that a new version of a source must answer before it is served. */
export function ProbeQuestions({ source, mayWrite }: ProbeQuestionsProps) {
  const probes = useQuery(probesOptions(useWorkspaceId(), source));
  return (
    <section aria-labelledby="probe-questions" className="rounded-lg border border-line bg-surface shadow-sm">
      <h2 id="probe-questions" className="heading-part border-line border-b px-4 py-2.5 sm:px-5">
        Probe questions
      </h2>
      <div className="flex flex-col gap-4 px-4 py-4 sm:px-5">
        <p className="text-soft text-sm">
          A new version must answer these about as well as the current one, with about as many tokens. Otherwise it is
          held back until you accept it.
        </p>
        {probes.isError ? (
          <RetryNotice query={probes} title="Couldn't load the questions" />
        ) : probes.data === undefined ? (
          <Loading label="Loading the questions…">
            <Skeleton className="h-5 w-full" />
          </Loading>
        ) : (
          <Questions probes={probes.data} source={source} mayWrite={mayWrite} />
        )}
      </div>
    </section>
  );
}

function Questions({ probes, source, mayWrite }: ProbeQuestionsProps & { probes: Probe[] }) {
  const save = useSetProbes(source);
  const given = probes.filter(({ origin }) => origin === 'person');
  const generated = probes.filter(({ origin }) => origin === 'generated');
  return (
    <>
      {given.length > 0 && (
        <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
          {given.map((probe, at) => (
            <li key={`${probe.question} ${probe.address}`} className="flex items-start gap-3 px-3 py-2 text-sm">
              <span className="wrap-anywhere flex-1">
                <span className="block text-ink">{probe.question}</span>
                <span className="text-faint">{probe.address}</span>
              </span>
              {mayWrite && (
                <Button
                  size="sm"
                  aria-label={`Remove: ${probe.question}`}
                  isBusy={save.isPending}
                  onClick={() => save.mutate(given.filter((_, other) => other !== at))}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayWrite && <NewQuestion given={given} save={save} />}
      {generated.length > 0 ? (
        <details className="text-sm">
          <summary className="cursor-pointer rounded-xs text-soft">
            {countOf(generated.length, 'question', 'questions')} generated from headings and index entries
          </summary>
          <ul className="mt-2 flex flex-col gap-1.5">
            {generated.map(({ question, address }) => (
              <li key={`${question} ${address}`} className="wrap-anywhere text-ink">
                {question} <span className="text-faint">{address}</span>
              </li>
            ))}
          </ul>
        </details>
      ) : (
        <p className="text-faint text-sm">Questions from headings are generated with the next version.</p>
      )}
    </>
  );
}

function NewQuestion({ given, save }: { given: Probe[]; save: ReturnType<typeof useSetProbes> }) {
  const [question, setQuestion] = useState('');
  const [address, setAddress] = useState('');
  const [isTried, setIsTried] = useState(false);
  const missing = (value: string, sentence: string) => (isTried && value.trim() === '' ? sentence : undefined);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (question.trim() === '' || address.trim() === '') return;
    save.mutate([...given, { question, address }], {
      onSuccess: () => {
        setQuestion('');
        setAddress('');
        setIsTried(false);
      },
    });
  };
  return (
    <form noValidate onSubmit={onSubmit} className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_auto]">
      <TextField
        label="Question"
        value={question}
        maxLength={limits.probeQuestionCharactersMax}
        error={missing(question, 'Enter a question.')}
        onValueChange={setQuestion}
      />
      <TextField
        label="Address of the page that answers it"
        value={address}
        maxLength={limits.urlCharactersMax}
        error={
          missing(address, "Enter the page's address.") ?? (save.error ? sentenceForPeople(save.error) : undefined)
        }
        onValueChange={setAddress}
      />
      <Button type="submit" isBusy={save.isPending} className="sm:mt-[1.625rem]">
        Add question
      </Button>
    </form>
  );
}
