import { authorize, type Member } from '../foundation/actor.ts'
import { reading } from '../foundation/database.ts'
import { readWorkspace } from '../workspaces/workspace.ts'
import { coinPicture } from './coin-picture.ts'

/** Coins that withdrawals may go out in, as the workspace lists them, each with a picture of our own. */
export async function listEnabledCoins(member: Member): Promise<{ name: string; image_url: string }[]> {
  authorize(member, 'withdraw')
  const { settings } = await reading(member, (tx) => readWorkspace(tx, member))
  return settings.withdrawal_coins.map((name) => ({ name, image_url: coinPicture(name) }))
}
