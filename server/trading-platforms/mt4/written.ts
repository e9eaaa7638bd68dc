import type { WrittenAccount, WrittenField, WrittenPerson } from '../contract.ts'
import { carriesTag } from '../intent-tag.ts'
import type { AccountRecord } from './records.ts'
import { asciiText, isAscii } from './text.ts'

const emailCharsMax = 47

/** Texts of a person in ASCII and within the platform's limits, as they are written; what is left out is undefined. */
export function writtenTexts(wanted: WrittenPerson) {
  const { firstName, lastName, email } = wanted
  return {
    name: asciiText(`${firstName} ${lastName}`, 127),
    // An address cut at its end would be somebody else's.
    email: isAscii(email) && email.length <= emailCharsMax ? email : undefined,
    phone: asciiText(wanted.phone, 31),
    country: asciiText(wanted.country, 31),
    city: asciiText(wanted.city, 31),
    state: asciiText(wanted.state, 31),
    zip: asciiText(wanted.zip, 15),
    address: asciiText(wanted.address, 95),
  }
}

/** What an older bridge does not show cannot be compared; where it may not show who it is, the name is empty too. */
export function differingFields(record: AccountRecord, wanted: WrittenAccount | WrittenPerson): WrittenField[] {
  const differing: WrittenField[] = 'tag' in wanted ? differingSettings(record, wanted) : []
  if (record.name === '') return differing
  const texts = writtenTexts(wanted)
  for (const field of Object.keys(texts) as (keyof typeof texts)[]) {
    const [text, kept] = [texts[field], record[field]]
    if (text !== undefined && kept !== undefined && kept.trim() !== text.trim()) differing.push(field)
  }
  return differing
}

function differingSettings(record: AccountRecord, wanted: WrittenAccount): WrittenField[] {
  const differing: WrittenField[] = (['group', 'leverage'] as const).filter((name) => record[name] !== wanted[name])
  return carriesTag(record.comment, wanted.tag) ? differing : [...differing, 'comment']
}
