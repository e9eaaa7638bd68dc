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
