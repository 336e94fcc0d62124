import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { rawRequest } from '../e2e/../http/http-rig.ts';
