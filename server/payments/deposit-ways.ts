import { withoutProviderPrefix } from '@atrium/contract/payments/orders.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { describeProblem } from '../observability/log.ts'
import { PaymentProblem, type PaymentWay } from '../payment-providers/contract.ts'
import { connectProvider, findProvider } from './connections/provider.ts'

/** The payment methods of a provider in one currency; empty for a provider with a single method. */
export async function listDepositWays(member: Member, method: string, currency: string): Promise<PaymentWay[]> {
  authorize(member, 'deposit')
  const uid = withoutProviderPrefix(method)
  const row = await reading(member, (tx) => findProvider(tx, member, uid))
  if (!row?.enabled) refuseFields({ payment_method: [paymentTexts.providerUnknown] })
  try {
    const { listWays } = await connectProvider(member, row)
    return [...(listWays?.(currency) ?? [])]
  } catch (problem) {
    if (!(problem instanceof PaymentProblem)) throw problem
    member.context.log.warn({ err: describeProblem(problem), provider: uid }, 'payment methods not read')
    refuse('unavailable', paymentTexts.unavailable)
  }
}
