import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, afterEach, before, describe, it } from 'node:test'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright'
import { followAsLinks, type Screen, type Viewer } from '../screens/screen.ts'
import { signInAsMember, signInAsStaff } from './people.ts'
import { openScreen, screens } from './screens.ts'
import { openTestApp, type TestApp } from './test-app.ts'
import { expect } from './visit.ts'

const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const colours = ['color-contrast', 'link-in-text-block']

/** Checks every state of each screen in light and dark, split into three files per width so that they run in parallel. */
export function checkEveryScreen(width: number, part: 1 | 2 | 3): void {
  const what = `every screen at ${width} pixels can be used by everybody (axe, WCAG 2.2 AA), ${part} of 3`
  walk(what, width, partOf(screens, part, 3), async (page, where) => [
    ...(await findingsInLight(page, where)),
    ...(await findingsInDark(page, where)),
  ])
}

/** The daily check: one state of each screen in light colours, split into `parts` files. */
export function checkScreensOf(app: 'portal' | 'desk', { part = 1, parts = 1 } = {}): void {
  const ofApp = oneOfEach().filter(({ viewer }) => (viewer === 'staff') === (app === 'desk'))
  const what = `every screen of the ${app} can be used by everybody, one state of each, ${part} of ${parts}`
  walk(what, 1_280, partOf(ofApp, part, parts), findingsInLight, followAsLinks)
}

const partOf = (all: readonly Screen[], part: number, parts: number) =>
  all.filter((_, index) => index % parts === part - 1)

type FindIn = (page: Page, where: string) => Promise<string[]>

function walk(
  what: string,
  width: number,
  walked: readonly Screen[],
  findIn: FindIn,
  prepare: (page: Page) => void = () => undefined,
): void {
  describe(what, () => {
    let testApp: TestApp
    before(async () => {
      testApp = await openTestApp()
    })
    afterEach(() => testApp.endVisits())
    after(() => testApp.close())

    for (const { viewer, part, of } of visitsTo(walked)) {
      it(`has no finding on the screens of ${viewer}, part ${part}`, async () => {
        const { page, expectStatus } = await testApp.visit({ width })
        expectStatus(404, 422, 500) // Screens that failed to load or were refused are checked too.
        await signIn(page, viewer)
        prepare(page)
        const findings: string[] = []
        for (const screen of of) {
          await openScreen(page, screen)
          findings.push(...(await findIn(page, `${screen.name}, ${screen.state}`)))
        }
        assert.deepEqual(findings, [])
      })
    }
  })
}

/** One state of each screen, preferably `full`. */
function oneOfEach(): readonly Screen[] {
  const ofEach = Map.groupBy(screens, ({ name, viewer }) => `${viewer === 'staff'} ${name}`).values()
  return [...ofEach].flatMap((states) => states.find(({ state }) => state === 'full') ?? states.slice(0, 1))
}

/** Limits the screens per visit so that each stays well within the test timeout. */
const screensMax = 12

function visitsTo(walked: readonly Screen[]): { viewer: Viewer; part: number; of: Screen[] }[] {
  return [...Map.groupBy(walked, ({ viewer }) => viewer)].flatMap(([viewer, all]) =>
    Array.from({ length: Math.ceil(all.length / screensMax) }, (_, index) => ({
      viewer,
      part: index + 1,
      of: all.slice(index * screensMax, (index + 1) * screensMax),
    })),
  )
}

async function signIn(page: Page, viewer: Viewer): Promise<void> {
  if (viewer === 'staff') await signInAsStaff(page)
  else if (viewer !== 'nobody') await signInAsMember(page, viewer)
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Loads axe into the page and its frames, whose results axe merges. The value of the script itself is too large to return. */
async function loadAxe(page: Page): Promise<void> {
  for (const frame of page.frames())
    if (!(await frame.evaluate('"axe" in globalThis'))) await frame.evaluate(`${axeSource}; undefined`)
}

async function violationsOn(page: Page, runOnly: NonNullable<RunOptions['runOnly']>): Promise<Violations> {
  const options: RunOptions = { runOnly, resultTypes: ['violations'] }
  return page.evaluate<Violations>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`)
}

export async function findingsInLight(page: Page, where: string): Promise<string[]> {
  // Scrolls to the top: axe would otherwise measure content hidden below the fixed bars.
  await page.evaluate('scrollTo(0, 0)')
  await loadAxe(page)
  return inWords(await violationsOn(page, standard), `${where}, light`)
}

/** Dark differs from light only in its colours, so only the colour rules run again. */
async function findingsInDark(page: Page, where: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.evaluate(untilColoursHaveChanged)
  const dark = await violationsOn(page, { type: 'rule', values: colours })
  await page.emulateMedia({ colorScheme: 'light' })
  return inWords(dark, `${where}, dark`)
}

const untilColoursHaveChanged = `Promise.allSettled(
  document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished),
).then(() => undefined)`

type Violations = AxeResults['violations']

function inWords(violations: Violations, where: string): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${where}: ${id} at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  )
}
