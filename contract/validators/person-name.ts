import { z } from 'zod'
import { texts } from '../texts.ts'
import { normalizeText } from './identifier.ts'

/** Joiners change how letters of these scripts look; elsewhere they only make two equal names differ. */
const joinersOfOtherScripts =
  /(?<![\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Tibt}\p{scx=Mymr}\p{scx=Khmr}])[\u200c\u200d]/gu

/** One plain space wherever there is a space of any width. */
export const normalizeName = (name: string): string =>
  normalizeText(name)
    .replace(joinersOfOtherScripts, '')
    .replace(/\p{Z}+/gu, ' ')

/** A person's name: two names that look the same are the same text, and no direction mark turns the text around it. */
export const personName = (charsMax: number, tooLong = texts.textTooLong.replace('{{count}}', String(charsMax))) =>
  z
    .string({ error: texts.nameMissing })
    .overwrite(normalizeName)
    .min(1, texts.nameMissing)
    .max(charsMax, tooLong)
    .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), texts.nameUnreadable)
