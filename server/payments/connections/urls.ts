import type { Config } from '../../config.ts'
import type { OrderToStart } from '../../payment-providers/contract.ts'
import { apiAddress, workspaceAddress } from '../../workspaces/address.ts'
import type { Workspace } from '../../workspaces/workspace.ts'

/** The callback path of a provider; the host identifies the workspace. */
export const notifyPath = (uid: string): string => `/callbacks/payments/${uid}`

export const notifyUrl = (config: Config, workspace: Pick<Workspace, 'subdomain' | 'isDefault'>, uid: string): string =>
  `${apiAddress(config, workspace) ?? workspaceAddress(config, workspace)}${notifyPath(uid)}`

/** Built from the configuration only, never from a request's host (workspaces/address.ts). */
export function urlsOf(
  config: Config,
  workspace: Workspace,
  { orderId, uid }: { orderId: string; uid: string },
): OrderToStart['urls'] {
  const back = `${workspaceAddress(config, workspace)}/deposit-processing/${orderId}`
  return {
    back,
    cancelled: `${back}?ppp_status=CANCEL`,
    notify: notifyUrl(config, workspace, uid),
  }
}
