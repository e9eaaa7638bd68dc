import { type BlockList, isIP } from 'node:net'
import { z } from 'zod'
import { isNetwork, listOf } from '../foundation/database/reachable.ts'
import type { SettingField } from './contract.ts'

type Labels = Pick<SettingField, 'label' | 'help'>

const missing = 'Please fill all required fields.'

/** Settings shared by several providers. */
export function textSetting(labels: Labels) {
  return { ...labels, schema: z.string().trim().min(1, missing).max(200) } satisfies SettingField
}

/** An empty secret would make every signature guessable, so no adapter connects without one. */
export function secretSetting(labels: Labels) {
  return {
    ...labels,
    isSecret: true,
    schema: z.string().min(8, 'A secret has at least 8 characters.').max(500),
  } as const
}

export function addressSetting(labels: Labels, usual: string) {
  const schema = z
    .string()
    .trim()
    .max(300)
    .regex(/^https?:\/\/[^\s?#]+$/, 'Enter an address that begins with https://')
    .refine((text) => URL.canParse(text), 'Enter an address that begins with https://')
    .transform((text) => text.replace(/(?<!\/)\/+$/, ''))
  return { ...labels, usual, schema } as const
}

/** A setting that only some of a provider's contracts have. */
export function optionalSetting<Field extends SettingField>(field: Field) {
  return { ...field, schema: z.union([z.literal(''), field.schema]) } as Omit<Field, 'schema'> & {
    schema: z.ZodType<'' | z.output<Field['schema']>, string>
  }
}

export function choiceSetting<const Choices extends readonly [string, ...string[]]>(labels: Labels, choices: Choices) {
  return {
    ...labels,
    choices,
    usual: choices[0],
    schema: z.enum(choices) as z.ZodType<Choices[number], string>,
  } as const
}

/** Hosts of payment pages, one per line; a leading `*.` covers every subdomain. Empty: the API host only. */
export function pageHostsSetting(usual: string) {
  const host = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/
  return {
    label: 'Hosts of payment pages',
    help: 'Members are sent to these hosts only. One per line; *.example.com covers every host below example.com.',
    isLong: true,
    usual,
    schema: z
      .string()
      .max(2_000)
      .transform((text) => text.split(/[\s,]+/).filter((line) => line !== ''))
      .refine((hosts) => hosts.every((each) => host.test(each)), 'Enter host names, one per line.'),
  } as const
}

/** Allowed sender addresses or networks of webhook events, one per line. Empty: any sender. */
export const sendersSetting = {
  label: 'Senders of webhook events',
  help: 'Webhook events are accepted only from these addresses or networks, such as 203.0.113.0/24; one per line. Empty: from any address. Behind a proxy, TRUSTED_PROXIES must be correct.',
  isLong: true,
  schema: z
    .string()
    .max(2_000)
    .transform((text) => text.split(/[\s,]+/).filter((line) => line !== ''))
    .transform((lines) => lines.map((line) => ({ 4: `${line}/32`, 6: `${line}/128` })[isIP(line)] ?? line))
    .refine((networks) => networks.every(isNetwork), 'Enter addresses or networks, one per line.')
    .transform((networks): BlockList | null => (networks.length > 0 ? listOf(networks) : null)),
} as const satisfies SettingField

export const isFrom = (senders: BlockList | null, address: string | undefined): boolean =>
  senders === null || (address !== undefined && senders.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))

/** The largest amount that a provider's message moves without manual review. */
export const trustedUpToSetting = {
  label: 'Trusted up to',
  help: 'Amounts above this go to manual review, where staff compare them with the provider’s list. Empty: any amount.',
  schema: z
    .string()
    .trim()
    .regex(/^(\d{1,12}(\.\d{1,2})?)?$/, 'Enter an amount such as 5000.'),
} as const satisfies SettingField
