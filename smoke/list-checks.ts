import type { Headers } from './client.ts';
import { expectPlants, expectStatus } from './expectations.ts';
import { nextTarget, withoutCursor } from './link-header.ts';
import type { Check } from './service-under-test.ts';

// .github/smoke.sh searches the output for this text.
const fewerThanTwoPlants = 'the caller has fewer than two plants';

/**
 * Changes the fifth character from the end. The last character can hold unused bits, so a change could be
 * lost.
 */
const altered = (text: string): string =>
  text.slice(0, -5) + (text.at(-5) === 'A' ? 'B' : 'A') + text.slice(-4);

const listsFirstPlants: Check = async ({ listPlants }) => {
  const plants = await listPlants('/plants');
  for (const limit of new Set([0, 1, plants.length, plants.length + 1, 2_147_483_647])) {
    const target = `/plants?limit=${String(limit)}`;
    expectPlants(`GET ${target}`, await listPlants(target), plants.slice(0, limit));
  }
  return plants.length < 2 ? `a limit below the number of plants, as ${fewerThanTwoPlants}` : undefined;
};

const listsEachPlantOnceAlongLinks: Check = async ({ listPlants, listAlongLinks }) => {
  const plants = await listPlants('/plants');
  if (plants.length < 2) return `a second page, as ${fewerThanTwoPlants}`;
  const limit = Math.ceil(plants.length / 3);
  const listed = await listAlongLinks(limit, plants.length);
  expectPlants(`GET /plants?limit=${String(limit)} and its links`, listed, plants);
  return undefined;
};

const rejectsInvalidLimits: Check = async ({ send }) => {
  for (const limit of ['', '-1', '05', '2147483648', 'x', '1&limit=1']) {
    const target = `/plants?limit=${limit}`;
    expectStatus(`GET ${target}`, await send(target), 'status 400 with error 1001');
  }
  return undefined;
};

const rejectsInvalidCursors: Check = async ({ send }) => {
  const expectRejected = async (target: string): Promise<void> => {
    expectStatus(`GET ${withoutCursor(target)}`, await send(target), 'status 400 with error 1002');
  };
  await expectRejected('/plants?limit=1&cursor=');
  const next = nextTarget(await send('/plants?limit=1'));
  if (next === undefined) return 'an altered cursor, as no response had a cursor';
  await expectRejected(altered(next));
  return undefined;
};

const rejectsMissingAndAlteredTokens: Check = async ({ send }, token) => {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const bearer = (...parts: readonly string[]): Headers => ({ authorization: `Bearer ${parts.join('.')}` });
  const expectDenied = async (request: string, headers: Headers, status: string): Promise<void> => {
    expectStatus(`GET /plants ${request}`, await send('/plants', headers), status);
  };
  await expectDenied('without Authorization', {}, 'status 401');
  await expectDenied('with an altered signature', bearer(header, payload, altered(signature)), 'status 403');
  await expectDenied('with altered claims', bearer(header, altered(payload), signature), 'status 403');
  return undefined;
};

/** The checks of the list by the statements that they check. */
export const listChecks: Readonly<Record<string, Check>> = {
  'lists the first `limit` plants': listsFirstPlants,
  'lists each plant exactly once along the links between list pages': listsEachPlantOnceAlongLinks,
  'rejects an invalid limit with error 1001': rejectsInvalidLimits,
  'rejects an invalid cursor with error 1002': rejectsInvalidCursors,
  'rejects a request without a token, or with an altered token': rejectsMissingAndAlteredTokens,
};
