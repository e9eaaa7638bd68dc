import { z } from 'zod'
import type { SettingField } from './contract.ts'

type Words = Pick<SettingField, 'label' | 'help'>

const missing = 'Please fill all required fields.'

/** Kinds of settings that more than one provider has. */
export function textSetting(words: Words) {
  return { ...words, schema: z.string().trim().min(1, missing).max(200) } satisfies SettingField
}

/** An empty secret would make every signature guessable: an adapter without one does not start. */
export function secretSetting(words: Words) {
  return {
    ...words,
    isSecret: true,
    schema: z.string().min(8, 'A secret has at least 8 characters.').max(500),
  } as const
}

export function addressSetting(words: Words, usual: string) {
  const schema = z
    .string()
    .trim()
    .max(300)
    .regex(/^https?:\/\/[^\s?#]+$/, 'Enter an address that begins with https://')
    .refine((text) => URL.canParse(text), 'Enter an address that begins with https://')
    .transform((text) => text.replace(/\/+$/, ''))
  return { ...words, usual, schema } as const
}

export function choiceSetting<const Choices extends readonly [string, ...string[]]>(words: Words, choices: Choices) {
  return {
    ...words,
    choices,
    usual: choices[0],
    schema: z.enum(choices) as z.ZodType<Choices[number], string>,
  } as const
}

/** Hosts of payment pages, one a line; `*.` in front stands for every host below. Nothing: the host of the calls only. */
export function pageHostsSetting(usual: string) {
  const host = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/
  return {
    label: 'Hosts of payment pages',
    help: 'Members are sent to these hosts only. One a line; *.example.com stands for every host below example.com.',
    isLong: true,
    usual,
    schema: z
      .string()
      .max(2_000)
      .transform((text) => text.split(/[\s,]+/).filter((line) => line !== ''))
      .refine((hosts) => hosts.every((each) => host.test(each)), 'Enter host names, one a line.'),
  } as const
}
