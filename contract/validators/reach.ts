import { z } from 'zod'
import { limits } from '../limits.ts'
import { texts } from '../texts.ts'
import { plainWords } from './identifier.ts'
import { type Complaint, validatorTexts } from './messages.ts'

/** How somebody, or something, is reached: e-mail, domain, link, URL; phone.ts has the telephone. */

const emailLocalCharsMax = 64
const emailLocal = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]{1,64}$/u

/** The addresses that mail servers take; the quoted ones of RFC 5321 are an attack more often than a person. */
export function complainOfEmail(value: string): Complaint {
  const email = value.trim()
  if (email === '') return null
  const at = email.lastIndexOf('@')
  const local = email.slice(0, Math.max(at, 0))
  const isLocal = local.length <= emailLocalCharsMax && emailLocal.test(local) && !hasLooseDot(local)
  const isFit = email.length <= limits.emailCharsMax && isLocal && isDomain(email.slice(at + 1))
  return isFit ? null : validatorTexts.email
}

/** As it is kept: as it was typed, but for capitals of other scripts, which a database does not know to be the same. */
export function plainEmail(value: string): string {
  const email = plainWords(value)
  return /\P{ASCII}/u.test(email) ? email.normalize('NFC').toLowerCase() : email
}

/** As mail servers and payment providers take it: with the domain in its `xn--` form. */
export function asciiEmail(value: string): string {
  const at = value.lastIndexOf('@') + 1
  const domain = value.slice(at)
  return at > 0 && isDomain(domain) ? value.slice(0, at) + (hostOf(`http://${domain}`) ?? domain) : value
}

/** Two spellings of one address have the same. */
export const emailKey = (value: string): string => asciiEmail(plainEmail(value)).toLowerCase()

/** The one rule for every call, command and setting that takes an email address. */
export const emailInput = (charsMax: number = limits.emailCharsMax) =>
  z
    .string({ error: texts.emailInvalid })
    .overwrite(plainEmail)
    .min(1, { error: texts.emailInvalid, abort: true })
    .max(charsMax, { error: texts.textTooLong.replace('{{count}}', String(charsMax)), abort: true })
    .refine((email) => complainOfEmail(email) === null, texts.emailInvalid)

const hasLooseDot = (local: string) => local.startsWith('.') || local.endsWith('.') || local.includes('..')

export function complainOfDomain(value: string): Complaint {
  const domain = value.trim()
  return domain === '' || isDomain(domain) ? null : validatorTexts.domain
}

const label = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

/** Two labels at least and no address of digits. A name in another script counts as it travels, in its `xn--` form. */
export function isDomain(domain: string): boolean {
  if (domain.length > limits.domainCharsMax || !domain.split('.').every((part) => label.test(part))) return false
  const travelling = hostOf(`http://${domain}`)
  if (travelling === null || travelling.length > limits.domainCharsMax) return false
  const parts = travelling.split('.')
  return parts.length > 1 && parts.every((part) => part.length <= 63) && !/^[0-9]{1,63}$/.test(parts.at(-1) ?? '')
}

/** An address with its scheme, as a browser would open it. */
export function complainOfUrl(value: string): Complaint {
  const url = value.trim()
  return url === '' || isAddress(url, ['http:', 'https:', 'ftp:']) ? null : validatorTexts.url
}

/** An address as people write it: with `https://` or without. */
export function complainOfLink(value: string): Complaint {
  const link = value.trim()
  if (link === '') return null
  const isFit =
    isAddress(link, ['http:', 'https:']) || (!link.includes('://') && isAddress(`https://${link}`, ['https:']))
  return isFit ? null : validatorTexts.link
}

/** A browser drops tabs and line ends from an address and reads a backslash as a slash: such a text is not what it seems. */
const isSeemly = (text: string) => ![...text].some((char) => char <= ' ' || char === '\\' || char === '\u007f')

function isAddress(text: string, schemes: readonly string[]): boolean {
  if (text.length > limits.urlCharsMax || !text.isWellFormed() || !isSeemly(text)) return false
  const parsed = parseAddress(text)
  if (!parsed || !schemes.includes(parsed.protocol) || !/^[A-Za-z]{3,5}:\/\/[^/]/.test(text)) return false
  // A name in front of the host makes one host look like another.
  return parsed.username === '' && parsed.password === '' && isHost(parsed.hostname)
}

/** A domain, or an address of numbers; `localhost` and other bare names lead nowhere from somebody else's machine. */
function isHost(host: string): boolean {
  return host.startsWith('[') || /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/.test(host) || isDomain(host)
}

function hostOf(address: string): string | null {
  return parseAddress(address)?.hostname || null
}

function parseAddress(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}
