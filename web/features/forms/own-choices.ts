import type { FieldOption } from '@atrium/contract/forms/definition.ts'

/** What is the member's own and can be chosen in a form; undefined while it is on its way. Whoever shows the form brings it. */
export type OwnChoices = { accounts: FieldOption[] | undefined; banks: FieldOption[] | undefined }

/** For a preview, where nobody is at home. */
export const noOwnChoices: OwnChoices = { accounts: [], banks: [] }
