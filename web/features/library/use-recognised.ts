import { useQuery } from '@tanstack/react-query';
import { libraryEndpoints, type RecognisedSource } from '#contract/library.ts';
import { callApi } from '../../lib/api-client.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { addressOf, isAddressOrFolder } from './source-form.ts';
import { useRested } from './use-rested.ts';

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
