import { writeFileSync } from 'node:fs';

/**
 * Runs work that writes to the program's folder. If the folder is not writable, throws an error that says who must do
 * the work.
 */
export async function whereWritable(root, what, work) {
  try {
    await work();
  } catch (error) {
    if (!isReadOnly(error)) throw error;
    throw new Error(
      `${what} must be there before the start, and this process can't write to ${root}. Run "./lectern build" there as a user who can, then start again.`,
      { cause: error },
    );
  }
}

/** Writes a file that only saves time later; does nothing if the folder is not writable. */
export function writeIfWritable(file, text) {
  try {
    writeFileSync(file, text);
  } catch (error) {
    if (!isReadOnly(error)) throw error;
  }
}

function isReadOnly({ code }) {
  return code === 'EROFS' || code === 'EACCES' || code === 'EPERM';
}
