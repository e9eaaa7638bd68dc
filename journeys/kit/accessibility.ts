import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'
import type { Screen, Viewer } from '../screens/screen.ts'
import { signInAsMember, signInAsStaff } from './people.ts'
import { openScreen, screens } from './screens.ts'
import { openTestApp, type TestApp } from './test-app.ts'
import { expect } from './visit.ts'

const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const colours = ['color-contrast', 'link-in-text-block']

/** Checks every state of each screen in light and dark, split into three files per width so that they run in parallel. */
export function findNothingAt(width: number, part: 1 | 2 | 3): void {
  const what = `every screen at ${width} pixels can be used by everybody (axe, WCAG 2.2 AA), ${part} of 3`
  walk(what, width, partOf(screens, part, 3), async (page, where) => [
    ...(await findingsInLight(page, where)),
    ...(await findingsInDark(page, where)),
  ])
}

/** The daily check: one state of each screen in light colours, split into `parts` files. */
export function findNothingOn(app: 'portal' | 'desk', { part = 1, parts = 1 } = {}): void {
  const ofApp = oneOfEach().filter(({ viewer }) => (viewer === 'staff') === (app === 'desk'))
  const what = `every screen of the ${app} can be used by everybody, one state of each, ${part} of ${parts}`
  walk(what, 1_280, partOf(ofApp, part, parts), findingsInLight)
}

const partOf = (all: readonly Screen[], part: number, parts: number) =>
  all.filter((_, index) => index % parts === part - 1)

type FindIn = (page: Page, where: string) => Promise<string[]>

function walk(what: string, width: number, walked: readonly Screen[], findIn: FindIn): void {
  describe(what, () => {
    let testApp: TestApp
    before(async () => {
      testApp = await openTestApp()
    })
    afterEach(() => testApp.endVisits())
    after(() => testApp.close())

    for (const { viewer, part, of } of visitsTo(walked)) {
      it(`by ${viewer}, part ${part}`, async () => {
        const { page, expectStatus } = await testApp.visit({ width })
        expectStatus(404, 422, 500) // Screens that failed to load or were refused are checked too.
        await signIn(page, viewer)
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

/**
 * Legacy mode needs no second page to merge the results of cross-origin frames, which have no content to check. Passing rules
 * are not returned.
 */
const axeOn = (page: Page, source?: { axeSource: string }) =>
  new AxeBuilder({ page, ...source }).options({ resultTypes: ['violations'] }).setLegacyMode()

/** Replaces the half megabyte of axe source when the page already has it loaded. */
const isThere = { axeSource: 'true' }

async function findingsInLight(page: Page, where: string): Promise<string[]> {
  // Scrolls to the top: axe would otherwise measure content hidden below the fixed bars.
  await page.evaluate('scrollTo(0, 0)')
  const light = await axeOn(page).withTags(standard).analyze()
  return inWords(light.violations, `${where}, light`)
}

/** Dark differs from light only in its colours, so only the colour rules run again. */
async function findingsInDark(page: Page, where: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.evaluate(untilColoursHaveChanged)
  const dark = await axeOn(page, isThere).withRules(colours).analyze()
  await page.emulateMedia({ colorScheme: 'light' })
  return inWords(dark.violations, `${where}, dark`)
}

const untilColoursHaveChanged = `Promise.allSettled(
  document.getAnimations().filter((each) => each instanceof CSSTransition).map((each) => each.finished),
).then(() => undefined)`

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations']

function inWords(violations: Violations, where: string): string[] {
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${where}: ${id} at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
  )
}
