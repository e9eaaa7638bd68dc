import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { mailsTo } from '../../tests/fixtures/mailbox.ts'
import { addBankAccount, addFundAccount } from '../../tests/fixtures/payments/money.ts'
import { openWithdrawer, type Withdrawer, withdrawalInputOf } from '../../tests/fixtures/payments/withdrawals.ts'
import { openTradingFixture, type TradingFixture } from '../../tests/fixtures/trading/trading-fixture.ts'
import { requestWithdrawal } from './withdrawal.ts'

describe('the mails about a withdrawal', () => {
  let setup: TradingFixture
  let withdrawer: Withdrawer
  before(async () => {
    setup = await openTradingFixture()
    withdrawer = await openWithdrawer(setup)
  })
  after(() => setup.close())

  const lastMail = async () => (await mailsTo(setup.system, setup.signIn.email)).at(-1)?.text ?? ''
  const ask = async (change: Parameters<typeof withdrawalInputOf>[1]) => {
    await requestWithdrawal(withdrawer.member, await withdrawalInputOf(withdrawer, { amount: '10.00', ...change }))
    return lastMail()
  }

  it('name the end of the account number, whatever digits the BIC of the bank has', async () => {
    const { memberId } = withdrawer.member
    const asian = await addBankAccount(setup.system, {
      memberId,
      bank_name: 'Bank of the Harbour, N.A.',
      iban_number: null,
      bank_account: '000777123',
      swift: 'HSBCHK22002',
    })
    assert.match(await ask({}), /to be paid to Members Bank, ending in 5555\./)
    assert.match(await ask({ destination_id: asian }), /to be paid to Bank of the Harbour, ending in 7123\./)
  })

  it('name the end of an address, and neither a tag nor the notes of the member', async () => {
    const { memberId } = withdrawer.member
    const wallet = await addFundAccount(setup.system, { memberId, notes: 'Cold, bought in 2024, card 4711' })
    const text = await ask({ destination: 'crypto_transfer', destination_id: wallet, coin: 'BTC' })
    assert.match(text, /to be paid to Ledger, ending in 5mdq\./)
    assert.doesNotMatch(text, /4711/)
  })
})
