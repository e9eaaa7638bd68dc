import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { openPaymentFixture, type PaymentFixture } from '../../tests/fixtures/payments/payment-fixture.ts'
import { addStaff, type MadeStaff, provenStaff } from '../../tests/fixtures/workspaces.ts'
import { addCompanyBank, archiveCompanyBank, changeCompanyBank } from '../banking/company-banks.ts'
import type { Staff } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { connectProvider } from '../payments/connections/desk-connection.ts'
import { readDeskProvider } from '../payments/connections/desk-providers.ts'
import { findProvider } from '../payments/connections/provider.ts'
import { inviteStaff } from '../staff/invitation.ts'
import { changeStaffRole, lockStaff, unlockStaff } from '../staff/staff.ts'
import { changeWorkspace, readDeskWorkspace } from '../workspace-settings/change.ts'

let setup: PaymentFixture
let ada: Staff
let colleague: MadeStaff
before(async () => {
  setup = await openPaymentFixture()
  const { system } = setup
  ada = { ...(await provenStaff(system, await addStaff(system, { name: 'Ada Admin' }))), address: '203.0.113.7' }
  colleague = await addStaff(system, { name: 'Cora Colleague' })
})
after(() => setup.close())

const person = (values: Parameters<typeof addStaff>[1]) => addStaff(setup.system, values)
/** The changes of which a person was notified, as their mails say it. */
const noticesTo = async ({ email }: { email: string }): Promise<string[]> =>
  (await mailsTo(setup.system, email)).flatMap(({ subject, text }) =>
    subject === 'A colleague made a change that money depends on' ? [text] : [],
  )
/** The sentence about each change since the last call. */
let seen = 0
async function news(): Promise<string[]> {
  const texts = await noticesTo(colleague)
  const found = texts.slice(seen).map((text) => text.split('\n\n')[1] ?? '')
  seen = texts.length
  return found
}

describe('the other administrators', () => {
  it('are notified at once of new keys of a payment provider, without the keys, and of nothing that was not changed', async () => {
    const { system } = setup
    const others = [
      await person({ role: 'finance' }),
      await person({ status: 'locked' }),
      await person({ status: 'invited' }),
    ]
    const row = await reading(system, (tx) => findProvider(tx, system, 'zotapay'))
    const { _id: id, version, settings } = await readDeskProvider(ada, String(row?.provider_id))
    const same = Object.fromEntries(settings.map(({ name, value }) => [name, value ?? '']))
    await connectProvider(ada, { id, version, settings: same })
    assert.deepEqual(await news(), [])
    await connectProvider(ada, { id, version, settings: { ...same, secretKey: 'forged-secret-0001' } })
    const [text = ''] = await noticesTo(colleague)
    assert.match(text, /Ada Admin .* changed the connection of the payment provider Zota: Merchant secret key\./)
    assert.match(text, /from the address 203\.0\.113\.7/)
    assert.match(text, /\/desk\/audit/)
    assert.doesNotMatch(text, /forged/)
    assert.equal((await news()).length, 1)
    for (const nobody of [ada, ...others]) assert.deepEqual(await noticesTo(nobody), [])
  })

  it('are notified of bank accounts that members pay into', async () => {
    const bank = { currency: 'EUR', bank_name: 'Harbour Bank', account_holder: 'Harbour', swift: 'DEUTDEFF' }
    const input = { ...bank, iban_number: 'DE89370400440532013000' }
    const [added] = await addCompanyBank(ada, input)
    await addCompanyBank(ada, input)
    await changeCompanyBank(ada, { id: String(added?._id) }, { ...input, iban_number: 'DE75512108001245126199' })
    await archiveCompanyBank(ada, String(added?._id))
    const about = ({ name, email }: Staff, did: string) => `${name} (${email}) ${did}.`
    assert.deepEqual(await news(), [
      about(ada, 'added the bank account Harbour Bank, EUR, ending in 3000'),
      about(ada, 'changed the bank account Harbour Bank, EUR, ending in 6199'),
    ])
  })

  it('are notified of settings that guard decisions about money, and not of others', async () => {
    const { sections, versions } = await readDeskWorkspace(ada)
    const { deposits, brand } = sections
    const above = [{ currency: 'USD', above: '99' }]
    const change = { deposit_second_approval: 'own', deposit_second_approval_above: above } as const
    await changeWorkspace(ada, {
      section: 'deposits',
      version: versions.deposits?.version ?? 0,
      ...deposits,
      ...change,
    })
    await changeWorkspace(ada, {
      section: 'brand',
      version: versions.brand?.version ?? 0,
      ...brand,
      name: 'Harbour Markets',
    })
    assert.deepEqual(await news(), [`Ada Admin (${ada.email}) changed the settings of deposits.`])
  })

  it('are notified who comes to decide about money, and who no longer does, who is notified too', async () => {
    const gone = await person({ name: 'Gero Gone' })
    const demoted = await person({ name: 'Dora Demoted' })
    await lockStaff(ada, gone.staffId)
    await unlockStaff(ada, gone.staffId)
    await changeStaffRole(ada, demoted.staffId, 'viewer')
    await inviteStaff(ada, { name: 'Finn Finance', email: 'finn@harbour.test', role: 'finance' })
    await inviteStaff(ada, { name: 'Sam Support', email: 'sam@harbour.test', role: 'support' })
    const notices = (await news()).map((sentence) => sentence.replace(/^Ada Admin \([^)]*\) /, ''))
    assert.deepEqual(notices, [
      `locked the access of Gero Gone (${gone.email}).`,
      `unlocked the access of Gero Gone (${gone.email}).`,
      `changed the role of Dora Demoted (${demoted.email}) to viewer.`,
      'invited Finn Finance (finn@harbour.test) to the desk as finance.',
    ])
    assert.match((await noticesTo(gone))[0] ?? '', /locked the access of Gero Gone/)
    assert.match((await noticesTo(demoted)).at(-1) ?? '', /changed the role of Dora Demoted/)
  })
})
