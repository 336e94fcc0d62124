import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type JobRun, libraryEndpoints, type RecognisedSource } from '#contract/library.ts';
import { callApi } from '../../lib/api-client.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { individualWorkspace, useWorkspaceId } from '../../lib/workspace.ts';
import {
  type CredentialFields,
  type CredentialProblems,
  emptyCredentialFields,
  readCredentialForm,
} from './credential-form.ts';
import { type StartJobInput, useCreateCredential, useStartIndexJob } from './queries.ts';
import {
  addressOf,
  emptySourceFields,
  isAddressOrFolder,
  readSourceForm,
  type SourceFields,
  type SourceProblems,
} from './source-form.ts';
import { useMayPublish } from './source-options.tsx';

interface AddSourceEvents {
  onStarted: (job: JobRun) => void;
  /** Called when a field is marked as invalid; `isInOptions` if the field is among the collapsed ones. */
  onProblem: (isInOptions: boolean) => void;
}

/** State of the form that adds a source: its values, the recognised source, errors, and submission. */
export function useAddSource({ onStarted, onProblem }: AddSourceEvents) {
  const empty = useEmptyFields();
  // Other screens link here with the address of a missing source.
  const [params] = useSearchParams();
  const [fields, setFields] = useState(() => ({ ...empty, source: params.get('source') ?? '' }));
  const [problems, setProblems] = useState<SourceProblems>({});
  const credential = useNewCredential();
  const start = useStartIndexJob();
  const recognised = useRecognised(fields.source);

  const change = <Name extends keyof SourceFields>(name: Name, value: SourceFields[Name]) => {
    setFields((known) => ({ ...known, [name]: value }));
    setProblems(({ [name]: _solved, ...others }) => others);
    start.reset();
    credential.forgetFault();
  };

  const send = async (input: StartJobInput) => {
    try {
      if (fields.credential !== 'new') return await start.mutateAsync(input);
      const credentialId = await credential.store(input.source);
      if (credentialId === undefined) return onProblem(true);
      // It is stored now, even if the next call fails.
      setFields((known) => ({ ...known, credential: credentialId }));
      return await start.mutateAsync({ ...input, credentialId });
    } catch {
      // The error is shown beside the address.
      return onProblem(false);
    }
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (start.isPending || credential.isBusy) return;
    const read = readSourceForm(fields, recognised?.kind);
    setProblems('problems' in read ? read.problems : {});
    if ('problems' in read) return onProblem(Object.keys(read.problems).some((name) => name !== 'source'));
    const answer = await send(read.input);
    if (!answer) return;
    setFields(empty);
    onStarted(answer.job);
  };

  const fault = credential.fault ?? start.error;
  return {
    fields,
    problems,
    change,
    credential: credential.fields,
    credentialProblems: credential.problems,
    changeCredential: credential.change,
    recognised,
    submit: (event: FormEvent) => void submit(event),
    isBusy: start.isPending || credential.isBusy,
    refusal: fault ? sentenceForPeople(fault) : undefined,
  };
}

/** A credential typed together with its source. */
function useNewCredential() {
  const [fields, setFields] = useState(emptyCredentialFields);
  const [problems, setProblems] = useState<CredentialProblems>({});
  const create = useCreateCredential();
  return {
    fields,
    problems,
    isBusy: create.isPending,
    fault: create.error,
    forgetFault: () => create.reset(),
    change: (part: Partial<CredentialFields>) => {
      setFields((known) => ({ ...known, ...part }));
      setProblems({});
      create.reset();
    },
    /** Stores the credential for an address's host; returns undefined if a field is invalid. */
    store: async (url: string): Promise<string | undefined> => {
      const read = readCredentialForm(fields, url);
      setProblems('problems' in read ? read.problems : {});
      if ('problems' in read) return undefined;
      const { credential } = await create.mutateAsync(read.input);
      setFields(emptyCredentialFields);
      return credential.id;
    },
  };
}

function useEmptyFields(): SourceFields {
  const mayPublish = useMayPublish();
  const isInTeam = useWorkspaceId() !== individualWorkspace;
  return { ...emptySourceFields, isPrivate: isInTeam || !mayPublish };
}

/** Returns what the typed address is, after typing has paused; undefined while unknown. */
function useRecognised(text: string): RecognisedSource | undefined {
  const workspace = useWorkspaceId();
  const address = addressOf(useRested(text));
  const answer = useQuery({
    queryKey: ['recognisedSource', workspace, address],
    queryFn: async ({ signal }) =>
      (await callApi(libraryEndpoints.recogniseSource, { address }, signal, workspace)).source,
    enabled: isAddressOrFolder(address),
    // A refused address is refused again, with the full message, on submission.
    retry: false,
    staleTime: 0,
  });
  return addressOf(text) === address ? answer.data : undefined;
}

const typingPauseMs = 200;

/** Returns a value after it has not changed for `typingPauseMs`. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), typingPauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
