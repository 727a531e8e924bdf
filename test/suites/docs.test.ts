// The suite `docs` proves: the API documentation of `npm start` loads in a browser without the internet,
// lists plants, and has no serious accessibility finding. It cannot show other browsers than Chromium. With
// SCREENSHOT=docs/api-page.png it takes the README's picture again, with the plants of the README's text.
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readProjectFile } from '../support/project-files.ts';
import { copyProject } from '../support/service/project-copy.ts';
import { startService } from '../support/service/running-service.ts';

const executablePath = z.string().parse(process.env['CHROMIUM_COMMAND']);

/** The list in the README that its first request returns and its picture shows. */
const plantsInReadme = (): unknown =>
  JSON.parse(/^\[\{.*\}\]$/m.exec(readProjectFile('README.md'))?.[0] ?? '');

const screenshotPath = process.env['SCREENSHOT'];

it('“Try it out” in the API documentation lists plants, accessibly and without other origins', async () => {
  const project = copyProject();
  const service = await startService(project);
  const browser = await chromium.launch({
    executablePath,
    // Without a sandbox, because it does not work as root. Host names do not resolve, so that no request
    // leaves this machine.
    args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 720, height: 900 } });
    const consoleMessages: string[] = [];
    page
      .on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) consoleMessages.push(message.text());
      })
      .on('pageerror', (error) => consoleMessages.push(error.message));

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
    // The form is filled with a limit that is shorter than the list, so the response links to the next list
    // page.
    await responses.getByText('rel="next"').waitFor();
    const body = await responses.locator('.highlight-code code').first().innerText();
    expect(JSON.parse(body)).toEqual(plantsInReadme());
    await page.locator('.models').getByText('GatewayError').first().waitFor();

    const isSerious = "({ impact }) => impact === 'serious' || impact === 'critical'";
    const findings = `axe.run().then(({ violations }) => violations.filter(${isSerious}))`;
    expect(await page.evaluate(`${axe.source}; ${findings}`)).toEqual([]);
    // A request to another origin fails at the content security policy or at the DNS lookup, and the browser
    // prints an error.
    expect(consoleMessages).toEqual([]);

    if (screenshotPath !== undefined) {
      // The curl command shows the token, and the descriptions repeat the README.
      const hidden = '.curl-command, .opblock-description-wrapper';
      await page.evaluate(`document.querySelectorAll('${hidden}').forEach((element) => element.remove())`);
      await page.evaluate("document.querySelector('#operations-plants-listPlants').scrollIntoView()");
      await page.screenshot({ path: screenshotPath });
    }
  } finally {
    await browser.close();
    await service.stop();
    project.remove();
  }
});
