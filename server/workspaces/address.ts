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
 * The name in a `Host` header: in lower case, without the port and without the dot that closes a full name, since browsers send
 * both spellings. Empty without a header; null for a malformed one, which must not pass for the bare domain.
 */
export function hostName(host = ''): string | null {
  return /^(\[[0-9a-f:.]+\]|(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)?)\.?(?::\d{0,5})?$/.exec(host.toLowerCase())?.[1] ?? null
}

/**
 * The workspace's label in an API host, as `apiAddress` writes it; null for the default workspace's bare host,
 * undefined for any other host.
 */
export function apiLabel({ apiOrigin }: Config, host: string | undefined): string | null | undefined {
  if (!apiOrigin) return undefined
  const name = hostName(host)
  if (name === null) return undefined
  const { hostname } = new URL(apiOrigin.replace(workspacePlace, placeholder))
  const isPlaced = hostname.includes(placeholder)
  if (!isPlaced && name === hostname) return null
  const [before = '', after = ''] = isPlaced ? hostname.split(placeholder) : ['', `.${hostname}`]
  const label = name.slice(before.length, name.length - after.length)
  return name === before + label + after && /^[a-z0-9-]+$/.test(label) ? label : undefined
}

export const isApiHost = (config: Config, host: string | undefined): boolean => apiLabel(config, host) !== undefined

const placeholder = 'workspace-of-the-host'
