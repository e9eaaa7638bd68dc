// spec: OP backups
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import pg from 'pg'
import type { Page } from 'playwright'
import { programLogin } from '../../server/foundation/database/program-login.ts'
import { type ChildServer, startChildServer } from '../../tests/doubles/child-server.ts'
import { commandLine } from '../../tests/fixtures/command-line.ts'
import { withDatabase } from '../../tests/fixtures/database/fresh-database.ts'
import { readBalance } from '../kit/balances.ts'
import { signInAsMember, signInAsStaff } from '../kit/people.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { expect } from '../kit/visit.ts'

const login = '700123'

/** A machine is lost; the last backup is restored on another one and people sign in as before. */
describe('after a restore on another machine', () => {
  let testApp: TestApp
  let owner: pg.Client
  let restored: ChildServer | undefined
  const database = `atrium_restored_${randomBytes(6).toString('hex')}`
  const folder = mkdtempSync(join(tmpdir(), 'atrium-after-'))
  before(async () => {
    testApp = await openTestApp({ wholeDatabase: true })
    owner = new pg.Client({ connectionString: testApp.context.config.databaseUrl ?? '' })
    await owner.connect()
    await owner.query(`create database ${database}`)
  })
  afterEach(() => testApp.endVisits())
  after(async () => {
    await restored?.stop()
    await owner.query(`drop database ${database} with (force)`)
    await owner.query(`drop role if exists ${programLogin(database)}`)
    await owner.end()
    await testApp.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const keys = () => ({
    ATRIUM_SECRET_KEY: testApp.context.config.secretKey,
    ATRIUM_BACKUP_KEY: 'tests-only-0123456789-backups-of-journeys',
    ATRIUM_BACKUP_FOLDER: join(folder, 'backups'),
  })

  /** Uses the commands that an operator types. */
  async function moveToAnotherMachine(): Promise<string> {
    const { databaseUrl, dataDirectory } = testApp.context.config
    assert.ok(databaseUrl)
    const elsewhere = { databaseUrl: withDatabase(databaseUrl, database), folder: join(folder, 'data') }
    const here = commandLine(() => ({ databaseUrl, folder: dataDirectory }))
    const made = await here.adminWith(keys(), 'backup', 'make')
    assert.equal(made.code, 0, made.err)
    const put = await commandLine(() => elsewhere).adminWith(keys(), 'backup', 'restore', '--json')
    assert.equal(put.code, 0, put.err)
    assert.deepEqual(JSON.parse(put.out).wrong, [], 'rows, files, the ledger and the audit log')
    restored = await startChildServer({
      databaseUrl: elsewhere.databaseUrl,
      dataDirectory: elsewhere.folder,
      environment: { ATRIUM_DEMO: 'true', ...keys() },
    })
    return restored.url
  }

  async function readKycDocuments(page: Page): Promise<string[]> {
    await page.goto('/documents')
    await expect(page.getByRole('link', { name: 'Payslip.pdf' })).toBeVisible()
    return page.getByRole('main').getByRole('listitem').allTextContents()
  }

  it('members and staff sign in and find the same balances, KYC documents, deposits and pending reconciliations', async () => {
    const { page } = await testApp.visit()
    await signInAsMember(page)
    const balance = await readBalance(page, login)
    const documents = await readKycDocuments(page)

    const url = await moveToAnotherMachine()
    const { page: there } = await testApp.visit({ url })
    await signInAsMember(there)
    assert.equal(await readBalance(there, login), balance)
    assert.deepEqual(await readKycDocuments(there), documents)
    const { page: desk } = await testApp.visit({ url })
    await signInAsStaff(desk)
    await desk.goto('/desk/withdrawals')
    await expect(desk.getByText('From before a backup was restored')).toBeVisible()
  })
})
