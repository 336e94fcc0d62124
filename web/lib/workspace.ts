import { useSyncExternalStore } from 'react';
import { readStored, storedChanges, writeStored } from './browser-storage.ts';

/** The workspace of one's own, and the one that is selected until another is. */
export const individualWorkspace = 'individual';

const storageName = 'workspace';
const requestedName = 'requested-team';
const changed = 'workspace-changed';
const subscribe = storedChanges(changed);

/** The selected workspace, a team's id or 'individual': remembered by this browser, the same in all of its tabs. */
export function useWorkspace(): [string, (workspace: string) => void] {
  const workspace = useSyncExternalStore(subscribe, selectedWorkspace, () => individualWorkspace);
  return [workspace, selectWorkspace];
}

/** The selected workspace, for components that only read it. */
export function useWorkspaceId(): string {
  return useWorkspace()[0];
}

/** What `useWorkspace` answers, for code outside components. */
export function selectedWorkspace(): string {
  return unsaved ?? readStored('localStorage', storageName) ?? individualWorkspace;
}

/** Selects a workspace in this browser. Whether you may work there is decided by the server with each call. */
export function selectWorkspace(workspace: string): void {
  unsaved = writeStored('localStorage', storageName, workspace) ? undefined : workspace;
  window.dispatchEvent(new Event(changed));
}

/** Forgets the selection, as at the end of a session. */
export function resetWorkspace(): void {
  selectWorkspace(individualWorkspace);
}

/** Keeps the team that an address named until it is known whether it is one of the person's. For this tab only. */
export function requestTeam(teamId: string): void {
  writeStored('sessionStorage', requestedName, teamId);
}

/** The team that was asked for, once. */
export function takeRequestedTeam(): string | null {
  const teamId = readStored('sessionStorage', requestedName);
  writeStored('sessionStorage', requestedName, null);
  return teamId;
}

/** Selected, but not stored: storage may be switched off or full. */
let unsaved: string | undefined;
