import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { libraryEndpoints, type RecognisedSource } from '#contract/library.ts';
import { callApi } from '../../lib/api-client.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { addressOf, isAddressOrFolder } from './source-form.ts';

const typingPauseMs = 200;

/** What the typed address is, once typing rests; undefined as long as it is not known. */
export function useRecognised(text: string): RecognisedSource | undefined {
  const workspace = useWorkspaceId();
  const address = addressOf(useRested(text));
  const answer = useQuery({
    queryKey: ['recognisedSource', workspace, address],
    queryFn: async ({ signal }) =>
      (await callApi(libraryEndpoints.recogniseSource, { address }, signal, workspace)).source,
    enabled: isAddressOrFolder(address),
    // What is refused here is refused again, in full, when it is sent.
    retry: false,
    staleTime: 0,
  });
  return addressOf(text) === address ? answer.data : undefined;
}

/** A value once it has not changed for a moment: the timer of the browser tells. */
function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), typingPauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
