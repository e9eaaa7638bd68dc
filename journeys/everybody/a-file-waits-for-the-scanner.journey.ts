// spec: DK documents
import { after, afterEach, before, describe, it } from 'node:test'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { listWaiting, scanWaiting } from '../../server/files/scanning.ts'
import { startClamd } from '../../simulators/clamd/server.ts'
import { makePdf } from '../../tests/fixtures/sample-files.ts'
import { openAtDesk } from '../kit/deciding.ts'
import { acceptCreated, depositForm, fillDeposit, openTransaction } from '../kit/depositing.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

describe('a file waits for the virus scanner', () => {
  let testApp: TestApp
  let clamd: Awaited<ReturnType<typeof startClamd>>
  before(async () => {
    clamd = await startClamd()
    const { host, port } = clamd.address
    testApp = await openTestApp({ environment: { CLAMD_ADDRESS: `${host}:${port}` } })
  })
  afterEach(() => testApp.endVisits())
  after(async () => {
    await testApp.close()
    await clamd.close()
  })

  /** Runs the recurring scan job once. */
  async function scanEverything(): Promise<void> {
    for await (const waiting of listWaiting(testApp.system))
      for (const id of waiting) await scanWaiting(testApp.system, id)
  }

  it('shows sender and reviewer that the file is waiting, until the scanner passes it', async () => {
    clamd.misbehave('error')
    const member = await testApp.visit({ width: 1440 })
    const { page, context } = member
    await signInAsMember(page)
    const receipt = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: makePdf() }
    await fillDeposit(page, { login: '700123', amount: '31.09', comment: 'As a document', receipt })
    await expect(page.getByText('Still being checked for viruses')).toBeVisible()
    await depositForm(page).create.click()
    const ticket = await acceptCreated(page)
    const detail = await openTransaction(page, ticket)
    await expect(detail.getByText('Still being checked for viruses')).toBeVisible()
    member.expectStatus(409)
    const opening = context.waitForEvent('page')
    await detail.getByRole('link', { name: /receipt\.pdf/ }).click()
    const opened = await opening
    await expect(opened.getByText(fileTexts.fileVerifying)).toBeVisible()
    await expect(opened.getByRole('link', { name: 'Try again' })).toBeVisible()

    const desk = await testApp.visit({ width: 1440 })
    await signInAsStaff(desk.page)
    const deposit = await openAtDesk(desk.page, ticket)
    const held = deposit.getByText('receipt.pdf is still being checked for viruses.')
    await expect(held).toBeVisible()
    clamd.misbehave(null)
    await scanEverything()
    await expect(held).toBeHidden()
    await expect(deposit.getByRole('link', { name: /Download/ })).toBeVisible()
    await page.bringToFront()
    await expect(detail.getByText('Still being checked for viruses')).toBeHidden({ timeout: 30_000 })
    const download = opened.waitForEvent('download')
    await opened.getByRole('link', { name: 'Try again' }).click()
    await download
  })
})
