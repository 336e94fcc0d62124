import { useSyncExternalStore } from 'react';
import { readStored, storedChanges, writeStored } from './browser-storage.ts';

/** Id of the user's own workspace, which is selected by default. */
export const individualWorkspace = 'individual';

const storageName = 'workspace';
const requestedName = 'requested-team';
const changed = 'workspace-changed';
const subscribe = storedChanges(changed);

/**
 * Returns the selected workspace, a team's id or 'individual', and its setter. This browser remembers it, shared by all
 * tabs.
 */
export function useWorkspace(): [string, (workspace: string) => void] {
  const workspace = useSyncExternalStore(subscribe, selectedWorkspace, () => individualWorkspace);
  return [workspace, selectWorkspace];
}

/** Returns the selected workspace, for components that only read it. */
export function useWorkspaceId(): string {
  return useWorkspace()[0];
}

/** Returns the value of `useWorkspace`, for code outside components. */
export function selectedWorkspace(): string {
  return unsaved ?? readStored('localStorage', storageName) ?? individualWorkspace;
}

/** Selects a workspace in this browser. The server checks access on each call. */
export function selectWorkspace(workspace: string): void {
  unsaved = writeStored('localStorage', storageName, workspace) ? undefined : workspace;
  window.dispatchEvent(new Event(changed));
}

/** Clears the selection, for example at the end of a session. */
export function resetWorkspace(): void {
  selectWorkspace(individualWorkspace);
}

/** Stores the team named in an address, in this tab, until the user's membership has been checked. */
export function requestTeam(teamId: string): void {
  writeStored('sessionStorage', requestedName, teamId);
}

/** Returns the requested team once, and clears it. */
export function takeRequestedTeam(): string | null {
  const teamId = readStored('sessionStorage', requestedName);
  writeStored('sessionStorage', requestedName, null);
  return teamId;
}

/** The selected workspace that could not be stored, because storage is disabled or full. */
let unsaved: string | undefined;
