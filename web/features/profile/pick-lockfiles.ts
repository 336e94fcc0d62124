import * as limits from '#contract/limits.ts';
import { isForeignFolder, isLockfileName } from '#contract/profile.ts';
import { entriesOf, fileOf } from '../../lib/dropped-entries.ts';

export interface PickedFile {
  /** Below the folder that was dropped, if one was. */
  path: string;
  file: File;
}

export interface Picked {
  files: PickedFile[];
  /** Sentences about files that are not taken. */
  refused: string[];
  /** Name of the folder that was dropped. */
  folder: string | undefined;
}

const fileBytesMax = 10_000_000;

/** Takes lockfiles from files that were chosen. */
export function pickLockfiles(files: PickedFile[], folder?: string): Picked {
  const refused: string[] = [];
  const taken: PickedFile[] = [];
  for (const one of files) {
    if (!isLockfileName(one.path)) refused.push(`${one.path} isn't a supported lockfile.`);
    else if (one.file.size > fileBytesMax) refused.push(`${one.path} is larger than 10 MB.`);
    else if (taken.length < limits.profileFilesMax) taken.push(one);
    else refused.push(`${one.path} was left out: a project can have ${limits.profileFilesMax} files.`);
  }
  return { files: taken, refused, folder };
}

export function chosenFiles(files: File[]): Picked {
  return pickLockfiles(files.map((file) => ({ file, path: file.webkitRelativePath || file.name })));
}

/** The lockfiles of a drop, those in dropped folders included; what is no lockfile in a folder is passed over in silence. */
export async function droppedLockfiles(transfer: DataTransfer): Promise<Picked> {
  // Entries are gone once the event is over, so they are taken before anything is waited for.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return chosenFiles([...transfer.files]);
  const single = entries.filter((entry) => entry.isFile) as FileSystemFileEntry[];
  const folders = entries.filter((entry) => entry.isDirectory) as FileSystemDirectoryEntry[];
  const found: PickedFile[] = await Promise.all(
    single.map(async (entry) => ({ path: entry.name, file: await fileOf(entry) })),
  );
  const without: string[] = [];
  for (const folder of folders) {
    const inFolder = await lockfilesIn(folder);
    if (inFolder.length === 0) without.push(`No lockfile found in ${folder.name}.`);
    found.push(...inFolder);
  }
  const named = folders.length === 1 && without.length === 0 ? folders[0]?.name : undefined;
  const picked = pickLockfiles(found, named);
  return { ...picked, refused: [...picked.refused, ...without] };
}

async function lockfilesIn(folder: FileSystemDirectoryEntry): Promise<PickedFile[]> {
  const found: PickedFile[] = [];
  const waiting = [folder];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const entry of await entriesOf(next)) {
      if (entry.isDirectory && !isForeignFolder(entry.name)) waiting.push(entry as FileSystemDirectoryEntry);
      if (!entry.isFile || !isLockfileName(entry.name)) continue;
      const path = entry.fullPath.slice(folder.fullPath.length + 1);
      found.push({ path, file: await fileOf(entry as FileSystemFileEntry) });
    }
  }
  return found;
}
