import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Path of the program that runs this installation. */
export const launcher = join(root, 'lectern');

/** True in a clone of the project, false for an installed package. */
export const isClone = existsSync(join(root, 'scripts'));

/** The name that people type. */
export const programName = isClone ? './lectern' : 'lectern';

/**
 * Returns the command and arguments of the relay that agents start: the published package if the operator names it,
 * otherwise this machine's program. People on other machines have neither, and get the name that the package installs.
 */
export function stdioProgram(mcpPackage: string | undefined, address: string): string[] {
  if (mcpPackage !== undefined) return ['npx', '-y', mcpPackage];
  return isOnThisMachine(address) ? [launcher, 'mcp'] : ['lectern-mcp'];
}

function isOnThisMachine(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
