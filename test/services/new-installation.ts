import { openInstallation } from '#server/main.ts';
import { configOf } from '../http/http-rig.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Returns a data folder with a new, unused installation. */
export async function newInstallation(): Promise<string> {
  const folder = temporaryFolder();
  await (await openInstallation(configOf(folder))).close();
  return folder;
}
