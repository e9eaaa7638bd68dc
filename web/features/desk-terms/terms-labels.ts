import { scopeLabels } from '@atrium/contract/access/scope-labels.ts'
import { type Scope, scopeNames } from '@atrium/contract/access/scopes.ts'
import type { TermsState } from '@atrium/contract/terms/states.ts'
import { knownOr, otherState } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'
import { listInWords } from '../../ui/text/format.ts'
import type { TFunction } from '../../ui/text/i18n.ts'

export const stateLabels: Record<TermsState, { label: string; meaning: Meaning }> = knownOr(otherState, {
  draft: { label: 'Draft', meaning: 'amber' },
  published: { label: 'Published', meaning: 'green' },
  retired: { label: 'Retired', meaning: 'grey' },
})

/** "Deposit and Withdraw"; the whole portal has a phrase of its own. */
export function sectionsInWords(sections: readonly Scope[], t: TFunction): string {
  if (sections.includes('all')) return t(scopeLabels.all)
  return listInWords(scopeNames.filter((scope) => sections.includes(scope)).map((scope) => t(scopeLabels[scope])))
}
