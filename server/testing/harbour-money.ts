import type { Actor, System } from '../foundation/actor.ts'
import type {
  BalanceTransactions,
  BankAccounts,
  CompanyBankAccounts,
  FundAccounts,
} from '../foundation/database.generated.ts'
import { inTransaction } from '../foundation/database.ts'
import { newId } from '../foundation/ids.ts'
import { type Made, nextCount, type Owned } from './made.ts'

export async function addCompanyBankAccount(system: System, values: Made<CompanyBankAccounts> = {}): Promise<string> {
  const company_bank_account_id = values.company_bank_account_id ?? newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('company_bank_accounts')
      .values({
        currency: 'USD',
        account_holder: 'Harbour Markets Ltd',
        bank_account: '00112233',
        swift: 'HARBGB2L',
        bank_name: 'Harbour Bank',
        created_at: system.ground.clock.now(),
        ...values,
        company_bank_account_id,
        workspace_id: system.workspaceId,
      })
      .execute(),
  )
  return company_bank_account_id
}

export async function addBankAccount(system: System, values: Owned<BankAccounts>): Promise<string> {
  const { memberId, ...given } = values
  const bank_account_id = given.bank_account_id ?? newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('bank_accounts')
      .values({
        currency: 'USD',
        account_holder: 'Mara Member',
        iban_number: 'GB33BUKB20201555555555',
        swift: 'BUKBGB22',
        bank_name: 'Members Bank',
        created_at: system.ground.clock.now(),
        usable_from: system.ground.clock.now(),
        ...given,
        bank_account_id,
        workspace_id: system.workspaceId,
        member_id: memberId,
      })
      .execute(),
  )
  return bank_account_id
}

/** A wallet that may be used; with `usable_from` one that still rests. */
export async function addFundAccount(system: System, values: Owned<FundAccounts>): Promise<string> {
  const { memberId, ...given } = values
  const fund_account_id = given.fund_account_id ?? newId()
  await inTransaction(system, (tx) =>
    tx
      .insertInto('fund_accounts')
      .values({
        type: 'crypto',
        name: 'Savings wallet',
        provider: 'Ledger',
        preferred_currency: 'BTC',
        address_id: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
        created_at: system.ground.clock.now(),
        usable_from: system.ground.clock.now(),
        ...given,
        fund_account_id,
        workspace_id: system.workspaceId,
        member_id: memberId,
      })
      .execute(),
  )
  return fund_account_id
}

type TransactionValues = Owned<Omit<BalanceTransactions, 'account_id'>> & { accountId: string }

/** A transaction that stands in its state already, as history does. Deposits under test come through the operation. */
export async function addTransaction(actor: Actor, values: TransactionValues): Promise<string> {
  const { memberId, accountId, ...given } = values
  const transaction_id = given.transaction_id ?? newId()
  const state = given.state ?? 'pending'
  await inTransaction(actor, (tx) =>
    tx
      .insertInto('balance_transactions')
      .values({
        ticket: 900_000 + nextCount(),
        type: 'deposit',
        amount: '100.00',
        currency: 'USD',
        source: 'client',
        payment_method: 'manual_transfer',
        created_at: actor.ground.clock.now(),
        ...(['approved', 'paying', 'returning'].includes(state) && { platform_ticket: String(700_000 + nextCount()) }),
        ...(state === 'rejected' && { rejection_reason: 'other' }),
        ...given,
        state,
        transaction_id,
        workspace_id: actor.workspaceId,
        member_id: memberId,
        account_id: accountId,
      })
      .execute(),
  )
  return transaction_id
}
