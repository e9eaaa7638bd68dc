// spec: OP operation
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { copyAsAnotherBuild } from '../kit/another-build.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

/** A rolling upgrade: two processes with different web builds behind a balancer that routes requests to either of them. */
describe('a browser session while one version replaces another', () => {
  let testApp: TestApp
  let folder: string
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-build-'))
    const othersEnvironment = { ATRIUM_WEB_DIST: copyAsAnotherBuild(join(folder, 'dist')) }
    testApp = await openTestApp({ processes: 2, othersEnvironment })
  })
  afterEach(() => testApp.endVisits())
  after(async () => {
    await testApp.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('loads every page completely, whichever process serves the page and its assets', async () => {
    const { page } = await testApp.visit()
    const entries = new Set<string>()
    page.on('request', (asked) => {
      const [entry] = /portal-[0-9a-f]{8}\.js/.exec(asked.url()) ?? []
      if (entry) entries.add(entry)
    })
    await signInAsMember(page)
    for (const path of ['/accounts', '/funds/transactions', '/documents', '/support', '/profile', '/home']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('alert')).toHaveCount(0)
    }
    assert.equal(entries.size, 2, 'pages of both versions were seen')
  })

  it('loads lazy chunks from either process', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    for (const name of ['Accounts', 'Documents', 'Support']) {
      await page.getByRole('navigation').getByRole('link', { name }).first().click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    }
    const desk = await testApp.visit()
    await signInAsStaff(desk.page)
    await expect(desk.page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})
