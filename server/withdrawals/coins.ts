import { fitsWallet } from '@atrium/contract/banking/coin-addresses.ts'
import { withoutProviderPrefix } from '@atrium/contract/payments/orders.ts'
import { isProvider } from '@atrium/contract/withdrawals/calls.ts'
import { z } from 'zod'
import { findBeneficiary } from '../banking/beneficiary.ts'
import { authorize, type Member } from '../foundation/actor.ts'
import { inTransaction, type Tx } from '../foundation/database/database.ts'
import { coinPicture } from '../funding/coin-picture.ts'
import { coinsIn } from '../payments/coins.ts'
import { findProvider } from '../payments/connections/provider.ts'
import { readWorkspace } from '../workspaces/workspace.ts'

type Asked = { destination_id?: string | undefined; destination?: string | undefined }

/**
 * The coins for a withdrawal, each with our own picture: from the workspace's list, or from the provider that pays
 * them. For a chosen wallet only the coins that it can receive, since others would be lost.
 */
export async function listEnabledCoins(member: Member, asked: Asked): Promise<{ name: string; image_url: string }[]> {
  authorize(member, 'withdraw')
  // Not a read-only transaction: checking the beneficiary locks it for its duration.
  const names = await inTransaction(member, (tx) => namesOf(tx, member, asked))
  return names.map((name) => ({ name, image_url: coinPicture(name) }))
}

/** The default coin of a withdrawal to a wallet: its own coin, or the only one that it can receive. */
export async function usualCoin(tx: Tx, member: Member, asked: Asked): Promise<string | undefined> {
  const { destination, destination_id: id } = asked
  const isInCoins = destination === 'crypto_transfer' || isProvider(destination ?? '')
  if (!isInCoins || !z.uuid().safeParse(id).success) return undefined
  const wallet = await findBeneficiary(tx, member, { type: 'crypto', id: id ?? '' })
  if (!wallet) return undefined
  const { currency, details } = wallet
  const names = (await namesOf(tx, member, asked)).filter((code) =>
    fitsWallet(code, { currency, address: details.address_id ?? '' }),
  )
  if (names.includes(currency)) return currency
  // Two networks with the same address format cannot be told apart.
  return names.length === 1 ? names[0] : undefined
}

async function namesOf(tx: Tx, member: Member, { destination = '', destination_id: id }: Asked): Promise<string[]> {
  const isByProvider = isProvider(destination)
  const provider = isByProvider ? await findProvider(tx, member, withoutProviderPrefix(destination)) : null
  if (isByProvider && !provider?.enabled) return []
  const offered = provider
    ? coinsIn(provider).map(({ code }) => code)
    : (await readWorkspace(tx, member)).settings.withdrawal_coins
  if (!z.uuid().safeParse(id).success) return offered
  const wallet = await findBeneficiary(tx, member, { type: 'crypto', id: id ?? '' })
  if (!wallet) return isByProvider ? [] : offered
  const { currency, details } = wallet
  return offered.filter((code) => fitsWallet(code, { currency, address: details.address_id ?? '' }))
}
