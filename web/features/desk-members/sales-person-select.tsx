import type { SalesPerson } from '@atrium/contract/members/desk-calls.ts'
import type { SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Select } from '../../ui/fields/select.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { salesPeopleQuery } from './use-members.ts'

type SalesPersonSelectProps = Omit<SelectProps, 'data' | 'searchValue' | 'onSearchChange'> & {
  /** The current selection, listed even if the search does not find it. */
  known?: SalesPerson | null
}

/** Searches by part of the name or by number, because the list is limited. */
export function SalesPersonSelect({ known, ...props }: SalesPersonSelectProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const people = useQuery(salesPeopleQuery(useDeferredValue(query.trim().slice(0, 100))))
  const listed = [...(known ? [known] : []), ...(people.data ?? [])]
  const labelled = listed.map((each) => ({ value: each._id, label: labelOf(each) }))
  // Mantine reports the label of a selection as search text, which is not a search.
  const search = (text: string) => setQuery(labelled.some(({ label }) => label === text) ? '' : text)
  return (
    <Select
      searchable
      clearable
      nothingFoundMessage={t(nothingFound(people))}
      filter={({ options }) => options}
      onSearchChange={search}
      {...props}
      data={labelled}
    />
  )
}

const nothingFound = ({ isError, isPending }: { isError: boolean; isPending: boolean }): string => {
  if (isError) return 'The list could not be loaded. Please try again.'
  return isPending ? 'Loading' : 'No sales person found'
}

const labelOf = ({ name, customer_number }: SalesPerson): string => `${name} (${customer_number})`
