// `npm run smoke` checks, as one of the users of a running service, what a deployment can break. It prints no
// token, plant name or cursor.
import { AssertionError } from 'node:assert';
import { count } from '../terminal/count.ts';
import { takeNoArguments } from '../terminal/no-arguments.ts';
import { codeOf, exitWith, UserError } from '../terminal/user-error.ts';
import { checks } from './checks.ts';
import { serviceUnderTest } from './service-under-test.ts';
import { baseUrlFrom, tokenFrom } from './settings.ts';

/** The reason for a failure, in one line. */
const reasonFor = (error: unknown): string =>
  error instanceof AssertionError
    ? error.message
    : `no readable response (${codeOf(error) ?? String(error)})`;

takeNoArguments(
  'npm run smoke',
  'Checks a running service as one of its users. Set BASE_URL to its address and TOKEN to an access token.',
);
try {
  const baseUrl = baseUrlFrom(process.env['BASE_URL']);
  const token = tokenFrom(process.env['TOKEN']);
  const service = serviceUnderTest(baseUrl, token);
  // Without a list, nothing else can be checked.
  await service.listPlants('/plants').catch((error: unknown) => {
    throw new UserError(
      `${baseUrl} does not list plants: ${reasonFor(error)}. Check BASE_URL and TOKEN (docs/pipeline.md).`,
    );
  });

  let failures = 0;
  const printPassed = (check: string, notChecked?: string): void => {
    console.log(`passed  ${check}${notChecked === undefined ? '' : `; not checked: ${notChecked}`}`);
  };
  const printFailed = (check: string, reason: string): void => {
    failures += 1;
    console.log(`FAILED  ${check}: ${reason}`);
  };
  for (const [name, check] of Object.entries(checks)) {
    try {
      printPassed(name, await check(service, token));
    } catch (error) {
      printFailed(name, reasonFor(error));
    }
  }
  const asDescribed = 'responds as openapi.yaml describes';
  if (service.differences.size === 0) printPassed(asDescribed);
  for (const [difference, request] of service.differences)
    printFailed(asDescribed, `${request}: ${difference}`);

  if (failures > 0) process.exitCode = 1;
  console.log(
    failures === 0 ? `${baseUrl} passes all checks.` : `${baseUrl}: ${count(failures, 'failure')}.`,
  );
} catch (error) {
  exitWith(error);
}
