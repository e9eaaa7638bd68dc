import type { Config } from '../config.ts'

export const workspacePlace = '{workspace}'

/**
 * Where a brokerage's people find it, for links in mails. From the configuration alone: the host that a request names is
 * whatever its sender wrote there, and a reset link to it would hand the code over.
 */
export function workspaceAddress(config: Config, workspace: Named): string {
  const { publicUrl, production, domain, port } = config
  if (publicUrl) return addressIn(publicUrl, workspace)
  const host = workspace.isDefault ? domain : `${workspace.subdomain}.${domain}`
  return production ? `https://${host}` : `http://${host}:${port}`
}

/** Where a workspace's calls go when that is not where its pages are; null where it is the same. */
export function apiAddress({ apiOrigin }: Config, workspace: Named): string | null {
  return apiOrigin && addressIn(apiOrigin, workspace)
}

type Named = { subdomain: string; isDefault: boolean }

function addressIn(template: string, { subdomain, isDefault }: Named): string {
  if (template.includes(workspacePlace)) return template.replace(workspacePlace, subdomain)
  return isDefault ? template : template.replace('://', `://${subdomain}.`)
}

/**
 * The workspace's label in a host of calls, as `apiAddress` writes it; null in the bare one of the default workspace, and
 * undefined for a host that is not one of calls.
 */
export function apiLabel({ apiOrigin }: Config, host: string | undefined): string | null | undefined {
  if (!apiOrigin) return undefined
  const name = (host ?? '').replace(/:\d+$/, '').toLowerCase()
  const { hostname } = new URL(apiOrigin.replace(workspacePlace, placeholder))
  const isPlaced = hostname.includes(placeholder)
  if (!isPlaced && name === hostname) return null
  const [before = '', after = ''] = isPlaced ? hostname.split(placeholder) : ['', `.${hostname}`]
  const label = name.slice(before.length, name.length - after.length)
  return name === before + label + after && /^[a-z0-9-]+$/.test(label) ? label : undefined
}

export const isApiHost = (config: Config, host: string | undefined): boolean => apiLabel(config, host) !== undefined

const placeholder = 'workspace-of-the-host'
