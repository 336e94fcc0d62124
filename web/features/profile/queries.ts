import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { InputOf } from '#contract/endpoint.ts';
import { type librariesShown, profileEndpoints } from '#contract/profile.ts';
import { callApi } from '../../lib/api-client.ts';
import { jobsOptions } from '../../lib/library-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import type { PickedFile } from './pick-lockfiles.ts';

type Shown = (typeof librariesShown)[number];
export type ToIndex = InputOf<typeof profileEndpoints.indexLibraries>['libraries'][number];

export function profilesOptions(workspace: string) {
  return queryOptions({
    queryKey: ['profiles', workspace],
    queryFn: async ({ signal }) => (await callApi(profileEndpoints.listProfiles, {}, signal, workspace)).profiles,
  });
}

/** A page of a project's pinned libraries. */
export function librariesOptions(
  workspace: string,
  input: { profileId: string; shown: Shown; words: string; limit: number },
) {
  return queryOptions({
    queryKey: ['profiles', workspace, input],
    queryFn: ({ signal }) => callApi(profileEndpoints.getProfile, input, signal, workspace),
    placeholderData: keepPreviousData,
  });
}

function useChange<Input, Output>(change: (input: Input, workspace: string) => Promise<Output>) {
  const workspace = useWorkspaceId();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(input, workspace),
    onSettled: () => client.invalidateQueries({ queryKey: profilesOptions(workspace).queryKey }),
  });
}

export function useSetProfile() {
  return useChange(async ({ name, files }: { name: string; files: PickedFile[] }, workspace) => {
    const texts = await Promise.all(files.map(async ({ path, file }) => ({ path, text: await file.text() })));
    return callApi(profileEndpoints.setProfile, { name, files: texts }, undefined, workspace);
  });
}

export function useIndexLibraries() {
  const client = useQueryClient();
  return useChange(async (input: { profileId: string; libraries: ToIndex[] }, workspace) => {
    const answer = await callApi(profileEndpoints.indexLibraries, input, undefined, workspace);
    void client.invalidateQueries({ queryKey: jobsOptions(workspace).queryKey });
    return answer.libraries;
  });
}
