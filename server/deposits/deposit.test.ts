// spec: MP 3, MP 5, MP 6, MP 7, AO 3, AO 4, AO 5, AO 6, AO 7
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { accountTexts } from '@atrium/contract/accounts/texts.ts'
import { type DepositInput, depositInput } from '@atrium/contract/deposits/calls.ts'
import { fileTexts } from '@atrium/contract/files/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { here } from '../../tests/fixtures/on-this-machine.ts'
import { addBankAccount, addCompanyBankAccount } from '../../tests/fixtures/payments/money.ts'
import { repeatWhileLocked } from '../../tests/fixtures/repeat-while-locked.ts'
import { addMedia } from '../../tests/fixtures/requests.ts'
import { addAccount } from '../../tests/fixtures/trading/platforms.ts'
import {
  openTradingFixture,
  readTransaction,
  type TradingFixture,
} from '../../tests/fixtures/trading/trading-fixture.ts'
import { addMember, addWorkspace, chooseSettings, memberActor } from '../../tests/fixtures/workspaces.ts'
import { reading } from '../foundation/database/database.ts'
import { Refusal } from '../foundation/errors.ts'
import { newId } from '../foundation/ids.ts'
import { makeUniqueToken } from '../sessions/unique-token.ts'
import { requestDeposit } from './deposit.ts'

let setup: TradingFixture
before(async () => {
  setup = await openTradingFixture()
})
after(() => setup.close())

async function validInput(): Promise<DepositInput> {
  const { member, system } = setup
  return {
    trading_account: setup.accountId,
    amount: '250.00',
    comment: 'Transfer of this morning, cafe\u0301',
    origin_id: await addBankAccount(system, { memberId: member.memberId }),
    destination_id: setup.beneficiaryId,
    files: [await addMedia(system, { memberId: member.memberId })],
    token_key: 'transaction_deposit',
    nonce_token: await makeUniqueToken(member, 'transaction_deposit'),
  }
}

async function refusalOf(attempt: Promise<unknown>): Promise<Refusal> {
  const problem = await attempt.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  assert.ok(problem instanceof Refusal, `expected a refusal, got ${problem}`)
  return problem
}

async function countDeposits(): Promise<number> {
  const rows = await reading(setup.system, (tx) =>
    tx
      .selectFrom('balance_transactions')
      .select('transaction_id')
      .where('workspace_id', '=', setup.system.workspaceId)
      .execute(),
  )
  return rows.length
}

/** Sends a changed input and asserts that the field is refused and nothing is stored. */
async function assertRefused(change: Partial<Record<keyof DepositInput, unknown>>, field: string, message?: string) {
  const before = await countDeposits()
  const input = { ...(await validInput()), ...change } as DepositInput
  const refusal = await refusalOf(requestDeposit(setup.member, input))
  const messages = refusal.details.errors?.[field]
  assert.ok(messages, `no error at ${field}: ${JSON.stringify(refusal.details)} ${refusal.message}`)
  if (message) assert.deepEqual(messages, [message])
  assert.equal(await countDeposits(), before)
}

test('stores a pending deposit with its receipt, timeline and ticket number', async () => {
  const input = await validInput()
  const made = await requestDeposit(setup.member, input)
  const row = await readTransaction(setup, made._id)
  assert.equal(row.state, 'pending')
  assert.equal(row.amount, '250.00')
  assert.equal(row.currency, 'USD')
  assert.equal(row.source, 'client')
  assert.equal(row.payment_method, 'manual')
  assert.equal(row.ticket, made.ticket)
  assert.equal(row.comment, input.comment, 'as it was typed, not normalized')
  assert.match(row.origin ?? '', /GB33BUKB/)
  const attached = await reading(setup.system, (tx) =>
    tx
      .selectFrom('transaction_attachments')
      .select('media_id')
      .where('workspace_id', '=', setup.system.workspaceId)
      .where('transaction_id', '=', made._id)
      .execute(),
  )
  assert.deepEqual(
    attached.map((each) => each.media_id),
    input.files,
  )
})

describe('amounts', () => {
  const cases: [unknown, string][] = [
    ['', texts.amountMissing],
    ['0', texts.amountZero],
    ['0.00', texts.amountZero],
    ['-1', texts.amountZero],
    [-1, texts.amountZero],
    [0, texts.amountZero],
    ['1e9', texts.amountInvalid],
    [1e21, texts.amountInvalid],
    [1e9, texts.amountInvalid],
    ['0.001', texts.amountInvalid],
    [0.001, texts.amountInvalid],
    ['NaN', texts.amountInvalid],
    ['Infinity', texts.amountInvalid],
    ['0x10', texts.amountInvalid],
    ['1,000.00', texts.amountInvalid],
    ['10,5', texts.amountInvalid],
    [' 10', texts.amountInvalid],
    ['10 ', texts.amountInvalid],
    ['+10', texts.amountInvalid],
    ['.5', texts.amountInvalid],
    ['5.', texts.amountInvalid],
    ['١٢', texts.amountInvalid],
    ['１２', texts.amountInvalid],
    ['1000000000', texts.amountInvalid],
    ['99999999999999999999', texts.amountInvalid],
  ]
  for (const [amount, message] of cases) {
    test(`refuses ${JSON.stringify(amount)}`, () => assertRefused({ amount }, 'amount', message))
  }

  const good: [string | number, string][] = [
    ['0.01', '0.01'],
    ['1', '1.00'],
    [12.5, '12.50'],
    ['999999999.99', '999999999.99'],
    ['007.10', '7.10'],
  ]
  for (const [amount, stored] of good) {
    test(`stores ${JSON.stringify(amount)} as ${stored}`, async () => {
      const made = await requestDeposit(setup.member, { ...(await validInput()), amount })
      assert.equal((await readTransaction(setup, made._id)).amount, stored)
    })
  }

  test('refuses decimals in a currency without decimals', async () => {
    const { member, system, platformId } = setup
    const yen = await addAccount(system, { memberId: member.memberId, platformId, currency: 'JPY' })
    const destination_id = await addCompanyBankAccount(system, { currency: 'JPY' })
    await assertRefused({ trading_account: yen, destination_id, amount: '100.5' }, 'amount', texts.amountInvalid)
    const made = await requestDeposit(member, {
      ...(await validInput()),
      trading_account: yen,
      destination_id,
      amount: '100',
    })
    assert.equal((await readTransaction(setup, made._id)).amount, '100')
  })
})

describe('references that the member does not own', () => {
  test('refuses an unknown, foreign, deleted, archived, read-only or demo account', async () => {
    const { system, platformId, member, context } = setup
    const foreignMember = await addMember(system)
    const elsewhere = await addWorkspace(context)
    assert.ok(elsewhere.workspaceId !== system.workspaceId)
    const memberId = member.memberId
    const accounts = [
      newId(),
      await addAccount(system, { memberId: foreignMember.memberId, platformId }),
      await addAccount(system, { memberId, platformId, deleted: true }),
      await addAccount(system, { memberId, platformId, archived: true }),
      await addAccount(system, { memberId, platformId, enable_read_only: true }),
    ]
    for (const trading_account of accounts)
      await assertRefused({ trading_account }, 'trading_account', texts.accountUnknown)
  })

  test('refuses the bank account of another member, a removed one, and a company account in another currency', async () => {
    const { system, member, context } = setup
    const foreignMember = await addMember(system)
    const foreign = await addBankAccount(system, { memberId: foreignMember.memberId })
    const removed = await addBankAccount(system, { memberId: member.memberId, removed_at: context.clock.now() })
    for (const origin_id of [newId(), foreign, removed]) await assertRefused({ origin_id }, 'origin_id')
    const euro = await addCompanyBankAccount(system, { currency: 'EUR' })
    const gone = await addCompanyBankAccount(system, { removed_at: context.clock.now() })
    for (const destination_id of [newId(), euro, gone, foreign])
      await assertRefused({ destination_id }, 'destination_id')
  })

  test('refuses a receipt of another member, a used one and an unknown one', async () => {
    const { system, member } = setup
    const foreignMember = await addMember(system)
    const used = await validInput()
    await requestDeposit(member, used)
    const files = [await addMedia(system, { memberId: foreignMember.memberId }), used.files[0], newId()]
    for (const file of files) await assertRefused({ files: [file] }, 'files', accountTexts.receiptUnknown)
  })

  test('refuses a file whose type or size no receipt may have, whatever its upload purpose', async () => {
    const { system, member } = setup
    const { memberId } = member
    const table = await addMedia(system, { memberId, purpose: 'document', name: 'a.csv', extension: 'csv' })
    const types = fileTexts.fileTypes.replace('{{types}}', 'png, jpg, jpeg, pdf')
    await assertRefused({ files: [table] }, 'files', types)
    const large = await addMedia(system, { memberId, purpose: 'document', sent_bytes: 5_000_001 })
    await assertRefused({ files: [large] }, 'files', fileTexts.fileTooLarge.replace('{{size}}', '5 MB'))
  })

  test('accepts a file uploaded without a purpose as a receipt', async () => {
    const { system, member } = setup
    const files = [await addMedia(system, { memberId: member.memberId, purpose: 'document' })]
    assert.equal((await requestDeposit(member, { ...(await validInput()), files })).status, 'pending')
  })

  test('accepts a receipt for one of several simultaneous deposits', async () => {
    const inputs = await Promise.all(Array.from({ length: 8 }, validInput))
    const [files, others] = [inputs[0]?.files ?? [], inputs[1]?.files ?? []]
    const attempts = inputs.map((input, index) => {
      const shared = index % 2 ? [...files, ...others] : [...others, ...files]
      return requestDeposit(setup.member, { ...input, files: shared })
    })
    const results = await Promise.allSettled(attempts)
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    assert.equal(refused.length, attempts.length - 1)
    for (const problem of refused) {
      assert.ok(problem instanceof Refusal, String(problem))
      assert.deepEqual(problem.details.errors?.files, [accountTexts.receiptUnknown])
    }
  })
})

describe('the form fields', () => {
  const gaps: [keyof DepositInput, unknown, string, string][] = [
    ['trading_account', undefined, 'trading_account', texts.fieldsMissing],
    ['trading_account', 'not-an-id', 'trading_account', texts.fieldsMissing],
    ['amount', undefined, 'amount', texts.amountMissing],
    ['comment', undefined, 'comment', texts.fieldsMissing],
    ['comment', '   ', 'comment', texts.fieldsMissing],
    ['origin_id', undefined, 'origin', texts.fieldsMissing],
    ['destination_id', undefined, 'destination_id', texts.fieldsMissing],
    ['files', undefined, 'files', texts.receiptMissing],
    ['files', [], 'files', texts.receiptMissing],
  ]
  for (const [field, value, at, message] of gaps) {
    test(`refuses ${field} = ${JSON.stringify(value)}`, async () => {
      const read = depositInput.safeParse({ ...(await validInput()), [field]: value })
      assert.ok(!read.success)
      const issue = read.error.issues.find((each) => each.path[0] === at)
      assert.equal(issue?.message, message)
    })
  }

  test('ignores status, source, type and method sent by the client', async () => {
    const forged = {
      status: 'approved',
      source: 'other',
      type: 'withdrawal',
      payment_method: 'skrill',
      platform_ticket: '1',
      state: 'approved',
      workspace_id: newId(),
      member_id: newId(),
      decided_by: newId(),
      balance: '9',
      _id: newId(),
    }
    const made = await requestDeposit(setup.member, depositInput.parse({ ...(await validInput()), ...forged }))
    const row = await readTransaction(setup, made._id)
    const stored = [
      row.state,
      row.source,
      row.type,
      row.payment_method,
      row.platform_ticket,
      row.member_id,
      row.decided_by,
    ]
    assert.deepEqual(stored, ['pending', 'client', 'deposit', 'manual', null, setup.member.memberId, null])
    assert.notEqual(row.transaction_id, forged._id)
  })
})

describe('a repeated form', () => {
  test('a hundred simultaneous copies make one deposit and get one answer', async () => {
    const input = await validInput()
    const before = await countDeposits()
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => repeatWhileLocked(() => requestDeposit(setup.member, { ...input }))),
    )
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    assert.equal(await countDeposits(), before + 1)
  })

  test('refuses another body, and a token of another member, purpose or day', async () => {
    const { member, system, context } = setup
    const input = await validInput()
    await requestDeposit(member, input)
    const other = await refusalOf(requestDeposit(member, { ...input, amount: '251.00' }))
    assert.deepEqual([other.code, other.httpStatus], ['nonce_reused', 409])
    const foreignMember = await memberActor(system, (await addMember(system)).memberId)
    const tokens = [
      await makeUniqueToken(foreignMember, 'transaction_deposit'),
      await makeUniqueToken(member, 'transaction_withdrawal'),
      'never-given-out',
    ]
    for (const nonce_token of tokens) {
      const refusal = await refusalOf(requestDeposit(member, { ...(await validInput()), nonce_token }))
      assert.equal(refusal.code, 'nonce_unknown')
    }
    const old = await validInput()
    context.clock.advance(25 * 3_600_000)
    assert.equal((await refusalOf(requestDeposit(member, old))).code, 'nonce_unknown')
  })

  test('is still the same form without a company account after the default account has changed', async () => {
    const { member, system, beneficiaryId } = setup
    const input = { ...(await validInput()), destination_id: undefined }
    await chooseSettings(setup, { default_bank_accounts_for_clients: [beneficiaryId] })
    const made = await requestDeposit(member, input)
    assert.equal((await readTransaction(setup, made._id)).destination_id, beneficiaryId)
    await chooseSettings(setup, { default_bank_accounts_for_clients: [await addCompanyBankAccount(system)] })
    assert.deepEqual(await requestDeposit(member, input), made)
  })

  test('deletes expired tokens and no others', async () => {
    const { member, context } = setup
    const countTokens = () =>
      reading(setup.system, (tx) =>
        tx.selectFrom('nonces').where(here).select('token_hash').where('member_id', '=', member.memberId).execute(),
      ).then((rows) => rows.length)
    await makeUniqueToken(member, 'transaction_deposit')
    context.clock.advance(23 * 3_600_000)
    await makeUniqueToken(member, 'transaction_deposit')
    assert.ok((await countTokens()) > 1)
    context.clock.advance(3_600_000)
    await makeUniqueToken(member, 'transaction_deposit')
    assert.equal(await countTokens(), 2)
  })

  test('a refused form does not consume its token', async () => {
    const input = await validInput()
    await refusalOf(requestDeposit(setup.member, { ...input, amount: '0' }))
    await requestDeposit(setup.member, input)
  })
})

describe('access', () => {
  test('a disabled feature answers 404, a denied permission 403', async () => {
    const { member } = setup
    const off = { ...member, features: { ...member.features, deposits: false } }
    const denied = { ...member, permissions: [...member.permissions, 'deposit-'] }
    assert.deepEqual((await refusalOf(requestDeposit(off, await validInput()))).code, 'feature_off')
    assert.deepEqual((await refusalOf(requestDeposit(denied, await validInput()))).code, 'not_permitted')
  })
})
