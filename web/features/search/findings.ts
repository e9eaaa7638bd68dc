import type { CallAnswer } from '@atrium/contract/call.ts'
import type { search } from '@atrium/contract/search/calls.ts'
import { matches } from '@atrium/contract/search/words.ts'
import { searchGroupShapes } from './search-groups.ts'

/** One search result: its target and its title. */
export type Finding = { id: string; to: string; title: string; facts: string[]; icon: FindingIcon }
type FindingIcon = (typeof searchGroupShapes)['accounts']['icon']
export type FindingGroup = { label: string; findings: Finding[] }

/** A page of the portal, from the menu. */
export type SearchablePage = { to: string; label: string; icon: FindingIcon; keywords?: string[] }

const pagesMax = 6

export function findPages(query: string, pages: readonly SearchablePage[]): Finding[] {
  return pages
    .filter(({ label, keywords = [] }) => query.trim() === '' || matches(query, [label, ...keywords]))
    .slice(0, query.trim() === '' ? pages.length : pagesMax)
    .map(({ to, label, icon }) => ({ id: `page ${to}`, to, title: label, facts: [], icon }))
}

/**
 * Of the results of an earlier query, those that match the typed one too: Enter opens the first, which must not be what was searched
 * for before.
 */
export function stillMatching(groups: readonly FindingGroup[], query: string): FindingGroup[] {
  return groups
    .map(({ label, findings }) => ({
      label,
      findings: findings.filter(({ title, facts }) => matches(query, [title, ...facts])),
    }))
    .filter(({ findings }) => findings.length > 0)
}

export function readGroups(answer: CallAnswer<typeof search>): FindingGroup[] {
  return answer.groups.map(({ name, hits }) => {
    const { label, icon, addressOf } = searchGroupShapes[name]
    return {
      label,
      findings: hits.map((hit) => ({
        id: `${name} ${hit._id}`,
        to: addressOf(hit),
        title: hit.title,
        facts: hit.facts,
        icon,
      })),
    }
  })
}
