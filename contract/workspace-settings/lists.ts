import { z } from 'zod'
import { limits } from '../limits.ts'
import { cryptoCodes, fiatCodes } from '../money/currencies.ts'
import { deskTexts } from '../staff/texts.ts'
import { emailInput } from '../validators/reach.ts'
import { singleLine } from '../validators/single-line.ts'
import { taxonomyEntities } from './taxonomies.ts'

const isTwice = (names: string[]) => new Set(names.map((name) => name.toLowerCase())).size !== names.length

const list = z
  .array(singleLine(limits.nameCharsMax))
  .max(limits.listEntriesMax)
  .refine((names) => !isTwice(names), deskTexts.listTwice)

const codes = new Set([...fiatCodes, ...cryptoCodes])
export const currencyCode = z.string().refine((code) => codes.has(code), deskTexts.currencyInvalid)
export const accent = z.string().regex(/^#[0-9a-f]{6}$/i, deskTexts.accentInvalid)
export const supportEmail = emailInput().nullable()

/** Vendors and departments. Archived entries are no longer offered; saved entries are never deleted. */
export const lists = z.object({
  // A vendor's settings are stored as a property with its name, which `__proto__` cannot be.
  vendors: list.refine((names) => !names.includes('__proto__'), deskTexts.nameRefused),
  departments: list,
  archived_vendors: list.default([]),
  archived_departments: list.default([]),
})

/** A vendor's settings that override the workspace's; null inherits. */
export const vendorSettings = z.object({
  vendor: z.string().max(limits.nameCharsMax),
  name: singleLine(limits.nameCharsMax).nullable(),
  accent: accent.nullable(),
  support_email: supportEmail,
  default_currency: currencyCode.nullable(),
  departments: list.nullable(),
})
export type VendorSettings = z.output<typeof vendorSettings>

export const vendors = z.object({ vendor_settings: z.array(vendorSettings).max(limits.listEntriesMax) })

const entry = z.object({
  /** Null for a new one. */
  key: z.string().max(limits.nameCharsMax).nullable(),
  name: singleLine(limits.listWordCharsMax),
  archived: z.boolean(),
})

export const taxonomies = z.object({
  taxonomies: z
    .array(
      z.object({
        entity: z.enum(taxonomyEntities),
        entries: z
          .array(entry)
          .max(limits.listEntriesMax)
          .refine(
            (all) => !isTwice(all.filter(({ archived }) => !archived).map(({ name }) => name)),
            deskTexts.listTwice,
          ),
      }),
    )
    .max(taxonomyEntities.length)
    .refine((all) => new Set(all.map(({ entity }) => entity)).size === all.length, deskTexts.listTwice),
})
