// The suite `docs` proves: the API documentation of `npm start` loads in a browser without a network, sends a
// request, and has no serious accessibility finding. It cannot show other browsers than Chromium. With
// SCREENSHOT=docs/api-page.png it takes the README's picture again.
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { item } from '../contract/plants.ts';
import { copyProject, startService } from '../support/service/local-service.ts';
import { dynamoDbTable } from '../support/table/dynamodb-table.ts';

const executablePath = z.string().parse(process.env['CHROMIUM_COMMAND']);
const picture = process.env['SCREENSHOT'];

it('the API documentation lists plants with “Try it out”, alone and accessibly', async () => {
  const project = copyProject();
  const service = await startService(project);
  const table = dynamoDbTable(service.storeEndpoint, service.tableName);
  await table.put(['Acer', 'Aster', 'Azalea'].map((name) => item('user#bob', name, '1')));
  table.close();
  const browser = await chromium.launch({
    executablePath,
    // The sandbox does not work as root. Host names do not resolve, so that no request leaves this machine.
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 720, height: 900 } });
    const complaints: string[] = [];
    page
      .on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      })
      .on('pageerror', (error) => complaints.push(error.message));

    const loaded = await page.goto(`${service.baseUrl}/docs`);
    expect(loaded?.headers()['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self';/,
    );
    await page.getByRole('button', { name: 'Use a token of bob' }).click();
    await page.getByText('Requests now have a token of bob.').waitFor();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    const responses = page.locator('.live-responses-table');
    await responses.getByText('"Acer"').waitFor();
    // The limit is filled in, so the list goes on at the link.
    await responses.getByText('rel="next"').waitFor();
    await page.locator('.models').getByText('GatewayError').first().waitFor();

    const isSerious = "({ impact }) => impact === 'serious' || impact === 'critical'";
    const findings = `axe.run().then(({ violations }) => violations.filter(${isSerious}))`;
    expect(await page.evaluate(`${axe.source}; ${findings}`)).toEqual([]);
    // A request to another origin is an error of the content security policy, or of the name.
    expect(complaints).toEqual([]);

    if (picture !== undefined) {
      // These show the token, and repeat the README.
      const removed = '.curl-command, .opblock-description-wrapper';
      await page.evaluate(`document.querySelectorAll('${removed}').forEach((each) => each.remove())`);
      await page.evaluate("document.querySelector('.opblock').scrollIntoView()");
      await page.screenshot({ path: picture });
    }
  } finally {
    await browser.close();
    await service.stop();
    project.remove();
  }
});
