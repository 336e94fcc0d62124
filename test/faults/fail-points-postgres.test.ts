import { failPointSuite } from './fail-point-suite.ts';

failPointSuite('postgres');
