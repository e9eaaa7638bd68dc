import type { PlantedFault } from './planted-fault.ts'

const passwords = ['server/sessions/password.test.ts']

/** Input: bodies, files and texts that somebody else made up. */
export const inputFaults: PlantedFault[] = [
  {
    name: 'a character that cannot be stored reaches the database',
    file: 'server/foundation/door.ts',
    find: '  if (unstorable.length > 0)',
    replace: '  if (unstorable.length > 99)',
    tests: ['server/malformed.test.ts'],
    guards: 'U7',
  },
  {
    name: 'a file is believed by its name',
    file: 'server/files/inspect.ts',
    find: "  return extension === 'csv' ? found === undefined : (familyOf[extension] ?? []).includes(found?.ext ?? '')",
    replace: '  return found !== null',
    tests: ['server/files/inspect.test.ts'],
    guards: 'U3',
  },
  {
    name: 'an upload may be as large as it likes',
    file: 'contract/files.ts',
    find: "receipt: { extensions: ['png', 'jpg', 'jpeg', 'pdf'], sizeBytesMax: limits.receiptSizeKbMax * bytesPerKb },",
    replace:
      "receipt: { extensions: ['png', 'jpg', 'jpeg', 'pdf'], sizeBytesMax: limits.documentSizeKbMax * bytesPerKb },",
    tests: ['server/files/calls.test.ts'],
    guards: 'U3',
  },
  {
    name: 'values become markup in a mail',
    file: 'server/notifications/templates.ts',
    find: 'return text.replace(/[&<>"\']/g,',
    replace: 'return text.replace(/[&]/g,',
    tests: ['server/notifications/templates.test.ts'],
    guards: 'U2',
  },
  {
    name: 'the line before the hashing has no end',
    file: 'server/sessions/password.ts',
    find: 'availableParallelism() - 1), { waitingMax: 64 })',
    replace: 'availableParallelism() - 1))',
    tests: passwords,
    guards: 'V2',
  },
  {
    name: 'the HTML of terms goes out as the database holds it',
    file: 'server/terms/queries.ts',
    find: 'template: cleanTermsHtml(row.template)',
    replace: "template: row.template + cleanTermsHtml('')",
    tests: ['server/terms/acceptance.test.ts'],
    guards: 'U2',
  },
  {
    name: 'half a character is kept as something else',
    file: 'server/foundation/door.ts',
    find: "value.includes('\\u0000') || !value.isWellFormed()",
    replace: "value.includes('\\u0000')",
    tests: ['server/worst-texts.test.ts'],
    guards: 'U2',
  },
  {
    name: 'a text is tidied up before it is kept',
    file: 'server/funding/deposit.ts',
    find: 'comment: input.comment,',
    replace: "comment: input.comment.normalize('NFC'),",
    tests: ['server/worst-texts.test.ts'],
    guards: 'U2',
  },
  {
    name: 'a file is taken away though its row may be there',
    file: 'server/files/upload.ts',
    find: '    if (problem instanceof Refusal || problem instanceof pg.DatabaseError) await files',
    replace: '    await files',
    tests: ['server/files/lost-answer.test.ts'],
    guards: 'V5',
  },
  {
    name: 'the HTML of terms is stored and published as staff wrote it',
    file: 'server/terms/template.ts',
    find: '    template: cleaned,\n',
    replace: '    template,\n',
    tests: ['server/terms/template.test.ts'],
    guards: 'U2',
  },
]
