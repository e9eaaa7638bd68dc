import type { Config } from '../config.ts'
import type { Workspace } from './workspace.ts'

export const workspacePlace = '{workspace}'

/**
 * Where a brokerage's people find it, for links in mails. From the configuration alone: the host that a request names is
 * whatever its sender wrote there, and a reset link to it would hand the code over.
 */
export function workspaceAddress(config: Config, workspace: Pick<Workspace, 'subdomain' | 'isDefault'>): string {
  const { publicUrl, production, domain, port } = config
  const { subdomain, isDefault } = workspace
  if (publicUrl?.includes(workspacePlace)) return publicUrl.replace(workspacePlace, subdomain)
  if (publicUrl) return isDefault ? publicUrl : publicUrl.replace('://', `://${subdomain}.`)
  const host = isDefault ? domain : `${subdomain}.${domain}`
  return production ? `https://${host}` : `http://${host}:${port}`
}
