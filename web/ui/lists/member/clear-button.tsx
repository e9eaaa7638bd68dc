import type { ListDeclaration } from '@atrium/contract/list.ts'
import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useTranslation } from '../../text/use-translation.ts'
import { countFilters, withoutFilters } from '../list-address.ts'
import type { ListState } from '../use-list.ts'

type ClearButtonProps<List extends ListDeclaration, Row extends { _id: string }, Answer> = {
  at: ListState<List, Row, Answer>
}

/** Shown while a filter is set. */
export function ClearButton<List extends ListDeclaration, Row extends { _id: string }, Answer>({
  at: { list, search, go },
}: ClearButtonProps<List, Row, Answer>) {
  const { t } = useTranslation()
  if (countFilters(list, search) === 0) return null
  return (
    <Button
      variant="subtle"
      leftSection={<IconFilterOff size={18} stroke={1.5} />}
      onClick={() => go(withoutFilters(list, search))}
    >
      {t('Clear filters')}
    </Button>
  )
}
