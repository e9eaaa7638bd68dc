import { limits } from '@atrium/contract/limits.ts'
import { matchedPieces } from '@atrium/contract/search/words.ts'
import { Combobox, Modal, useCombobox } from '@mantine/core'
import { IconHistory, IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type Finding, type FindingGroup, findPages, type SearchablePage } from './findings.ts'
import { recentOf, rememberFinding } from './recent.ts'
import parts from './search-dialog.module.css'
import { useSearch } from './use-search.ts'

type SearchProps = {
  memberId: string
  pages: SearchablePage[]
  /** Called with the chosen target. */
  onGo: (to: string) => void
}

export function SearchDialog({ isOpen, onClose, ...search }: SearchProps & { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal.Root opened={isOpen} onClose={onClose} size={600} centered={false} yOffset="12dvh">
      <Modal.Overlay />
      <Modal.Content aria-label={t('Search')}>
        <Search {...search} onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}

function useFindings({ memberId, pages }: SearchProps, query: string) {
  const { t } = useTranslation()
  const found = useSearch(query)
  const shown = pages.map((page) => ({ ...page, label: t(page.label) }))
  const recent = query.trim() === '' ? recentOf(memberId).map((finding) => ({ ...finding, icon: IconHistory })) : []
  const groups: FindingGroup[] = [
    { label: t('Recent'), findings: recent.map((finding) => ({ ...finding, id: `recent ${finding.id}` })) },
    { label: t('Pages'), findings: findPages(query, shown) },
    ...found.groups.map((group) => ({ ...group, label: t(group.label) })),
  ].filter(({ findings }) => findings.length > 0)
  return { ...found, groups, flat: groups.flatMap(({ findings }) => findings) }
}

function Search({ onClose, ...props }: SearchProps & { onClose: () => void }) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  // Escape closes the list, and the list is the whole dialog.
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose })
  const { groups, flat, isSearching, error } = useFindings(props, query)
  const shown = flat.map(({ id }) => id).join()
  // A re-render after the list exists lets the field reference it.
  const [, setListed] = useState(false)
  useEffect(() => setListed(true), [])
  // Always selects the first result, so that Enter opens it.
  useEffect(() => {
    if (shown !== '') combobox.selectFirstOption()
  }, [shown, combobox.selectFirstOption])
  const go = (id: string) => {
    const finding = flat.find((one) => one.id === id)
    if (!finding) return
    rememberFinding(props.memberId, { ...finding, id: finding.id.replace('recent ', '') })
    props.onGo(finding.to)
  }
  const word = () => {
    if (error) return t('Only pages could be searched. Please try again.')
    if (isSearching) return t('Searching…')
    return flat.length === 0
      ? t('Nothing found for "{{query}}".', { query })
      : t('{{number}} found', { number: flat.length })
  }
  return (
    <search className={parts.search}>
      <Combobox store={combobox} onOptionSubmit={go}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            role="combobox"
            variant="unstyled"
            aria-label={t('Search for pages, accounts and transactions')}
            classNames={{ root: parts.field ?? '', input: parts.input ?? '' }}
            leftSection={<IconSearch size={20} stroke={1.5} aria-hidden />}
            leftSectionWidth={52}
            placeholder={t('Search')}
            charsMax={limits.searchCharsMax}
            data-autofocus
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={parts.list ?? ''} aria-label={t('Results')} tabIndex={0}>
          {groups.map((group) => (
            <Combobox.Group key={group.label} label={group.label} classNames={{ groupLabel: parts.label ?? '' }}>
              {group.findings.map((finding) => (
                <Option key={finding.id} finding={finding} query={query} />
              ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox>
      <p className={parts.word} role="status">
        {word()}
      </p>
    </search>
  )
}

function Option({ finding, query }: { finding: Finding; query: string }) {
  const { t } = useTranslation()
  return (
    <Combobox.Option value={finding.id} className={parts.option ?? ''}>
      <finding.icon size={18} stroke={1.5} aria-hidden />
      <span className={parts.title}>
        <Marked text={finding.title} query={query} />
      </span>
      <span className={parts.facts}>
        <Marked text={finding.facts.map((fact) => t(fact)).join(' · ')} query={query} />
      </span>
    </Combobox.Option>
  )
}

/** Highlights the part of a result that matched. */
function Marked({ text, query }: { text: string; query: string }) {
  return matchedPieces(query, text).map((piece) =>
    piece.isMatch ? <mark key={piece.at}>{piece.text}</mark> : piece.text,
  )
}
