import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '../../contract/endpoint.ts';

/** Returns all endpoints that the contract's files export, in file order. */
export async function contractEndpoints(root: string): Promise<Endpoint[]> {
  const folder = join(root, 'contract');
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const found = new Set<Endpoint>();
  for (const file of files.sort()) {
    const room = (await import(join(folder, file))) as Record<string, unknown>;
    for (const value of Object.values(room).filter(isRecord)) {
      for (const definition of Object.values(value)) if (isEndpoint(definition)) found.add(definition);
    }
  }
  return [...found];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEndpoint(value: unknown): value is Endpoint {
  return isRecord(value) && ['method', 'path', 'summary', 'input', 'output'].every((field) => field in value);
}
