import { networkOf } from '@atrium/contract/money/coins.ts'
import { withoutProviderPrefix } from '@atrium/contract/payments/orders.ts'
import { paymentTexts } from '@atrium/contract/payments/texts.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { reading } from '../foundation/database/database.ts'
import { refuse, refuseFields } from '../foundation/errors.ts'
import { coinPicture } from '../funding/coin-picture.ts'
import { describeProblem } from '../observability/log.ts'
import { PaymentProblem } from '../payment-providers/contract.ts'
import { findAdapter } from '../payment-providers/registry.ts'
import { coinsOf } from './coins.ts'
import { connectProvider, findProvider } from './connections/provider.ts'

type DepositCoin = { code: string; name: string; network: string | null; image_url: string }

/** The coins for a deposit at a provider, each with its network and our own picture. */
export async function listDepositCoins(member: Member, method: string): Promise<DepositCoin[]> {
  authorize(member, 'deposit')
  const uid = withoutProviderPrefix(method)
  const row = await reading(member, (tx) => findProvider(tx, member, uid))
  if (!row?.enabled || !findAdapter(uid)?.takesCoins) refuseFields({ payment_method: [paymentTexts.providerUnknown] })
  try {
    const coins = await coinsOf(member, row, await connectProvider(member, row))
    return (coins ?? []).map(({ code, name }) => ({
      code,
      name,
      network: networkOf(code),
      image_url: coinPicture(code),
    }))
  } catch (problem) {
    if (!(problem instanceof PaymentProblem)) throw problem
    member.context.log.warn({ err: describeProblem(problem), provider: uid }, 'coins not read')
    refuse('unavailable', paymentTexts.unavailable)
  }
}
