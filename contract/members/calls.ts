import { z } from 'zod'
import { defineCall } from '../call.ts'
import { formatLocales, isTimeZone } from '../languages.ts'
import { limits } from '../limits.ts'
import { languages } from '../text-languages.ts'
import { texts } from '../texts.ts'
import { validatorTexts } from '../validators/messages.ts'
import { phoneInput } from '../validators/phone.ts'
import { countryCodes } from './countries.ts'
import { profileTexts } from './texts.ts'

const saved = z.object({ status: z.literal('ok'), msg: z.array(z.string()), version: z.int() })
const withCount = (text: string, count: number) => text.replace('{{count}}', String(count))

/** One line that is stored and returned unchanged; lone surrogates and control characters are refused. */
const line = (charsMax: number) =>
  z
    .string({ error: texts.textUnreadable })
    .trim()
    .max(charsMax, withCount(texts.textTooLong, charsMax))
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), texts.textUnreadable)

const requiredLine = (charsMax: number, missing: string) =>
  z.string({ error: missing }).trim().min(1, missing).pipe(line(charsMax))

/** The first one is the primary one. */
export const phonesInput = z
  .array(phoneInput, { error: validatorTexts.phone })
  .max(limits.phonesMax, withCount(profileTexts.phonesTooMany, limits.phonesMax))
  .superRefine((phones, context) => {
    const seen = new Set<string>()
    for (const [index, phone] of phones.entries()) {
      if (seen.has(phone)) context.addIssue({ code: 'custom', path: [index], message: profileTexts.phoneTwice })
      seen.add(phone)
    }
  })

export const addressInput = z.object({
  /** The id of an existing address. */
  _id: z.uuid().optional(),
  address_line_1: requiredLine(limits.addressLineCharsMax, texts.addressLineMissing),
  address_line_2: line(limits.addressLineCharsMax).optional(),
  city: requiredLine(limits.placeCharsMax, texts.cityMissing),
  postcode: line(limits.postcodeCharsMax).optional(),
  state: line(limits.placeCharsMax).optional(),
  country: z
    .string({ error: texts.countryMissing })
    .refine((code) => countryCodes.includes(code), texts.countryMissing),
  primary: z.boolean(),
})

export const addressesInput = z
  .array(addressInput)
  .max(limits.addressesMax, withCount(profileTexts.addressesTooMany, limits.addressesMax))
  .refine(
    (list) => list.length === 0 || list.filter(({ primary }) => primary).length === 1,
    profileTexts.addressPrimary,
  )

export const colourSchemes = ['auto', 'light', 'dark'] as const

/** Null means the browser's setting. */
export const preferencesInput = z.object({
  /** The language of texts. A page of the previous version omits it, which changes nothing. */
  text_language: z.enum(languages, { error: profileTexts.languageUnknown }).nullable().optional(),
  /** The locale of numbers and dates. */
  language: z.enum(formatLocales, { error: profileTexts.localeUnknown }).nullable(),
  time_zone: z
    .string({ error: profileTexts.timeZoneUnknown })
    .refine(isTimeZone, profileTexts.timeZoneUnknown)
    .nullable(),
  colour_scheme: z.enum(colourSchemes).nullable(),
})

/** The profile version that was edited; a newer one is not overwritten. */
const version = z.int().positive()

/** Legal name and emails are excluded: they change through a request that staff decide. */
export const saveContacts = defineCall({
  method: 'POST',
  path: '/members/profile/contacts',
  access: 'member',
  input: z.object({ version, phones: phonesInput }),
  answer: saved,
})

/** Replaces all addresses; omitted ones are deleted. */
export const saveAddresses = defineCall({
  method: 'POST',
  path: '/members/profile/addresses',
  access: 'member',
  input: z.object({ version, addresses: addressesInput }),
  answer: saved,
})

export const savePreferences = defineCall({
  method: 'POST',
  path: '/members/profile/preferences',
  access: 'member',
  input: preferencesInput.extend({ version }),
  answer: saved,
})

const said = z.object({ status: z.literal('ok'), msg: z.array(z.string()) })

/** `media` is an earlier upload with the purpose `picture`. */
export const savePicture = defineCall({
  method: 'POST',
  path: '/members/profile/picture',
  access: 'member',
  input: z.object({ media: z.uuid({ error: profileTexts.pictureUnknown }) }),
  answer: said,
})

export const removePicture = defineCall({
  method: 'POST',
  path: '/members/profile/picture/remove',
  access: 'member',
  input: z.object({}),
  answer: said,
})
