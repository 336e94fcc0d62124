import { writeFileSync } from 'node:fs';

/** Does work that writes to the program's folder. Where it can't be written, throws an error that says who does the work. */
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

/** Writes what only spares time later; where it can't be written, it is left out. */
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
