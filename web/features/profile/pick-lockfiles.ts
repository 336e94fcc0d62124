import * as limits from '#contract/limits.ts';
import { isForeignFolder, isLockfileName } from '#contract/profile.ts';
import { entriesOf, fileOf } from '../../lib/dropped-entries.ts';

export interface PickedFile {
  /** Path below the dropped folder, if there is one. */
  path: string;
  file: File;
}

export interface Picked {
  files: PickedFile[];
  /** Sentences about files that are not accepted. */
  refused: string[];
  /** Name of the dropped folder. */
  folder: string | undefined;
}

const fileBytesMax = 10_000_000;

/** Picks the lockfiles among chosen files. */
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

/** Returns the lockfiles of a drop, including those in dropped folders, whose other files are silently ignored. */
export async function droppedLockfiles(transfer: DataTransfer): Promise<Picked> {
  // Entries are available only during the event, so they are read before the first await.
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
