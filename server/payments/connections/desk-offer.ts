import type { FieldErrors } from '@atrium/contract/error-codes.ts'
import { toScale } from '@atrium/contract/money/money.ts'
import type { CurrencyTerms, offerProvider as offerCall } from '@atrium/contract/payments/providers.ts'
import { termsField, wrongTerms } from '@atrium/contract/payments/terms.ts'
import Big from 'big.js'
import type { z } from 'zod'
import { authorizeStaff, type Staff } from '../../foundation/actor.ts'
import { audit } from '../../foundation/audit.ts'
import { inTransaction, type Tx } from '../../foundation/database/database.ts'
import { refuseFields } from '../../foundation/errors.ts'
import { requireProof } from '../../sessions/factors/proof.ts'
import { refuseUnusable } from './desk-connection.ts'
import { lockProvider } from './locked-provider.ts'
import { selectTerms } from './provider.ts'

type Given = z.output<(typeof offerCall)['input']>

/**
 * Sets the terms offered to members; a disabled provider takes no new orders, while its messages about existing orders
 * still count, and one that cannot be connected cannot be enabled. Requires a fresh proof, as the connection does,
 * because it decides through whom members pay, and how much.
 */
export async function offerProvider(actor: Staff, { id, version, currencies, ...given }: Given): Promise<void> {
  authorizeStaff(actor, 'workspace.manage')
  refuseWrongTerms(currencies)
  await inTransaction(actor, async (tx) => {
    const provider = await lockProvider(tx, actor, id)
    const { title, position, enabled, app_uid } = provider.row
    const before = { title, position, enabled, currencies: await listTerms(tx, actor, id) }
    const after = { ...given, currencies: currencies.map(exact).sort(byCurrency) }
    if (JSON.stringify(auditedOf(before)) === JSON.stringify(auditedOf(after))) return
    await requireProof(tx, actor)
    provider.refuseUnless(version)
    const offered = after.currencies.map(({ currency }) => currency)
    if (after.enabled) await refuseUnusable(tx, actor, { app_uid, provider_id: id, currencies: offered })
    await setTerms(tx, actor, id, after.currencies)
    await provider.change(given)
    await audit(tx, actor, {
      action: 'payment-provider.offer-changed',
      subject: { kind: 'payment_provider', id },
      before: auditedOf(before),
      after: auditedOf(after),
    })
  })
}

function refuseWrongTerms(currencies: CurrencyTerms[]): void {
  const errors: FieldErrors = {}
  for (const terms of currencies)
    for (const [field, message] of Object.entries(wrongTerms(terms)))
      errors[termsField(terms.currency, field)] = [message]
  if (Object.keys(errors).length > 0) refuseFields(errors)
}

const byCurrency = (left: CurrencyTerms, right: CurrencyTerms): number => (left.currency < right.currency ? -1 : 1)

/** Normalizes the numbers, so that "10" and "10.00" are not a change. */
const exact = ({ currency, amount_min, amount_max, fee_percent, fee_fixed }: CurrencyTerms): CurrencyTerms => ({
  currency,
  amount_min: toScale(amount_min.trim(), currency),
  amount_max: toScale(amount_max.trim(), currency),
  fee_percent: new Big(fee_percent.trim()).toFixed(),
  fee_fixed: toScale(fee_fixed.trim(), currency),
})

type Offer = Omit<Given, 'id' | 'version'>

const auditedOf = ({ title, position, enabled, currencies }: Offer) => ({
  title,
  position,
  enabled,
  currencies: currencies.map(
    (each) =>
      `${each.currency} ${each.amount_min} to ${each.amount_max}, fee ${each.fee_percent}% and ${each.fee_fixed}`,
  ),
})

export async function listTerms(tx: Tx, actor: Staff, providerId: string): Promise<CurrencyTerms[]> {
  const rows = await selectTerms(tx, actor, providerId)
    .select(['currency', 'amount_min', 'amount_max', 'fee_percent', 'fee_fixed'])
    .execute()
  return rows.map(exact).sort(byCurrency)
}

/** Updates row by row, so that other columns of remaining rows are preserved. */
async function setTerms(tx: Tx, actor: Staff, providerId: string, currencies: CurrencyTerms[]): Promise<void> {
  const key = { workspace_id: actor.workspaceId, provider_id: providerId }
  const taken = tx
    .deleteFrom('payment_provider_currencies')
    .where('workspace_id', '=', key.workspace_id)
    .where('provider_id', '=', providerId)
  const codes = currencies.map(({ currency }) => currency)
  await (codes.length > 0 ? taken.where('currency', 'not in', codes) : taken).execute()
  for (const { currency, ...terms } of currencies)
    await tx
      .insertInto('payment_provider_currencies')
      .values({ ...key, currency, ...terms })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'provider_id', 'currency']).doUpdateSet(terms))
      .execute()
}
