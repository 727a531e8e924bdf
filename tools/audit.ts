import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import { takeNoArguments } from '../cli/terminal/no-arguments.ts';

takeNoArguments(
  'npm run audit',
  'Lists every installed package with its licence, and known vulnerabilities.',
);

/** SPDX expressions of licences that require no more than a notice from the operator of the service. */
const shippable = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT']);
/** Also licences that require nothing from users of an unmodified tool. */
const usable = new Set([...shippable, 'BlueOak-1.0.0', 'MPL-2.0', '(MIT OR GPL-3.0-or-later)']);

/** An SPDX expression, or the object of old packages. */
const license = z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]);
const packages = z.array(
  z.object({
    name: z.string(),
    version: z.string(),
    /** Empty for the project itself. */
    location: z.string(),
    dev: z.boolean(),
    license: license.optional(),
    licenses: z.array(license).optional(),
  }),
);

const auditReport = z.union([
  z.object({
    vulnerabilities: z.record(
      z.string(),
      z.object({
        /** Advisories, or the names of vulnerable dependencies. */
        via: z.array(
          z.union([
            z.string(),
            z.object({ range: z.string(), title: z.string(), url: z.string(), severity: z.string() }),
          ]),
        ),
      }),
    ),
  }),
  z.object({ message: z.string() }),
]);

const npm = (...parameters: readonly string[]): unknown =>
  JSON.parse(spawnSync('npm', parameters, { encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout);

const fail = (reason: string): void => {
  console.error(reason);
  process.exitCode = 1;
};

const installed = packages
  .parse(npm('query', '*'))
  .filter(({ location }) => location !== '')
  .map((each) => ({
    name: `${each.name}@${each.version}`,
    use: each.dev ? 'build' : 'ship',
    licence: each.license ?? each.licenses?.join(' OR ') ?? 'no licence',
  }));
for (const use of ['ship', 'build']) {
  for (const { name, licence } of installed.filter((each) => each.use === use)) {
    console.log(`${use.padEnd(5)}  ${licence.padEnd(12)}  ${name}`);
  }
}
for (const { name, use, licence } of installed) {
  if (!(use === 'ship' ? shippable : usable).has(licence)) {
    fail(
      `${name}: its licence, ${licence}, is not allowed (use: ${use}). ` +
        'Replace the package, or allow the licence in tools/audit.ts.',
    );
  }
}

const report = auditReport.parse(npm('audit', '--json'));
if ('message' in report) {
  fail(`The registry does not serve advisories (${report.message}). Use one that supports npm audit.`);
} else {
  const advisories = Object.entries(report.vulnerabilities).flatMap(([name, { via }]) =>
    via.flatMap((advisory) => (typeof advisory === 'string' ? [] : [{ name, ...advisory }])),
  );
  for (const { name, range, severity, title, url } of advisories) {
    fail(`${name} ${range} is vulnerable (${severity}): ${title}, ${url}`);
  }
  if (advisories.length === 0) console.log('No installed package is known to be vulnerable.');
}
