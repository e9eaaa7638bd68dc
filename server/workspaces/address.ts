import type { Config } from '../config.ts'

export const workspacePlace = '{workspace}'

/**
 * A brokerage's address for links in mails, from the configuration only: the host of a request is chosen by its sender,
 * and a reset link to it would reveal the code.
 */
export function workspaceAddress(config: Config, workspace: Named): string {
  const { publicUrl, production, domain, port } = config
  if (publicUrl) return addressIn(publicUrl, workspace)
  const host = workspace.isDefault ? domain : `${workspace.subdomain}.${domain}`
  return production ? `https://${host}` : `http://${host}:${port}`
}

/** The address of a workspace's calls where it differs from its pages; else null. */
export function apiAddress({ apiOrigin }: Config, workspace: Named): string | null {
  return apiOrigin && addressIn(apiOrigin, workspace)
}

type Named = { subdomain: string; isDefault: boolean }

function addressIn(template: string, { subdomain, isDefault }: Named): string {
  if (template.includes(workspacePlace)) return template.replace(workspacePlace, subdomain)
  return isDefault ? template : template.replace('://', `://${subdomain}.`)
}

/**
 * The workspace's label in an API host, as `apiAddress` writes it; null for the default workspace's bare host,
 * undefined for any other host.
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
