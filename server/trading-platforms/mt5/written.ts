import type { WrittenAccount, WrittenField, WrittenPerson } from '../contract.ts'
import { type Mt5Record, sanitizeText } from './wire.ts'

/** The platform's name for each field, case-sensitive when written, and its maximum length. */
const fields: Record<WrittenField, { name: string; charsMax: number; isPersonal?: boolean }> = {
  group: { name: 'Group', charsMax: 63 },
  leverage: { name: 'Leverage', charsMax: 10 },
  // Without rights the server uses its own default, which may not allow the account to connect.
  rights: { name: 'Rights', charsMax: 20 },
  comment: { name: 'Comment', charsMax: 63, isPersonal: true },
  // The documentation calls the single name obsolete, but the server requires it.
  name: { name: 'Name', charsMax: 127, isPersonal: true },
  firstName: { name: 'FirstName', charsMax: 127, isPersonal: true },
  lastName: { name: 'LastName', charsMax: 127, isPersonal: true },
  email: { name: 'Email', charsMax: 63, isPersonal: true },
  phone: { name: 'Phone', charsMax: 31, isPersonal: true },
  country: { name: 'Country', charsMax: 63, isPersonal: true },
  city: { name: 'City', charsMax: 63, isPersonal: true },
  state: { name: 'State', charsMax: 63, isPersonal: true },
  zip: { name: 'ZipCode', charsMax: 15, isPersonal: true },
  address: { name: 'Address', charsMax: 127, isPersonal: true },
}

type Written = { [Name in WrittenField]?: string }

/** Empty where the platform would store another address, which may belong to another mailbox. */
const writtenEmail = (email: string): string =>
  sanitizeText(email) === email && email.length <= fields.email.charsMax ? email : ''

function personTexts(wanted: WrittenPerson): Written {
  const { firstName, lastName, phone, country, city, state, zip, address } = wanted
  const person = {
    name: `${firstName} ${lastName}`,
    firstName,
    lastName,
    email: writtenEmail(wanted.email),
    phone,
    country,
    city,
    state,
    zip,
    address,
  }
  const pairs = Object.entries(person).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, sanitizeText(text)]],
  )
  return Object.fromEntries(pairs)
}

function textsOf(wanted: WrittenAccount | WrittenPerson, rights: string): Written {
  if (!('tag' in wanted)) return personTexts(wanted)
  const { group, leverage, tag } = wanted
  return { group, leverage: String(leverage), rights, comment: tag, ...personTexts(wanted) }
}

/** All written fields of an account, by the platform's names. */
export const writtenRecord = (wanted: WrittenAccount, rights: string) => byNames(textsOf(wanted, rights))
export const personRecord = (person: WrittenPerson) => byNames(personTexts(person))

function byNames(written: Written): Record<string, string> {
  return Object.fromEntries(entriesOf(written).map(([field, text]) => [fields[field].name, text]))
}

const entriesOf = (written: Written) => Object.entries(written) as [WrittenField, string][]

/** Without access to personal data all such fields are empty, including the name, which is never empty otherwise. */
export function differingFields(
  record: Mt5Record,
  wanted: WrittenAccount | WrittenPerson,
  rights: string,
): WrittenField[] {
  const isVisible = record.has('Name')
  return entriesOf(textsOf(wanted, rights)).flatMap(([field, text]) => {
    const { name, charsMax, isPersonal } = fields[field]
    if (isPersonal && !isVisible) return []
    return record.text(name).trim() === text.slice(0, charsMax).trim() ? [] : [field]
  })
}
