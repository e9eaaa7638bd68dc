import { z } from 'zod'
import { texts } from '../texts.ts'

/** Between two letters of these scripts, joiners change how they look. */
const joining =
  /(?<=[\p{L}\p{M}])(?<=[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Tibt}\p{scx=Mymr}\p{scx=Khmr}])[\u200c\u200d](?=[\p{L}\p{M}])/u
/** A Malayalam chillu and the Bengali khanda ta as older keyboards write them, also at the end of a word. */
const ending = /(?<=\u09a4\u09cd|[\u0d15-\u0d39]\u0d4d)\u200d/u
/** The variant of a Mongolian letter, and the separator before a word's last vowel. */
const mongolian = /(?<=\p{scx=Mong})(?:[\u180b-\u180d\u180f]|\u180e(?=\p{L}))/u

/** Invisible characters, except where they change how the letters of a script look. */
const unseen = new RegExp(
  `(?!${[joining, ending, mongolian].map(({ source }) => source).join('|')})[\\p{Cf}\\p{Default_Ignorable_Code_Point}]`,
  'gu',
)

/** One plain space wherever there is a space of any width, and one spelling of a letter with its marks, once nothing divides them. */
export const normalizeName = (name: string): string =>
  name
    .replace(unseen, '')
    .normalize('NFC')
    .trim()
    .replace(/\p{Z}+/gu, ' ')

/** A person's name, without invisible characters that only make equal names differ or turn the text around it. */
export const personName = (charsMax: number, tooLong = texts.textTooLong.replace('{{count}}', String(charsMax))) =>
  z
    .string({ error: texts.nameMissing })
    .overwrite(normalizeName)
    .min(1, texts.nameMissing)
    .max(charsMax, tooLong)
    .refine((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), texts.nameUnreadable)
