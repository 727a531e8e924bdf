// The suite `issuers` proves: access tokens of Keycloak, `oidc-provider` and an emulated Cognito are allowed with
// the settings in docs/issuers.md; every other token of theirs is denied. It cannot show Auth0, Okta and Entra, for
// which docs/issuers.md has their documentation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayServer } from '../../../local/gateway/gateway.ts';
import { apiResponder } from '../../../local/gateway/api-responder.ts';
import { startFunctions } from '../../../local/lambda/functions.ts';
import { type ServiceResponse, send } from '../../contract/client.ts';
import { item } from '../../contract/plants.ts';
import { type BundledStack, bundledStack } from '../../support/bundled-stack.ts';
import { credentials, dynamoDbTable } from '../../support/table/dynamodb-table.ts';
import { copyProject, type LocalService, startService } from '../../support/service/local-service.ts';
import { startServer, stopServer } from '../../support/loopback-server.ts';
import { partsOf, textOf } from '../../support/tokens.ts';
import { type Authorizer, startAuthorizer, withTokens } from './authorizer.ts';
import { cognito } from './cognito.ts';
import { keycloak } from './keycloak.ts';
import { oidcProvider } from './oidc-provider.ts';

/** In seconds. */
const lifetime = 3600;
/** In seconds: the age below which no token causes another fetch of the keys. */
const latestAge = 5;
/** In seconds: the age at which the authorizer fetches the keys again. */
const refreshAge = 600;

const project = copyProject();
let service: LocalService;
let bundled: BundledStack;

beforeAll(async () => {
  service = await startService(project);
  bundled = await bundledStack(project);
});

afterAll(async () => {
  await service.stop();
  project.remove();
});

/** The header of a token, which names its key. */
const headerOf = (token: string): string => textOf(partsOf(token)[0]);

describe.each([keycloak(), oidcProvider(), cognito()])('$name', (issuer) => {
  let stack: BundledStack;
  let authorizer: Authorizer;
  beforeAll(async () => {
    await issuer.start();
    stack = withTokens(bundled, issuer.record());
    authorizer = startAuthorizer(stack);
  });
  afterAll(async () => {
    authorizer.end();
    await issuer.stop();
  });

  const allowed = (caller = issuer.caller()): object => ({ isAuthorized: true, caller });

  it('allows the access token of a user, with the user’s groups', async () => {
    const { access } = await issuer.signIn();
    expect(await authorizer.decide(access)).toEqual(allowed());
  });

  it('allows a refreshed access token', async () => {
    const { refresh } = await issuer.signIn();
    expect(await authorizer.decide((await issuer.refresh(refresh)) ?? '')).toEqual(allowed());
  });

  it.each(issuer.allowed)('allows $name', async ({ token, caller }) => {
    expect(await authorizer.decide(await token())).toEqual(allowed(caller));
  });

  it.each(issuer.refused)('denies $name', async ({ token, reason }) => {
    expect(await authorizer.decide(await token())).toEqual({ isAuthorized: false, reason });
  });

  it('allows an access token after log-out until it expires, while it cannot be refreshed', async () => {
    const grant = await issuer.signIn();
    await issuer.logOut(grant);
    expect(await issuer.refresh(grant.refresh)).toBeUndefined();
    expect(await authorizer.decide(grant.access)).toEqual(allowed());
    expect(await authorizer.decide(grant.access, lifetime)).toEqual({
      isAuthorized: false,
      reason: 'lifetime',
    });
  });

  it('lists the plants of the user and of their groups, and of nobody else', async () => {
    const { subject, groups } = issuer.caller();
    const table = dynamoDbTable(service.storeEndpoint, service.tableName);
    await table.put([
      item(`user#${subject}`, 'Fern', '1'),
      ...groups.map((group) => item(`group#${group}`, `Moss of ${group}`, '1')),
      item('user#somebody-else', 'Rose', '1'),
    ]);
    table.close();
    const { invoke, retire } = startFunctions(stack.functions, {
      credentials,
      overrides: { AWS_ENDPOINT_URL_DYNAMODB: service.storeEndpoint },
      onLog: () => undefined,
    });
    const gateway = gatewayServer(apiResponder(stack.api, invoke));
    const baseUrl = await startServer(gateway);
    const list = (token: string): Promise<ServiceResponse> =>
      send(baseUrl, '/plants', { authorization: `Bearer ${token}` });
    try {
      const { access, id } = await issuer.signIn();
      const names = ['Fern', ...groups.map((group) => `Moss of ${group}`)];
      expect(await list(access)).toMatchObject({ status: 200, body: names.map((name) => ({ name })) });
      expect(await list(id)).toMatchObject({ status: 403 });
    } finally {
      await stopServer(gateway);
      retire();
    }
  });

  const { rotation } = issuer;
  if (rotation === undefined) return;

  it('allows tokens of a new key, and those of the old key until the issuer withdraws it', async () => {
    const warm = startAuthorizer(stack);
    const { access: old } = await issuer.signIn();
    expect(await warm.decide(old)).toEqual(allowed());
    await rotation.addKey();
    const { access: latest } = await issuer.signIn();
    expect(headerOf(latest)).not.toBe(headerOf(old));
    expect(await warm.decide(latest, latestAge)).toEqual(allowed());
    expect(await warm.decide(old, latestAge)).toEqual(allowed());

    await rotation.withdrawKey();
    expect(await warm.decide(old, refreshAge / 2)).toEqual(allowed());
    const refreshed = latestAge + refreshAge;
    expect(await warm.decide(latest, refreshed)).toEqual(allowed());
    expect(await warm.decide(old, refreshed)).toEqual({ isAuthorized: false, reason: 'unknown-key' });
    warm.end();
  });
});
