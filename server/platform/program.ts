import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Path of the program that this installation is run with. */
export const launcher = join(root, 'lectern');

/** True in a clone of the project, false where the program was installed as a package. */
export const isClone = existsSync(join(root, 'scripts'));

/** What people type. */
export const programName = isClone ? './lectern' : 'lectern';

/**
 * Returns the command, with its arguments, of the relay that agents start: the published package where the operator names it,
 * else the program of this machine. People on other machines, who have neither, get the name that the package installs.
 */
export function stdioProgram(mcpPackage: string | undefined, address: string): string[] {
  if (mcpPackage !== undefined) return ['npx', '-y', mcpPackage];
  return isOnThisMachine(address) ? [launcher, 'mcp'] : ['lectern-mcp'];
}

function isOnThisMachine(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
