import type { FieldOption } from '@atrium/contract/forms/definition.ts'

/** The member's own accounts as options; undefined while loading. Provided by the component that shows the form. */
export type OwnChoices = { accounts: FieldOption[] | undefined; banks: FieldOption[] | undefined }

/** For a preview, which has no member. */
export const noOwnChoices: OwnChoices = { accounts: [], banks: [] }
