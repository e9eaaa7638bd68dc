import type { WrittenAccount, WrittenField, WrittenPerson } from '../contract.ts'
import { carriesTag } from '../intent-tag.ts'
import type { AccountRecord } from './records.ts'
import { asciiText, isAscii } from './text.ts'

const emailCharsMax = 47

/** Personal texts in ASCII and within the platform's limits, as sent; omitted fields are undefined. */
export function writtenTexts(wanted: WrittenPerson) {
  const { firstName, lastName, email } = wanted
  return {
    name: asciiText(`${firstName} ${lastName}`, 127),
    // A truncated address could belong to another mailbox.
    email: isAscii(email) && email.length <= emailCharsMax ? email : undefined,
    phone: asciiText(wanted.phone, 31),
    country: asciiText(wanted.country, 31),
    city: asciiText(wanted.city, 31),
    state: asciiText(wanted.state, 31),
    zip: asciiText(wanted.zip, 15),
    address: asciiText(wanted.address, 95),
  }
}

/** Skips fields that an older bridge omits, and personal fields when an empty name shows that they are hidden. */
export function differingFields(record: AccountRecord, wanted: WrittenAccount | WrittenPerson): WrittenField[] {
  const differing: WrittenField[] = 'tag' in wanted ? differingSettings(record, wanted) : []
  if (record.name === '') return differing
  const texts = writtenTexts(wanted)
  for (const field of Object.keys(texts) as (keyof typeof texts)[]) {
    const [text, stored] = [texts[field], record[field]]
    if (text !== undefined && stored !== undefined && stored.trim() !== text.trim()) differing.push(field)
  }
  return differing
}

function differingSettings(record: AccountRecord, wanted: WrittenAccount): WrittenField[] {
  const differing: WrittenField[] = (['group', 'leverage'] as const).filter((name) => record[name] !== wanted[name])
  return carriesTag(record.comment, wanted.tag) ? differing : [...differing, 'comment']
}
