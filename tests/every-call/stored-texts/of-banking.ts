import {
  createBankAccount,
  createFundAccount,
  updateBankAccount,
  updateFundAccount,
} from '@atrium/contract/banking/calls.ts'
import { addCompanyBank, changeCompanyBank } from '@atrium/contract/banking/desk-calls.ts'
import { normalizeName } from '@atrium/contract/validators/person-name.ts'
import type pg from 'pg'
import { addBankAccount, addCompanyBankAccount, addFundAccount } from '../../fixtures/payments/money.ts'
import type { TradingFixture } from '../../fixtures/trading/trading-fixture.ts'
import { type Body, graph, type StoredText } from './stored-text.ts'

const ownBanks = graph(
  '{ bank_accounts { account_holder bank_account bank_name address_line_1 city state bank_branch postcode } }',
)
const ownFunds = graph('{ other_accounts { name provider address_id address_tag notes } }')

const bank = { currency: 'EUR', account_holder: 'Mara', swift: 'DEUTDEFF', bank_name: 'Members Bank', country: 'DE' }
/** Either number is enough, so an invalid one is reported only for itself. */
const iban_number = 'DE89370400440532013000'
const place = {
  iban_number,
  bank_account: '00112233',
  address_line_1: '1 Bank Street',
  city: 'Frankfurt',
  state: 'Hesse',
  bank_branch: 'Centre',
  postcode: '60311',
}
const wallet = { type: 'other', name: 'Savings', provider: 'Payday', preferred_currency: 'EUR', address_id: 'mara-1' }

/** Texts of members about their beneficiaries. */
export function storedBeneficiaryTexts(
  { system, member: { memberId } }: TradingFixture,
  owner: pg.Client,
): StoredText[] {
  /** Deletes earlier rows, since the texts would exceed the maximum number. */
  const clear = () => owner.query('delete from bank_accounts; delete from fund_accounts')
  const banks = {
    fields: ['bank_name', 'address_line_1', 'city', 'state', 'bank_branch', 'postcode'],
    shown: (): ['member', string][] => [['member', ownBanks]],
  }
  const holders = { ...banks, fields: ['account_holder'], normalise: normalizeName }
  const funds = {
    fields: ['name', 'provider', 'address_id', 'address_tag', 'notes'],
    shown: (): ['member', string][] => [['member', ownFunds]],
  }
  const made = (body: Body, add?: () => Promise<string>) => async (): Promise<Body> => {
    await clear()
    return add ? { ...body, _id: await add() } : body
  }
  const added = { call: createBankAccount, body: made({ ...bank, ...place }) }
  const updated = {
    call: updateBankAccount,
    body: made({ ...bank, ...place }, () => addBankAccount(system, { memberId })),
  }
  return [
    ...[added, updated].flatMap((each) => [
      { ...each, ...banks },
      { ...each, ...holders },
    ]),
    { call: createFundAccount, ...funds, body: made(wallet) },
    { call: updateFundAccount, ...funds, body: made(wallet, () => addFundAccount(system, { memberId })) },
  ]
}

const companyBank = {
  currency: 'EUR',
  bank_name: 'Harbour Bank',
  account_holder: 'Harbour Markets Ltd',
  bank_account: '0011',
  iban_number,
  sort_code: '60-16-13',
  identifier: 'HM-EUR',
  address_line_1: '1 Harbour Square',
  notes: 'Write your account number as the reference.',
}

/** Texts of staff about the bank accounts of the brokerage. */
export function storedCompanyBankTexts({ system }: TradingFixture, owner: pg.Client): StoredText[] {
  const texts = {
    fields: ['bank_name', 'account_holder', 'identifier', 'address_line_1', 'notes'],
    shown: (): ['staff', string][] => [['staff', '/desk/api/company-bank-accounts']],
  }
  // Deletes only the tests' own rows: the same text must be accepted again, and the number per workspace is limited.
  const clear = () => owner.query(`delete from company_bank_accounts where identifier is not null`)
  const body = async () => {
    await clear()
    return companyBank
  }
  const changed = async () => {
    await clear()
    return { ...companyBank, id: await addCompanyBankAccount(system, { identifier: 'HM' }) }
  }
  return [
    { call: addCompanyBank, ...texts, body },
    { call: changeCompanyBank, ...texts, body: changed },
  ]
}
