import { z } from 'zod'

/** Fields common to the settings of several adapters. */
export const milliseconds = z.number().int().min(1).max(600_000)

export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const bare = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  return ['http:', 'https:'].includes(url.protocol) && url.pathname === '/' && bare
}

export const trustFields = {
  caPem: z.string().startsWith('-----BEGIN CERTIFICATE-----').optional(),
  serverName: z.string().min(1).max(253).optional(),
  /** For the simulator only: passwords and tokens must not be sent unencrypted. */
  allowPlainHttp: z.boolean().default(false),
}

type Address = { allowPlainHttp: boolean; baseUrl: string }

export const isSecureAddress = (settings: Address): boolean =>
  settings.allowPlainHttp || settings.baseUrl.startsWith('https://')

export const insecureAddress = { path: ['baseUrl'], message: 'The address must begin with https://' }
