import { listChecks } from './list-checks.ts';
import { plantChecks } from './plant-checks.ts';
import type { Check } from './service-under-test.ts';

/** All checks by the statements that they check, in the order in which they run. */
export const checks: Readonly<Record<string, Check>> = { ...listChecks, ...plantChecks };
