// The suite `docs` proves: the API documentation works in a browser: offline, by keyboard alone, 400 pixels
// wide, and calls the service. It cannot show other browsers than Chromium. With
// SCREENSHOT=docs/api-page.png it takes the README's picture again.
import axe from 'axe-core';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogue } from '../../functions/list-plants/errors.ts';
import { send } from '../contract/client.ts';
import { plantsIn } from '../contract/plants.ts';
import {
  copyProject,
  type LocalService,
  npm,
  type ProjectCopy,
  startService,
} from '../support/service/local-service.ts';

const executablePath = z.string().parse(process.env['CHROMIUM_COMMAND']);
const { SCREENSHOT: pictureFile } = process.env;

const errorValues = Object.values(catalogue).map(({ error }) => String(error));

let project: ProjectCopy;
let browser: Browser;
beforeAll(async () => {
  project = copyProject();
  browser = await chromium.launch({
    executablePath,
    // The sandbox does not work as root. Host names do not resolve, so that no request leaves this machine.
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  return async () => {
    await browser.close();
    project.remove();
  };
});

let page: Page;
/** The origins of the page's requests, and its errors and warnings. */
let origins: Set<string>;
let complaints: string[];
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  origins = new Set();
  complaints = [];
  page
    .on('request', (request) => origins.add(new URL(request.url()).origin))
    .on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    })
    .on('pageerror', (error) => complaints.push(error.message));
});
afterEach(async () => {
  await page.close();
});

const open = async (address: string): Promise<void> => {
  await page.goto(address);
  await page.getByRole('heading', { name: 'Plant Store Service' }).waitFor();
  await page.locator('.models').waitFor();
};

const expectSelfContained = (address: string): void => {
  expect(complaints).toEqual([]);
  // "null" is the origin of a data: URL.
  expect([...origins].filter((origin) => origin !== 'null')).toEqual([new URL(address).origin]);
};

/** Checks the page as it is now against axe's rules. */
const expectAccessible = async (): Promise<void> => {
  const isSevere = "({ impact }) => impact === 'serious' || impact === 'critical'";
  const run = `axe.run().then(({ violations }) => violations.filter(${isSevere}))`;
  expect(await page.evaluate(`${axe.source}; ${run}`)).toEqual([]);
};

/** The page is no wider than the viewport. */
const expectNoHorizontalScroll = async (): Promise<void> => {
  const width = page.viewportSize()?.width ?? 0;
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
};

/** Moves the focus to the target with the Tab key; the focus must be visible. */
const tabTo = async (target: Locator): Promise<void> => {
  const focused = target.and(page.locator(':focus'));
  for (let presses = 0; presses < 100 && (await focused.count()) === 0; presses += 1) {
    await page.keyboard.press('Tab');
  }
  expect(await focused.count()).toBe(1);
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none');
};

const press = async (name: string): Promise<void> => {
  await tabTo(page.getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
};

/** Takes the README's picture, from the operation to the response's body, in the size that it has there. */
const takePicture = async (path: string): Promise<void> => {
  await page.setViewportSize({ width: 720, height: 900 });
  await page.evaluate('scrollTo(0, 0)');
  // These elements show the token, and repeat the README.
  const removed = '.curl-command, .opblock-description-wrapper';
  await page.evaluate(`document.querySelectorAll('${removed}').forEach((each) => each.remove())`);
  const first = await page.locator('.opblock').boundingBox();
  const last = await page.locator('.live-responses-table .highlight-code').first().boundingBox();
  if (first === null || last === null) throw new Error('The page shows no response.');
  const height = last.y + last.height - first.y + 12;
  await page.screenshot({ path, fullPage: true, clip: { x: 0, y: first.y - 8, width: 720, height } });
};

describe('the API documentation of npm start', () => {
  let service: LocalService;
  let address: string;
  beforeAll(async () => {
    service = await startService(project);
    address = `${service.baseUrl}/docs`;
    return service.stop;
  });

  it('shows the operation, the service’s address, the schemas and every error value', async () => {
    await open(address);
    expect(await page.locator('.opblock-summary').allInnerTexts()).toEqual([
      expect.stringMatching(/^GET\s+\/plants\s+List plants/),
    ]);
    const schemas = page.locator('.models');
    for (const name of ['Plant', 'Error'])
      await schemas.getByRole('button', { name, exact: true }).first().waitFor();
    for (const value of errorValues) expect(await schemas.innerText()).toContain(value);
    expect(await page.locator('.servers option').allInnerTexts()).toEqual([service.baseUrl]);
    expect(await page.locator('.servers input').count()).toBe(0);
    await expectAccessible();
    expectSelfContained(address);
  });

  it('keeps error responses closed until they are opened by keyboard', async () => {
    await open(address);
    const responses = page.locator('.responses-table').first();
    await responses.getByText('"Aloe vera"').waitFor();
    const example = responses.getByText('"Forbidden"');
    expect(await example.isVisible()).toBe(false);
    await tabTo(responses.locator('summary').filter({ hasText: /^403: / }));
    await page.keyboard.press('Enter');
    await example.waitFor();
    expect(await responses.locator('details[open]').count()).toBe(1);
    const others = responses.locator('summary').filter({ hasNotText: /^403: / });
    for (const each of await others.all()) await each.click();
    await expectNoHorizontalScroll();
    await expectAccessible();
  });

  it('fits the screen of a phone that is 400 pixels wide', async () => {
    await page.close();
    page = await browser.newPage({ viewport: { width: 400, height: 800 }, isMobile: true });
    await open(address);
    await expectNoHorizontalScroll();
    for (const each of await page.locator('.responses-table summary').all()) await each.click();
    await page.getByRole('button', { name: 'Use a token of alice' }).click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table').getByText('"Aloe vera"').waitFor();
    await expectNoHorizontalScroll();
  });

  it('lists a user’s plants by keyboard alone', async () => {
    await open(address);
    await press('Use a token of alice');
    await page.getByText('Requests now have a token of alice.').waitFor();
    await press('Try it out');
    const limit = page.getByPlaceholder('limit');
    await tabTo(limit);
    // Room for a value of ten digits, and for the words in its column.
    expect((await limit.boundingBox())?.width).toBeGreaterThan(250);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await press('Execute');

    const shown = await page.locator('.live-responses-table .highlight-code code').first().innerText();
    const token = (
      await npm(project.folder, ['run', '-s', 'token', '--', 'alice', '--group', 'gardeners']).ended
    ).output;
    const plants = await send(service.baseUrl, '/plants', { authorization: `Bearer ${token.trim()}` });
    expect(JSON.parse(shown)).toEqual(plantsIn(plants));
    expect(JSON.parse(shown)).toContainEqual({ name: 'Aloe vera', tag: 'succulent' });

    await expectNoHorizontalScroll();
    await expectAccessible();
    expectSelfContained(address);
  });

  it('shows the link to the rest of the list with the prefilled limit', async () => {
    await open(address);
    await press('Use a token of bob');
    await page.getByText('Requests now have a token of bob.').waitFor();
    await press('Try it out');
    await press('Execute');
    const responseTable = page.locator('.live-responses-table');
    await responseTable.getByText('"Dahlia"').waitFor();
    await responseTable.getByText('rel="next"').waitFor();
    expect(await responseTable.innerText()).not.toContain('Ginkgo');
    if (pictureFile !== undefined) await takePicture(pictureFile);
  });
});
