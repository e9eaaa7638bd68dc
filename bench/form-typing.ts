/**
 * `npm run bench -- form-typing`: in a real browser, the time from a key press in a form of 20, 200 and 300 fields, all
 * of which depend on the field under test, until the page is redrawn; the baseline of the same run is a page of bare
 * inputs whose keys have no effect. Nothing is saved between consecutive keys; a few more keys each follow a save,
 * which redraws the form and must not redraw its fields.
 */

import type { Locator, Page } from 'playwright'
import { signInAsMember } from '../journeys/kit/people.ts'
import { openTestApp } from '../journeys/kit/test-app.ts'
import { systemActor } from '../server/foundation/actor.ts'
import { listWorkspaces } from '../server/foundation/database/every-workspace.ts'
import { addForm } from '../tests/fixtures/forms.ts'
import { formOf } from './fill/form-of-size.ts'
import { describeMeasurement, type Measurement, quantilesOf } from './measure/measurement.ts'

const keys = Number(process.env.ATRIUM_BENCH_KEYS ?? 200)
const keysAfterSaves = 8
const sizes = [20, 200, 300]

/** The page's work on a key: until its own listeners are done, and again for style, layout and paint. */
const watchKeys = `
  window.keysTook = []
  removeEventListener('keydown', window.watchKey, true)
  window.watchKey = () => {
    let drawn
    window.keyDrawn = new Promise((resolve) => { drawn = resolve })
    const pressed = performance.now()
    let worked = 0
    // After the input's own listeners; the time until the next frame is waiting, not work.
    setTimeout(() => {
      worked = performance.now() - pressed
      requestAnimationFrame(() => {
        const drawing = performance.now()
        const channel = new MessageChannel()
        channel.port1.onmessage = () => drawn(window.keysTook.push(worked + performance.now() - drawing))
        channel.port2.postMessage(null)
      })
    })
  }
  addEventListener('keydown', window.watchKey, true)
`

/** A form that creates a request would need a request type to be shown. */
const byItself = { show_on: 'members-portal', is_request: false }

const testApp = await openTestApp()
try {
  const [found] = await listWorkspaces(testApp.context)
  if (!found) throw new Error('There is no brokerage.')
  const system = systemActor(testApp.context, found.workspaceId)
  const { page } = await testApp.visit({ height: 1_080 })
  await signInAsMember(page)
  for (const size of sizes) {
    const baseline = await onBarePage(page, size)
    const name = `Typing of ${size}`
    const form_id = await addForm(system, { definition: formOf(size), ...byItself, name })
    await page.goto(`/forms/view?form=${form_id}`)
    const field = page.getByLabel('Field 0', { exact: true })
    await field.fill('5')
    await page.getByLabel('Field 1', { exact: true }).waitFor()
    console.log(describeMeasurement(`${size} inputs, a key pressed (bare)`, baseline))
    console.log(
      describeMeasurement(`${size} fields, a key pressed`, await typeInto(field, ['1', 'Backspace']), baseline),
    )
    const turned = await typeInto(field, ['Backspace', '5'])
    console.log(describeMeasurement(`${size} fields, half of them hidden or shown`, turned, baseline))
    const saved = () => page.getByText(/^Saved /).waitFor()
    const rested = await typeInto(field, ['1', 'Backspace'], { count: keysAfterSaves, rest: saved })
    console.log(describeMeasurement(`${size} fields, a key pressed after a save`, rested, baseline))
  }
} finally {
  await testApp.close()
}

async function onBarePage(page: Page, size: number): Promise<Measurement> {
  const inputs = Array.from({ length: size }, (_, at) => `<p><label>Field ${at} <input></label></p>`).join('')
  await page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html>${inputs}` }))
  await page.goto('/bare')
  return typeInto(page.getByLabel('Field 0', { exact: true }), ['1', 'Backspace'])
}

type Pace = { count?: number; rest?: () => Promise<void> }

/** Waits after each key until the frame after it is drawn. */
async function typeInto(
  field: Locator,
  cycle: [string, string],
  { count = keys, rest }: Pace = {},
): Promise<Measurement> {
  const page = field.page()
  await field.focus()
  await page.evaluate(watchKeys)
  for (let at = 0; at < count; at += 1) {
    await rest?.()
    await page.keyboard.press(cycle[at % 2] ?? 'Backspace')
    await page.evaluate(`window.keyDrawn`)
  }
  const took = await page.evaluate<number[]>('window.keysTook')
  const at = quantilesOf(took)
  const perSecond = (1000 * took.length) / took.reduce((sum, each) => sum + each, 0)
  return { count: took.length, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), perSecond }
}
