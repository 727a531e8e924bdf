// The suite `docs` proves: the API documentation of `npm start` loads in a browser without a network, sends a
// request, and has no serious accessibility finding. It cannot show other browsers than Chromium. With
// SCREENSHOT=docs/api-page.png it takes the README's picture again, with the plants of the README's text.
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readProjectFile } from '../support/project-files.ts';
import { copyProject } from '../support/service/project-copy.ts';
import { startService } from '../support/service/running-service.ts';

const executablePath = z.string().parse(process.env['CHROMIUM_COMMAND']);
/** What the README’s first request returns, and its picture shows. */
const plantsInReadme = (): unknown =>
  JSON.parse(/^\[\{.*\}\]$/m.exec(readProjectFile('README.md'))?.[0] ?? '');

const picture = process.env['SCREENSHOT'];

it('the API documentation lists plants with “Try it out”, alone and accessibly', async () => {
  const project = copyProject();
  const service = await startService(project);
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
    await page.getByRole('button', { name: 'Use a token of alice' }).click();
    await page.getByText('Requests now have a token of alice.').waitFor();
    const list = page.locator('#operations-plants-listPlants');
    await list.getByRole('button', { name: 'Try it out' }).click();
    await list.getByRole('button', { name: 'Execute' }).click();
    const responses = list.locator('.live-responses-table');
    // The limit is filled in, so the list goes on at the link.
    await responses.getByText('rel="next"').waitFor();
    const plants = await responses.locator('.highlight-code code').first().innerText();
    expect(JSON.parse(plants)).toEqual(plantsInReadme());
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
      await page.evaluate("document.querySelector('#operations-plants-listPlants').scrollIntoView()");
      await page.screenshot({ path: picture });
    }
  } finally {
    await browser.close();
    await service.stop();
    project.remove();
  }
});
