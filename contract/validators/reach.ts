/** Validators of email addresses, domains, links and URLs; phone.ts has phone numbers. */

import { z } from 'zod'
import { limits } from '../limits.ts'
import { texts } from '../texts.ts'
import { normalizeText } from './identifier.ts'
import { type ValidationResult, validatorTexts } from './messages.ts'

const emailLocalCharsMax = 64
/** With the marks that vowels are in Indic and other scripts, each behind a letter. */
const emailLocal = /^(?:[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]\p{M}*)+$/u

/** Accepts what mail servers accept, except the quoted local parts of RFC 5321: they are mostly used in attacks. */
export function validateEmail(value: string): ValidationResult {
  const email = value.trim()
  if (email === '') return null
  const at = email.lastIndexOf('@')
  const local = email.slice(0, Math.max(at, 0))
  const isLocal = local.length <= emailLocalCharsMax && emailLocal.test(local) && !hasLooseDot(local)
  const isFit = email.length <= limits.emailCharsMax && isLocal && isDomain(email.slice(at + 1))
  return isFit ? null : validatorTexts.email
}

/** As stored: as typed if it is ASCII, otherwise normalized and in lower case, which the database cannot do. */
export function normalizeEmail(value: string): string {
  const email = normalizeText(value)
  return /\P{ASCII}/u.test(email) ? email.normalize('NFC').toLowerCase() : email
}

/** As mail servers and payment providers accept it: with the domain in its `xn--` form. */
export function asciiEmail(value: string): string {
  const at = value.lastIndexOf('@') + 1
  const domain = value.slice(at)
  return at > 0 && isDomain(domain) ? value.slice(0, at) + (hostOf(`http://${domain}`) ?? domain) : value
}

/** The same key for all spellings of one address. */
export const emailKey = (value: string): string => asciiEmail(normalizeEmail(value)).toLowerCase()

/** The rule for every call, command and setting with an email address. */
export const emailInput = (charsMax: number = limits.emailCharsMax) =>
  z
    .string({ error: texts.emailInvalid })
    .overwrite(normalizeEmail)
    .min(1, { error: texts.emailInvalid, abort: true })
    .max(charsMax, { error: texts.textTooLong.replace('{{count}}', String(charsMax)), abort: true })
    .refine((email) => validateEmail(email) === null, texts.emailInvalid)

const hasLooseDot = (local: string) => local.startsWith('.') || local.endsWith('.') || local.includes('..')

export function validateDomain(value: string): ValidationResult {
  const domain = value.trim()
  return domain === '' || isDomain(domain) ? null : validatorTexts.domain
}

const label = /^[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u

/** At least two labels and not numeric. A name in another script is checked in its `xn--` form. */
export function isDomain(domain: string): boolean {
  if (domain.length > limits.domainCharsMax || !domain.split('.').every((part) => label.test(part))) return false
  const travelling = hostOf(`http://${domain}`)
  if (travelling === null || travelling.length > limits.domainCharsMax) return false
  const parts = travelling.split('.')
  return parts.length > 1 && parts.every((part) => part.length <= 63) && !/^[0-9]{1,63}$/.test(parts.at(-1) ?? '')
}

/** An absolute URL. */
export function validateUrl(value: string): ValidationResult {
  const url = value.trim()
  return url === '' || isAddress(url, ['http:', 'https:', 'ftp:']) ? null : validatorTexts.url
}

/** A link, with or without `https://`. */
export function validateLink(value: string): ValidationResult {
  const link = value.trim()
  if (link === '') return null
  const isFit =
    isAddress(link, ['http:', 'https:']) || (!link.includes('://') && isAddress(`https://${link}`, ['https:']))
  return isFit ? null : validatorTexts.link
}

/** Browsers drop tabs and line ends from a URL and read a backslash as a slash, which disguises the target. */
const isSeemly = (text: string) => ![...text].some((char) => char <= ' ' || char === '\\' || char === '\u007f')

function isAddress(text: string, schemes: readonly string[]): boolean {
  if (text.length > limits.urlCharsMax || !text.isWellFormed() || !isSeemly(text)) return false
  const parsed = parseAddress(text)
  if (!parsed || !schemes.includes(parsed.protocol) || !/^[A-Za-z]{3,5}:\/\/[^/]/.test(text)) return false
  // A user name before the host disguises the host.
  return parsed.username === '' && parsed.password === '' && isHost(parsed.hostname)
}

/** A domain or an IP address; `localhost` and other bare names lead nowhere from another machine. */
function isHost(host: string): boolean {
  return host.startsWith('[') || /^[0-9]{1,3}(?:\.[0-9]{1,3}){3}$/.test(host) || isDomain(host)
}

function hostOf(address: string): string | null {
  return parseAddress(address)?.hostname || null
}

function parseAddress(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}
